/* Requests to callgrind are instructions that do nothing elsewhere. */
#include "CCallgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void callgrind_count(bool counts) {
    if (counts) {
        CALLGRIND_START_INSTRUMENTATION;
    } else {
        CALLGRIND_STOP_INSTRUMENTATION;
    }
}

void callgrind_mark(const char *words) {
    VALGRIND_PRINTF("mark %s\n", words);
    (void)VALGRIND_MONITOR_COMMAND("status internal");
}
#else
void callgrind_count(bool counts) { (void)counts; }

void callgrind_mark(const char *words) { (void)words; }
#endif
