/* CallBroker's protocol: JSON-RPC 2.0, one compact JSON text per line. */
#define _GNU_SOURCE
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELLO_ID 1

static const char hello_line[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"broker.hello\",\"params\":{"
    "\"protocol\":{\"min\":1,\"max\":1},"
    "\"client\":{\"name\":\"load\",\"version\":\"1\"},"
    "\"roles\":[\"controller\"]}}\n";

/* As long as the D-Bus ping: 136 bytes with the line feed. */
static const char ping_line[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1000000000,\"method\":\"broker.ping\",\"params\":{"
    "\"payload\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456\"}}\n";

enum { PING_LENGTH = sizeof ping_line - 1, ID_AT = sizeof "{\"jsonrpc\":\"2.0\",\"id\":" - 1, ID_DIGITS = 10 };

_Static_assert(PING_LENGTH == 136, "the ping has the length of the D-Bus ping");
_Static_assert(sizeof ping_line <= WIRE_REQUEST_MAX, "the ping fits");

static void line_hello(struct conn *c) {
    conn_queue(c, hello_line, sizeof hello_line - 1);
    conn_flush(c);
    wire_await(&wire_line, c, HELLO_ID);
}

static size_t line_ping(char *out, uint32_t id) {
    memcpy(out, ping_line, PING_LENGTH);
    for (int i = ID_DIGITS - 1; i >= 0; i--, id /= 10) out[ID_AT + i] = (char)('0' + id % 10);
    return PING_LENGTH;
}

static uint32_t digits(const char *p, const char *end) {
    uint32_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) value = value * 10 + (uint32_t)(*p - '0');
    return value;
}

static void refuse_error(const char *line, size_t n) {
    if (!memmem(line, n, "\"error\":", 8)) return;
    fprintf(stderr, "load: error reply: %.*s\n", (int)n, line);
    exit(1);
}

/* A line without an id (a notification) counts as no answer.  The floor returns
 * our own line, so "result" is not asked for; the echo of an id is enough. */
static size_t line_next(const char *in, size_t n, uint32_t *id) {
    const char *newline = n ? memchr(in, '\n', n) : NULL;
    if (!newline) return 0;
    size_t length = (size_t)(newline - in);
    refuse_error(in, length);
    const char *key = memmem(in, length, "\"id\":", 5);
    *id = key ? digits(key + 5, newline) : 0;
    return length + 1;
}

const struct wire wire_line = { "line", line_hello, line_ping, line_next };
