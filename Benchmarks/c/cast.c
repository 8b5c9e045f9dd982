#define _GNU_SOURCE
#include "cast.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY_MAX = 256, EVENTS_PER_CALL = 2, PROVIDERS = 16, CALLS_PER_PROVIDER_MAX = 1000 };

/* One process with many connections. */
struct crowd {
    const struct options *options;
    struct conn *conns;
    int count, epoll, report;           /* report: the pipe to the parent */
    void (*take)(struct crowd *k, struct conn *c, const char *message, size_t n, uint32_t id);
    size_t events, expected;            /* of observers: until the next byte in the pipe */
};

int providers_for(int calls) {
    int needed = (calls + CALLS_PER_PROVIDER_MAX - 1) / CALLS_PER_PROVIDER_MAX;
    return needed > PROVIDERS ? needed : PROVIDERS;
}

struct scene scene_of(const struct options *o) {
    return (struct scene){
        .run = (uint32_t)getpid(), .providers = providers_for(o->calls), .calls = o->calls, .observers = o->observers,
        .topic = o->topic, .changes = o->changes, .sizes = o->sizes,
    };
}

/* ---- in the child */

static void report(struct crowd *k) {
    if (write(k->report, "x", 1) != 1) _exit(0);
}

static void serve(struct crowd *k, struct conn *c) {
    size_t used = 0, n;
    uint32_t id;
    conn_read(c);
    while ((n = k->options->wire->next(c->in + used, c->in_length - used, &id))) {
        k->take(k, c, c->in + used, n, id);
        used += n;
    }
    conn_consume(c, used);
    conn_flush(c);
}

_Noreturn static void serve_all(struct crowd *k) {
    struct epoll_event ready[READY_MAX];
    for (;;) {
        int n = epoll_wait(k->epoll, ready, READY_MAX, -1);
        for (int i = 0; i < n; i++) serve(k, ready[i].data.ptr);
    }
}

static void answer(struct crowd *k, struct conn *c, const char *message, size_t n, uint32_t id) {
    (void)id;
    c->out_length += k->options->wire->calls->answer(conn_reserve(c, 2 * WIRE_MESSAGE_MAX), message, n);
}

static void count(struct crowd *k, struct conn *c, const char *message, size_t n, uint32_t id) {
    (void)c;
    (void)message;
    (void)n;
    if (id || !k->expected || ++k->events < k->expected) return;
    k->events -= k->expected;
    report(k);
}

static void open_one(struct crowd *k, int number) {
    const struct calls_wire *calls = k->options->wire->calls;
    struct conn *c = &k->conns[number];
    conn_dial(c, k->options->socket);
    if (k->take == answer) calls->provide(c, number);
    else calls->observe(c);
    conn_watch(c, k->epoll);
}

_Noreturn static void play(struct crowd *k) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    k->epoll = epoll_create1(EPOLL_CLOEXEC);
    k->conns = calloc((size_t)k->count, sizeof *k->conns);
    if (!k->conns || k->epoll < 0) fail_errno("observers or providers");
    for (int i = 0; i < k->count; i++) open_one(k, i);
    report(k);
    serve_all(k);
}

/* ---- in the parent */

static pid_t start(struct crowd *k, int *pipe_end) {
    int ends[2];
    char byte;
    if (pipe(ends)) fail_errno("pipe");
    pid_t pid = fork();
    if (pid < 0) fail_errno("fork");
    if (!pid) {
        close(ends[0]);
        k->report = ends[1];
        play(k);
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1) fail("the providers or observers did not start");
    *pipe_end = ends[0];
    return pid;
}

struct cast cast_start(const struct options *o, const struct scene *s) {
    struct cast c = { 0 };
    int unused;
    o->wire->calls->set_up(s);
    struct crowd providers = { .options = o, .count = s->providers, .take = answer };
    c.providers = start(&providers, &unused);
    if (!s->observers) return c;
    size_t expected = o->waits ? (size_t)s->observers * EVENTS_PER_CALL : 0;
    struct crowd observers = { .options = o, .count = s->observers, .take = count, .expected = expected };
    c.observers = start(&observers, &c.events);
    return c;
}

static void stop(pid_t pid) {
    if (!pid) return;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

void cast_stop(const struct cast *c) {
    stop(c->providers);
    stop(c->observers);
}
