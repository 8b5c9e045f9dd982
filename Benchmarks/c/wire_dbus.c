/* D-Bus, little-endian, method calls without arguments to the bus itself.
 *
 * The ping is org.freedesktop.DBus.Peer.Ping: the bus answers it, no other
 * process takes part, as with CallBroker's broker.ping.
 */
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIXED_HEADER = 16,
    METHOD_CALL = 1, ERROR_REPLY = 3,
    FIELD_PATH = 1, FIELD_INTERFACE = 2, FIELD_MEMBER = 3, FIELD_REPLY_SERIAL = 5, FIELD_DESTINATION = 6,
    SERIAL_AT = 8, FIELDS_LENGTH_AT = 12,
    HELLO_SERIAL = 1,
};

static char ping_message[WIRE_REQUEST_MAX];
static size_t ping_length;

static size_t aligned(size_t n, size_t to) { return (n + to - 1) & ~(to - 1); }

static uint32_t read_u32(const char *p) {
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static void write_u32(char *p, uint32_t value) { memcpy(p, &value, sizeof value); }

/* ---- building */

/* Adds a header field holding a string ('s') or an object path ('o') at offset
 * at; returns the offset behind it.  The buffer is zero beforehand. */
static size_t add_field(char *message, size_t at, int code, char type, const char *text) {
    at = aligned(at, 8);
    message[at] = (char)code;
    message[at + 1] = 1;                /* the signature: one type, ended by a zero */
    message[at + 2] = type;
    write_u32(message + at + 4, (uint32_t)strlen(text));
    strcpy(message + at + 8, text);
    return at + 8 + strlen(text) + 1;
}

/* A call to the bus without arguments; the message must hold WIRE_REQUEST_MAX. */
static size_t build_call(char *message, uint32_t serial, const char *interface, const char *member) {
    memset(message, 0, WIRE_REQUEST_MAX);
    message[0] = 'l';
    message[1] = METHOD_CALL;
    message[3] = 1;                     /* protocol version */
    write_u32(message + SERIAL_AT, serial);
    size_t end = add_field(message, FIXED_HEADER, FIELD_PATH, 'o', "/org/freedesktop/DBus");
    end = add_field(message, end, FIELD_INTERFACE, 's', interface);
    end = add_field(message, end, FIELD_MEMBER, 's', member);
    end = add_field(message, end, FIELD_DESTINATION, 's', "org.freedesktop.DBus");
    write_u32(message + FIELDS_LENGTH_AT, (uint32_t)(end - FIXED_HEADER));
    return aligned(end, 8);
}

static size_t dbus_ping(char *out, uint32_t id) {
    if (!ping_length) ping_length = build_call(ping_message, id, "org.freedesktop.DBus.Peer", "Ping");
    memcpy(out, ping_message, ping_length);
    write_u32(out + SERIAL_AT, id);
    return ping_length;
}

/* ---- parsing */

/* The size of the header field's value at offset at, of the type given. */
static size_t value_size(const char *in, size_t at, char type) {
    switch (type) {
    case 'u': return 4;
    case 'g': return (size_t)(unsigned char)in[at] + 2;
    default:  return (size_t)read_u32(in + at) + 5;
    }
}

/* The serial the message replies to, or 0. */
static uint32_t reply_serial(const char *in, size_t fields_end) {
    size_t at = FIXED_HEADER;
    while (at + 8 <= fields_end) {
        char code = in[at], type = in[at + 2];
        if (code == FIELD_REPLY_SERIAL) return read_u32(in + at + 4);
        at = aligned(at + 4 + value_size(in, at + 4, type), 8);
    }
    return 0;
}

static size_t dbus_next(const char *in, size_t n, uint32_t *id) {
    if (n < FIXED_HEADER) return 0;
    size_t fields_end = FIXED_HEADER + read_u32(in + FIELDS_LENGTH_AT);
    size_t length = aligned(fields_end, 8) + read_u32(in + 4);
    if (n < length) return 0;
    if (in[0] != 'l') fail("dbus: not a little-endian message");
    if (in[1] == ERROR_REPLY) fail("dbus: error reply");
    *id = reply_serial(in, fields_end);
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

static void dbus_hello(struct conn *c) {
    char hello[WIRE_REQUEST_MAX];
    queue_auth(c);
    conn_flush(c);
    await_ok(c);
    conn_queue(c, "BEGIN\r\n", 7);
    conn_queue(c, hello, build_call(hello, HELLO_SERIAL, "org.freedesktop.DBus", "Hello"));
    conn_flush(c);
    wire_await(&wire_dbus, c, HELLO_SERIAL);
}

const struct wire wire_dbus = { "dbus", dbus_hello, dbus_ping, dbus_next };
