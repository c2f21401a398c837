/* check_g005.c - possible row loss: a note, only when it is asked for.
 * Called by: check.c.  Must not know: other checks.
 */
#include "grain/check_int.h"

void check_g005(checking *c) {
    for (uint32_t i = 0; i < c->m->loss_count; i++) {
        const row_loss *loss = &c->m->loss[i];
        finding *f = check_new(c, FINDING_G005, loss->at);
        f->expression = check_line(c, loss->text);
        f->text = str_format(c->out->owner, "rows may be dropped here: " STR_FMT, STR_ARG(f->expression));
        if (loss->node->kind == PLAN_JOIN)
            f->suggestion = STR("declare a reference with not_null columns if every row has a partner, or use a left join");
        check_fingerprint(c, f, f->expression);
    }
}
