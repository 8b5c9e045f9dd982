#include "load.h"

#include <stdio.h>

void mode_probe(const struct options *o) {
    struct conn c;
    conn_dial(&c, o->socket);
    o->wire->hello(&c);
    c.out_length += o->wire->ping(conn_reserve(&c, WIRE_REQUEST_MAX), WIRE_FIRST_ID);
    conn_flush(&c);
    wire_await(o->wire, &c, WIRE_FIRST_ID);
    puts("ready=1");
}
