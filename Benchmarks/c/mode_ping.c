/* Pings without pause: as soon as one is answered the next goes out on the same
 * connection.  Answers that arrive in one read are followed by one write.  The
 * clock is read once per read, so a latency is the time from one answer to the
 * next, with the client's own work (well under 1 µs per ping) in it.
 *
 * A slot is one ping under way.  The id holds the slot's number in its low bits
 * and a counter above, so that an answer that comes twice or late is noticed.
 */
#include "load.h"
#include "measure.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { SLOT_BITS = 10, SLOTS_MAX = 1 << SLOT_BITS, SAMPLES_MAX = 4 << 20, READY_MAX = 64 };

struct slot { uint32_t id; double sent; };      /* id 0: nothing under way */

struct pinger {
    const struct wire *wire;
    struct conn *conns;
    int conns_count, slots_count;
    int epoll;                                  /* -1 with one connection: reads just block */
    struct slot slots[SLOTS_MAX];               /* slot i belongs to connection i % conns_count */
    uint32_t counter;
    size_t under_way, answered;
    bool stopping;                              /* no new pings; waiting for the last answers */
    double now;                                 /* when the bytes at hand were read */
    struct samples latency;
};

/* ---- sending */

static uint32_t fresh_id(struct pinger *p, int slot) {
    uint32_t counter_mask = (WIRE_LAST_ID - WIRE_FIRST_ID) >> SLOT_BITS;
    return WIRE_FIRST_ID | (p->counter++ & counter_mask) << SLOT_BITS | (uint32_t)slot;
}

static void send_ping(struct pinger *p, struct conn *c, int slot) {
    uint32_t id = fresh_id(p, slot);
    c->out_length += p->wire->ping(conn_reserve(c, WIRE_REQUEST_MAX), id);
    p->slots[slot] = (struct slot){ id, p->now };
    p->under_way++;
}

static void fill_slots(struct pinger *p) {
    for (int k = 0; k < p->conns_count; k++) {
        p->now = now_us();
        for (int slot = k; slot < p->slots_count; slot += p->conns_count)
            send_ping(p, &p->conns[k], slot);
        conn_flush(&p->conns[k]);
    }
}

/* ---- receiving */

static void answer_arrived(struct pinger *p, struct conn *c, uint32_t id) {
    int slot = (int)(id & (SLOTS_MAX - 1));
    if (p->slots[slot].id != id) fail("an answer to nothing that was asked");
    samples_add(&p->latency, p->now - p->slots[slot].sent);
    p->slots[slot].id = 0;
    p->under_way--;
    p->answered++;
    if (!p->stopping) send_ping(p, c, slot);
}

/* Reads once, handles every whole message, sends what follows from them. */
static void serve(struct pinger *p, struct conn *c) {
    size_t used = 0, n;
    uint32_t id;
    conn_read(c);
    p->now = now_us();
    while ((n = p->wire->next(c->in + used, c->in_length - used, &id))) {
        if (id) answer_arrived(p, c, id);
        used += n;
    }
    conn_consume(c, used);
    conn_flush(c);
}

static void serve_ready(struct pinger *p) {
    struct epoll_event ready[READY_MAX];
    if (p->epoll < 0) { serve(p, p->conns); return; }
    int n = epoll_wait(p->epoll, ready, READY_MAX, ANSWER_TIMEOUT_S * 1000);
    if (n == 0) fail("no answer in time");
    for (int i = 0; i < n; i++) serve(p, ready[i].data.ptr);
}

/* ---- runs */

/* One whole run: every ping sent in it is answered when it returns. */
static void run(struct pinger *p, double us) {
    p->answered = p->latency.count = 0;
    p->stopping = false;
    double end = now_us() + us;
    fill_slots(p);
    while (p->now < end) serve_ready(p);
    p->stopping = true;
    while (p->under_way) serve_ready(p);
}

static void watch(struct pinger *p, struct conn *c) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };
    if (epoll_ctl(p->epoll, EPOLL_CTL_ADD, c->fd, &e)) fail_errno("epoll_ctl");
}

static void open_all(struct pinger *p, const char *socket) {
    if (!(p->conns = calloc((size_t)p->conns_count, sizeof *p->conns))) fail_errno("calloc");
    p->epoll = p->conns_count > 1 ? epoll_create1(EPOLL_CLOEXEC) : -1;
    for (int i = 0; i < p->conns_count; i++) {
        conn_dial(&p->conns[i], socket);
        p->wire->hello(&p->conns[i]);
        if (p->epoll >= 0) watch(p, &p->conns[i]);
    }
}

static void print(struct pinger *p, double us, double cpu) {
    double n = (double)p->answered;
    samples_sort(&p->latency);
    printf("pings=%zu rate=%.0f p50=%.3f p99=%.3f cpu=%.4f\n", p->answered, n / us * 1e6,
           samples_percentile(&p->latency, 50), samples_percentile(&p->latency, 99), cpu / n);
}

void mode_ping(const struct options *o) {
    static struct pinger p;
    if (o->in_flight > SLOTS_MAX || o->in_flight < o->connections)
        fail("in flight: at least one per connection, at most 1024");
    if (!o->broker) fail("ping needs the broker's PID");
    p.wire = o->wire;
    p.conns_count = o->connections;
    p.slots_count = o->in_flight;
    samples_init(&p.latency, SAMPLES_MAX);
    open_all(&p, o->socket);
    run(&p, o->milliseconds * 1e3 / 5);                 /* warm up */
    double cpu = cpu_us(o->broker), start = now_us();
    run(&p, o->milliseconds * 1e3);
    double end = now_us(), cpu_end = cpu_us(o->broker);
    if (cpu_end <= cpu) fail("the broker's process did no work: is it a wrapper around the real one?");
    print(&p, end - start, cpu_end - cpu);
}
