#ifndef CCALLGRIND_H
#define CCALLGRIND_H

#include <stdbool.h>

/* From now on, or no longer, instructions are counted: under callgrind, and built with its header. */
void callgrind_count(bool counts);

/* A line of the log with these words, and behind it how many instructions there were so far. */
void callgrind_mark(const char *words);

#endif
