/* consumer.c - a program of somebody else: it includes the installed header, links the installed library, asks one
 * question. Called by: check_package.py.  Must not know: anything but lakeproof.h.
 */
#include <lakeproof.h>
#include <stdio.h>

int main(int argc, char **argv) {
    lp_err err = {LP_OK, ""};
    lp_table *table = NULL;
    if (lp_table_open(argc > 1 ? argv[1] : "", NULL, &table, &err) != LP_OK) {
        printf("lakeproof %s: %d: %s\n", lp_version(), (int)err.code, err.text);
        return 1;
    }
    printf("lakeproof %s: version %lld\n", lp_version(), (long long)lp_table_version(table));
    lp_table_close(table);
    return 0;
}
