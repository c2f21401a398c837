/* names.c - the words and figures of a prune_report that its readers share.
 * Called by: prune, report, api.  Must not know: how anything is measured.
 */
#include "prune/prune.h"

double prune_percent(uint64_t dropped, uint64_t input) {
    return input > 0 ? (double)dropped / (double)input * 100.0 : 0.0;
}

str phase_name(phase_kind k) {
    return k == PHASE_PARTITION ? STR("Partition pruning") : STR("Data skipping (min/max statistics)");
}

str confidence_name(confidence c) {
    switch (c) {
    case CONFIDENCE_EXACT: return STR("exact");
    case CONFIDENCE_CONSERVATIVE: return STR("conservative");
    case CONFIDENCE_INCOMPLETE: return STR("incomplete");
    }
    UNREACHABLE();
}
