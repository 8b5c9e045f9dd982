/* Clocks, the broker's CPU time and memory, percentiles. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <sys/types.h>

double now_us(void);

/* Run time of all the process's threads so far, µs, from the scheduler. */
double cpu_us(pid_t pid);

/* Resident size in KiB, from smaps_rollup. */
double rss_kib(pid_t pid);

/* A bounded collection of samples; those past its capacity are not kept. */
struct samples { float *values; size_t count, capacity; };

void samples_init(struct samples *s, size_t capacity);
void samples_add(struct samples *s, double value);

/* Sorts; then percentile(99) is the value that 99 of 100 samples do not exceed. */
void samples_sort(struct samples *s);
double samples_percentile(const struct samples *s, double percent);

#endif
