/* As soon as a request is answered the next goes out on the same connection.
 * Answers that arrive in one read are followed by one write.  The clock is read once
 * per read, so a latency is the time from one answer to the next, with the client's
 * own work (well under 1 µs per request) in it.
 *
 * A slot is one request under way.  The id holds the slot's number in its low bits
 * and a counter above, so that an answer that comes twice or late is noticed.
 */
#include "requests.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { SLOT_BITS = 10, SLOTS_MAX = 1 << SLOT_BITS, SAMPLES_MAX = 4 << 20, READY_MAX = 64 };

struct slot { uint32_t id; double sent; };      /* id 0: nothing under way */

struct requests {
    struct conn *conns;
    int epoll;                                  /* -1 with one connection: reads just block */
    struct slot slots[SLOTS_MAX];               /* slot i belongs to connection i % connections */
    uint32_t counter;
    size_t under_way;
    bool stopping;                              /* no new requests; waiting for the last answers */
    double now;                                 /* when the bytes at hand were read */
};

/* ---- sending */

static uint32_t fresh_id(struct requests *s, int slot) {
    uint32_t counter_mask = (WIRE_LAST_ID - WIRE_FIRST_ID) >> SLOT_BITS;
    return WIRE_FIRST_ID | (s->counter++ & counter_mask) << SLOT_BITS | (uint32_t)slot;
}

static void send_one(struct run *r, struct conn *c, int slot) {
    struct requests *s = r->state;
    uint32_t id = fresh_id(s, slot);
    c->out_length += r->make(conn_reserve(c, WIRE_MESSAGE_MAX), id, slot);
    s->slots[slot] = (struct slot){ id, s->now };
    s->under_way++;
}

static void fill_slots(struct run *r) {
    struct requests *s = r->state;
    int count = r->options->connections;
    for (int k = 0; k < count; k++) {
        s->now = now_us();
        for (int slot = k; slot < r->options->in_flight; slot += count) send_one(r, &s->conns[k], slot);
        conn_flush(&s->conns[k]);
    }
}

/* ---- receiving */

static void await_others(int pipe) {
    char byte;
    if (read(pipe, &byte, 1) != 1) fail("the observers are gone");
}

static void answer_arrived(struct run *r, struct conn *c, uint32_t id) {
    struct requests *s = r->state;
    int slot = (int)(id & (SLOTS_MAX - 1));
    if (s->slots[slot].id != id) fail("an answer to nothing that was asked");
    samples_add(&r->latency, s->now - s->slots[slot].sent);
    s->slots[slot].id = 0;
    s->under_way--;
    r->answered++;
    if (r->wait_for >= 0) {
        await_others(r->wait_for);
        s->now = now_us();
    }
    if (!s->stopping) send_one(r, c, slot);
}

/* Reads once, handles every whole message, sends what follows from them. */
static void serve(struct run *r, struct conn *c) {
    size_t used = 0, n;
    uint32_t id;
    conn_read(c);
    r->state->now = now_us();
    while ((n = r->options->wire->next(c->in + used, c->in_length - used, &id))) {
        if (id) answer_arrived(r, c, id);
        used += n;
    }
    conn_consume(c, used);
    conn_flush(c);
}

static void serve_ready(struct run *r) {
    struct epoll_event ready[READY_MAX];
    struct requests *s = r->state;
    if (s->epoll < 0) { serve(r, s->conns); return; }
    int n = epoll_wait(s->epoll, ready, READY_MAX, ANSWER_TIMEOUT_S * 1000);
    if (n == 0) fail("no answer in time");
    for (int i = 0; i < n; i++) serve(r, ready[i].data.ptr);
}

/* ---- runs */

void run_for(struct run *r, double us) {
    struct requests *s = r->state;
    r->answered = r->latency.count = 0;
    s->stopping = false;
    double start = now_us(), end = start + us;
    fill_slots(r);
    while (s->now < end) serve_ready(r);
    s->stopping = true;
    while (s->under_way) serve_ready(r);
    r->us = now_us() - start;
}

void run_open(struct run *r) {
    const struct options *o = r->options;
    if (o->in_flight > SLOTS_MAX || o->in_flight < o->connections)
        fail("in flight: at least one per connection, at most 1024");
    if (!o->broker) fail("the broker's PID is needed");
    struct requests *s = calloc(1, sizeof *s);
    if (!s || !(s->conns = calloc((size_t)o->connections, sizeof *s->conns))) fail_errno("calloc");
    r->state = s;
    samples_init(&r->latency, SAMPLES_MAX);
    s->epoll = o->connections > 1 ? epoll_create1(EPOLL_CLOEXEC) : -1;
    for (int i = 0; i < o->connections; i++) {
        conn_dial(&s->conns[i], o->socket);
        r->hello(&s->conns[i]);
        if (s->epoll >= 0) conn_watch(&s->conns[i], s->epoll);
    }
}

void run_and_print(struct run *r, int per) {
    const struct options *o = r->options;
    run_for(r, o->milliseconds * 1e3 / 5);              /* warm up */
    double cpu = cpu_us(o->broker);
    run_for(r, o->milliseconds * 1e3);
    double cpu_end = cpu_us(o->broker), n = (double)r->answered;
    if (cpu_end <= cpu) fail("the broker's process did no work: is it a wrapper around the real one?");
    samples_sort(&r->latency);
    printf("count=%zu rate=%.0f p50=%.3f p99=%.3f p9999=%.3f max=%.3f cpu=%.4f\n", r->answered, n / r->us * 1e6,
           samples_percentile(&r->latency, 50), samples_percentile(&r->latency, 99),
           samples_percentile(&r->latency, 99.99), samples_percentile(&r->latency, 100), (cpu_end - cpu) / n / per);
}
