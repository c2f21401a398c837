/* launch.c - runs one command and writes what it cost to a file.
 * Called by: measure.py, which compiles it.  Must not know: the command.
 *
 *     launch FIGURES COMMAND [ARGUMENT ...]
 *
 * FIGURES gets one line: processor seconds, clock seconds, peak memory in bytes, exit code (or minus the signal).
 * A program of its own because Linux carries the peak memory of the process that forks over to the child, across exec:
 * a child of Python never seems to take less than Python. This one takes about a megabyte.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Linux counts ru_maxrss in KiB, macOS in bytes. */
static long long peak_bytes(const struct rusage *usage) {
#ifdef __APPLE__
    return (long long)usage->ru_maxrss;
#else
    return (long long)usage->ru_maxrss * 1024;
#endif
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: launch FIGURES COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    const double began = seconds_now();
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("launch");
        return 1;
    }
    const double wall_s = seconds_now() - began;
    FILE *out = fopen(argv[1], "w");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    fprintf(out, "%.6f %.6f %lld %d\n", seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), wall_s,
            peak_bytes(&usage), WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    return fclose(out) == 0 ? 0 : 1;
}
