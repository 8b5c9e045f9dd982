#define _GNU_SOURCE
#include "measure.h"
#include "net.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- the broker */

static double thread_cpu_us(const char *tasks, const char *thread) {
    char path[512];
    unsigned long long ns = 0;
    snprintf(path, sizeof path, "%s/%s/schedstat", tasks, thread);
    FILE *f = fopen(path, "r");
    if (!f) return 0;                   /* the thread has just ended */
    if (fscanf(f, "%llu", &ns) != 1) ns = 0;
    fclose(f);
    return (double)ns / 1e3;
}

double cpu_us(pid_t pid) {
    char tasks[64];
    snprintf(tasks, sizeof tasks, "/proc/%d/task", (int)pid);
    DIR *directory = opendir(tasks);
    if (!directory) fail_errno(tasks);
    double sum = 0;
    for (struct dirent *e; (e = readdir(directory));)
        if (e->d_name[0] != '.') sum += thread_cpu_us(tasks, e->d_name);
    closedir(directory);
    return sum;
}

double rss_kib(pid_t pid) {
    char path[64], line[256];
    double kib = -1;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f) fail_errno(path);
    while (kib < 0 && fgets(line, sizeof line, f))
        if (!strncmp(line, "Rss:", 4)) kib = atof(line + 4);
    fclose(f);
    if (kib < 0) fail("no Rss in smaps_rollup");
    return kib;
}

/* ---- samples */

void samples_init(struct samples *s, size_t capacity) {
    *s = (struct samples){ malloc(capacity * sizeof *s->values), 0, capacity };
    if (!s->values) fail_errno("malloc");
}

void samples_add(struct samples *s, double value) {
    if (s->count < s->capacity) s->values[s->count++] = (float)value;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void samples_sort(struct samples *s) {
    qsort(s->values, s->count, sizeof *s->values, ascending);
}

double samples_percentile(const struct samples *s, double percent) {
    if (!s->count) fail("no samples");
    size_t rank = (size_t)((double)s->count * percent / 100);
    return (double)s->values[rank < s->count ? rank : s->count - 1];
}
