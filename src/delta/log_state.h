/* log_state.h - what a log says besides files: protocol, metadata, domains, transactions. The newest one of each counts.
 * Called by: delta/snapshot.c (commits), checkpoint.c (its own rows).  Must not know: where actions come from.
 * Source: PROTOCOL.md: Action Reconciliation.
 */
#ifndef DELTA_LOG_STATE_H
#define DELTA_LOG_STATE_H

#include "base/map.h"
#include "delta/action.h"
#include "delta/snapshot.h"

typedef struct log_state {
    arena *table;
    uint32_t source; /* ordinal of the commit or checkpoint under way, newest first */
    bool has_protocol, has_metadata;
    bool has_repeats; /* the commit under way has two actions of which it may have one (rule F8) */
    uint32_t protocol_source, metadata_source;
    protocol_action protocol;
    metadata_action metadata;
    map domain; /* name -> domain_entry */
    map transaction; /* appId -> transaction_entry */
} log_state;

void log_state_init(log_state *s, arena *table);

/* Start on the next older commit or checkpoint. */
void log_state_begin(log_state *s);

/* Take an action that is not about a file; all others are ignored. Texts are copied. Of two in one commit, which the
 * protocol forbids, the later one counts. */
void log_state_take(log_state *s, const action *a);

/* Add what an older state (of a checkpoint) holds and this one lacks. Borrows from it. */
void log_state_merge(log_state *s, const log_state *older);

/* The configuration of a domain; STR_NONE when it is absent or removed (rule H9). */
str log_state_domain(const log_state *s, str name);

/* All domains that are not removed, and all transactions; sorted by name and by appId. In `owner`; texts are borrowed. */
table_domain *log_state_domains(const log_state *s, arena *owner, size_t *count);
table_transaction *log_state_transactions(const log_state *s, arena *owner, size_t *count);

#endif
