/* When an action of the broker has to be answered. */
#ifndef LINPHONE_DEADLINE_H
#define LINPHONE_DEADLINE_H

#include <stdint.h>

/* The latest time for the answer to an action that has so many milliseconds from now on: while there
 * is some left, in which what did not work is undone. */
int64_t answer_time(int64_t now, int64_t deadline_ms);

#endif
