/* What a transaction costs the broker with more and more held calls.  Ten calls are
 * muted and unmuted, one at a time, while others are only held: so the work is the
 * same, and a difference is the number's. */
#include "cast.h"
#include "requests.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 3, TAKES = 5 };

static const int held[STAGES] = { 10, 1000, 100000 };
static const struct options *options;
static int counter;

static size_t make(char *out, uint32_t id, int slot) {
    (void)slot;
    int round = counter++;
    return options->wire->calls->request(out, id, round % options->calls, !(round / options->calls & 1));
}

/* A cast that holds so many calls more; nobody asks it anything. */
static void hold(const struct options *o, const struct scene *s, int calls) {
    struct scene more = *s;
    more.run += 0x80000000u + (uint32_t)calls;
    more.calls = calls;
    more.providers = providers_for(calls);
    more.observers = 0;
    cast_start(o, &more);       /* ends with this process */
    o->wire->calls->set_up(s);
}

static double measure(struct run *r) {
    double cpu = cpu_us(options->broker);
    run_for(r, options->milliseconds * 1e3);
    return (cpu_us(options->broker) - cpu) / (double)r->answered;
}

void mode_held(const struct options *o) {
    struct options ten = *o;
    ten.calls = held[0];
    options = &ten;
    struct scene scene = scene_of(&ten);
    struct cast cast = cast_start(&ten, &scene);
    struct run r = { .options = &ten, .hello = o->wire->calls->control, .make = make, .wait_for = -1 };
    run_open(&r);
    measure(&r);                                        /* warm up */
    for (int i = 0; i < STAGES; i++) {
        struct samples takes;
        samples_init(&takes, TAKES);
        if (i) hold(&ten, &scene, held[i] - held[i - 1]);
        for (int k = 0; k < TAKES; k++) samples_add(&takes, measure(&r));
        samples_sort(&takes);
        printf("cpu%d=%.3f ", held[i], samples_percentile(&takes, 50));
        fflush(stdout);
    }
    puts("");
    cast_stop(&cast);
}
