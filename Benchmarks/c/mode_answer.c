/* Two apps, one live call: the waiting call of one is answered, which holds the live
 * call of the other.  Then that held call ends, the next one rings, and so on, each
 * app in turn.  Only the answer is timed; the CPU is that of the whole round.
 */
#include "cast.h"
#include "measure.h"
#include "wire_line.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES_MAX = 1 << 20, FIRST_REPORT = 2000000000 };

#define CALL_FORMAT "%08x-0001-4000-8000-%012x"

static uint32_t run;

struct phone { struct conn conns[2], controller; const struct options *options; int calls; };

/* The next line that has an id, copied; lines without one are told to everybody. */
static size_t hear(struct phone *p, struct conn *c, char *line) {
    uint32_t id = 0;
    size_t n = 0;
    while (!id) {
        if (!(n = p->options->wire->next(c->in, c->in_length, &id))) { conn_read(c); continue; }
        if (n > WIRE_MESSAGE_MAX) fail("a message is too long");
        memcpy(line, c->in, n);
        conn_consume(c, n);
    }
    return n;
}

static void ask(struct phone *p, struct conn *c, const char *line, int n) {
    char reply[WIRE_MESSAGE_MAX];
    conn_queue(c, line, (size_t)n);
    conn_flush(c);
    hear(p, c, reply);
}

/* A provider does what it is asked. */
static void fulfil(struct phone *p, struct conn *c) {
    char message[WIRE_MESSAGE_MAX];
    size_t n = hear(p, c, message);
    c->out_length += p->options->wire->calls->answer(conn_reserve(c, WIRE_MESSAGE_MAX), message, n);
    conn_flush(c);
}

static void ring(struct phone *p, struct conn *c) {
    char line[512];
    int n = sprintf(line, LINE_HEAD "%d,\"method\":\"call.report_incoming\",\"params\":{\"call\":\"" CALL_FORMAT "\","
                    "\"remote\":{\"type\":\"phone\",\"value\":\"+15550100\"}}}\n", FIRST_REPORT, run, ++p->calls);
    ask(p, c, line, n);
}

static void end(struct phone *p, struct conn *c, int call) {
    char line[512];
    int n = sprintf(line, LINE_HEAD "%d,\"method\":\"call.report_ended\",\"params\":{\"call\":\"" CALL_FORMAT "\","
                    "\"reason\":\"remote_ended\"}}\n", FIRST_REPORT, run, call);
    ask(p, c, line, n);
}

/* How long it takes until the call that rang last is answered. */
static double answer(struct phone *p, bool holds) {
    char line[512];
    struct conn *c = &p->controller;
    int n = sprintf(line, LINE_HEAD "%d,\"method\":\"call.answer\",\"params\":{\"call\":\"" CALL_FORMAT "\","
                    "\"choice\":\"hold_and_answer\",\"wait\":\"completed\"}}\n", FIRST_REPORT, run, p->calls);
    double start = now_us();
    conn_queue(c, line, (size_t)n);
    conn_flush(c);
    if (holds) fulfil(p, &p->conns[(p->calls + 1) & 1]);
    fulfil(p, &p->conns[p->calls & 1]);
    hear(p, c, line);
    return now_us() - start;
}

/* Call number n is of provider n & 1: two calls at a time, one of each. */
static double round_of(struct phone *p) {
    if (p->calls >= 2) end(p, &p->conns[(p->calls + 1) & 1], p->calls - 1);
    ring(p, &p->conns[(p->calls + 1) & 1]);
    return answer(p, p->calls >= 2);
}

static void run_for_us(struct phone *p, double us, struct samples *latency) {
    latency->count = 0;
    for (double stop = now_us() + us; now_us() < stop;) samples_add(latency, round_of(p));
}

static void open_all(struct phone *p, const struct scene *scene) {
    const struct calls_wire *calls = p->options->wire->calls;
    calls->set_up(scene);
    for (int i = 0; i < 2; i++) {
        conn_dial(&p->conns[i], p->options->socket);
        calls->provide(&p->conns[i], i);
    }
    conn_dial(&p->controller, p->options->socket);
    calls->control(&p->controller);
}

void mode_answer(const struct options *o) {
    struct options all = *o;
    struct phone p = { .options = &all };
    struct samples latency;
    if (strcmp(o->wire->name, "line") || !o->broker) fail("answer is for CallBroker, and needs its PID");
    all.topic = "*";
    all.observers = 1;
    all.calls = 0;
    struct scene scene = scene_of(&all);
    run = scene.run;
    struct cast cast = cast_start(&all, &scene);
    scene.run += 0x80000000u;                           /* the names of the cast's providers are taken */
    open_all(&p, &scene);
    samples_init(&latency, SAMPLES_MAX);
    run_for_us(&p, o->milliseconds * 1e3 / 5, &latency);
    double cpu = cpu_us(o->broker);
    run_for_us(&p, o->milliseconds * 1e3, &latency);
    double n = (double)latency.count;
    cpu = cpu_us(o->broker) - cpu;
    samples_sort(&latency);
    printf("count=%.0f p50=%.3f p99=%.3f cpu=%.4f\n", n, samples_percentile(&latency, 50),
           samples_percentile(&latency, 99), cpu / n);
    cast_stop(&cast);
}
