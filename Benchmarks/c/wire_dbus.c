/* D-Bus: the handshake, and method calls to the bus itself.
 *
 * The ping is org.freedesktop.DBus.Peer.Ping: the bus answers it, no other
 * process takes part, as with CallBroker's broker.ping.
 */
#include "wire_dbus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELLO_SERIAL = 1 };

static char ping_message[WIRE_REQUEST_MAX];
static size_t ping_length;

/* ---- calls to the bus */

void dbus_begin_bus_call(struct dbus_message *m, char *bytes, uint32_t serial, const char *interface,
                         const char *member) {
    memset(bytes, 0, WIRE_REQUEST_MAX);
    dbus_begin(m, bytes, DBUS_CALL, serial);
    dbus_field(m, FIELD_PATH, 'o', "/org/freedesktop/DBus");
    dbus_field(m, FIELD_INTERFACE, 's', interface);
    dbus_field(m, FIELD_MEMBER, 's', member);
    dbus_field(m, FIELD_DESTINATION, 's', "org.freedesktop.DBus");
}

void dbus_ask(struct conn *c, struct dbus_message *m) {
    conn_queue(c, m->bytes, dbus_finish(m));
    conn_flush(c);
    wire_await(&wire_dbus, c, dbus_read_u32(m->bytes + DBUS_SERIAL_AT));
}

static size_t dbus_ping(char *out, uint32_t id) {
    if (!ping_length) {
        struct dbus_message m;
        dbus_begin_bus_call(&m, ping_message, id, "org.freedesktop.DBus.Peer", "Ping");
        dbus_end_header(&m);
        ping_length = dbus_finish(&m);
    }
    memcpy(out, ping_message, ping_length);
    dbus_write_u32(out + DBUS_SERIAL_AT, id);
    return ping_length;
}

static size_t dbus_next(const char *in, size_t n, uint32_t *id) {
    size_t length = dbus_length(in, n);
    if (!length) return 0;
    if (in[1] == DBUS_ERROR) fail("dbus: error reply");
    const char *serial = in[1] == DBUS_RETURN ? dbus_find(in, FIELD_REPLY_SERIAL) : NULL;
    *id = serial ? dbus_read_u32(serial) : 0;
    return length;
}

/* ---- handshake */

/* "AUTH EXTERNAL " and our user id in decimal, each digit as two hex digits. */
static void queue_auth(struct conn *c) {
    char id[16], line[64];
    snprintf(id, sizeof id, "%u", (unsigned)getuid());
    int n = snprintf(line, sizeof line, "%cAUTH EXTERNAL ", 0);
    for (const char *p = id; *p; p++) n += sprintf(line + n, "%02x", (unsigned char)*p);
    n += sprintf(line + n, "\r\n");
    conn_queue(c, line, (size_t)n);
}

static void await_ok(struct conn *c) {
    while (!c->in_length || !memchr(c->in, '\n', c->in_length)) conn_read(c);
    if (c->in_length < 3 || memcmp(c->in, "OK ", 3)) fail("dbus: authentication refused");
    conn_consume(c, (size_t)((char *)memchr(c->in, '\n', c->in_length) + 1 - c->in));
}

void dbus_hello(struct conn *c) {
    char hello[WIRE_REQUEST_MAX];
    struct dbus_message m;
    queue_auth(c);
    conn_flush(c);
    await_ok(c);
    conn_queue(c, "BEGIN\r\n", 7);
    dbus_begin_bus_call(&m, hello, HELLO_SERIAL, "org.freedesktop.DBus", "Hello");
    dbus_end_header(&m);
    dbus_ask(c, &m);
}

const struct wire wire_dbus = { "dbus", dbus_hello, dbus_ping, dbus_next, &dbus_calls };
