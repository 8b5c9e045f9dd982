/* One transaction, one observer: how long are the messages? */
#include "cast.h"

#include <stdio.h>
#include <string.h>

/* The length of the next message; the message itself is copied. */
static size_t hear(const struct options *o, struct conn *c, char *message) {
    size_t n;
    uint32_t id;
    while (!(n = o->wire->next(c->in, c->in_length, &id))) conn_read(c);
    if (n > WIRE_MESSAGE_MAX) fail("a message is too long");
    memcpy(message, c->in, n);
    conn_consume(c, n);
    return n;
}

static size_t say(struct conn *c, const char *message, size_t n) {
    conn_queue(c, message, n);
    conn_flush(c);
    return n;
}

void mode_sizes(const struct options *o) {
    const struct calls_wire *calls = o->wire->calls;
    char message[WIRE_MESSAGE_MAX], reply[2 * WIRE_MESSAGE_MAX];
    struct conn provider, observer, controller;
    struct scene scene = scene_of(o);
    struct sizes s;
    scene.providers = scene.calls = scene.observers = 1;
    calls->set_up(&scene);
    conn_dial(&provider, o->socket);
    calls->provide(&provider, 0);
    conn_dial(&observer, o->socket);
    calls->observe(&observer);
    conn_dial(&controller, o->socket);
    calls->control(&controller);
    s.request = say(&controller, message, calls->request(message, WIRE_FIRST_ID, 0, true));
    s.perform = hear(o, &provider, message);
    s.answer = say(&provider, reply, calls->answer(reply, message, s.perform));
    s.result = hear(o, &controller, message);
    s.pending = hear(o, &observer, message);
    s.event = hear(o, &observer, message);
    printf("request=%zu perform=%zu pending=%zu answer=%zu result=%zu event=%zu\n", s.request, s.perform, s.pending,
           s.answer, s.result, s.event);
}
