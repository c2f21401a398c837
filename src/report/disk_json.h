/* disk_json.h - the object `disk` in the JSON document of a snapshot.
 * Called by: report/snapshot_json.c.  Must not know: what else stands in the document.
 */
#ifndef REPORT_DISK_JSON_H
#define REPORT_DISK_JSON_H

#include "report/disk_report.h"
#include "report/report_int.h"

/* The member `disk` of the object under way, in the draft that the writer writes into. */
void disk_put_member(draft *d, json_writer *w, const disk_report *r);

#endif
