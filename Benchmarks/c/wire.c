#include "wire.h"

#include <string.h>

static const struct wire *const wires[] = { &wire_line, &wire_floor, &wire_dbus };

const struct wire *wire_named(const char *name) {
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++)
        if (!strcmp(wires[i]->name, name)) return wires[i];
    return NULL;
}

void wire_await(const struct wire *w, struct conn *c, uint32_t id) {
    uint32_t answered = 0;
    while (answered != id) {
        size_t n = w->next(c->in, c->in_length, &answered);
        if (n) conn_consume(c, n);
        else conn_read(c);
    }
}
