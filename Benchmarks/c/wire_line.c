/* CallBroker's protocol: JSON-RPC 2.0, one compact JSON text per line. */
#include "wire_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK_ID 1

static const char hello_line[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"broker.hello\",\"params\":{"
    "\"protocol\":{\"min\":1,\"max\":1},"
    "\"client\":{\"name\":\"load\",\"version\":\"1\"},"
    "\"roles\":[\"controller\"]}}\n";

/* As long as the D-Bus ping: 136 bytes with the line feed. */
static const char ping_line[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1000000000,\"method\":\"broker.ping\",\"params\":{"
    "\"payload\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456\"}}\n";

enum { PING_LENGTH = sizeof ping_line - 1 };

_Static_assert(PING_LENGTH == 136, "the ping has the length of the D-Bus ping");
_Static_assert(sizeof ping_line <= WIRE_REQUEST_MAX, "the ping fits");

void line_put_id(char *line, uint32_t id) {
    for (int i = ID_DIGITS - 1; i >= 0; i--, id /= 10) line[ID_AT + i] = (char)('0' + id % 10);
}

void line_ask(struct conn *c, const char *line, size_t n) {
    conn_queue(c, line, n);
    conn_flush(c);
    wire_await(&wire_line, c, ASK_ID);
}

void line_hello(struct conn *c) { line_ask(c, hello_line, sizeof hello_line - 1); }

size_t line_ping(char *out, uint32_t id) {
    memcpy(out, ping_line, PING_LENGTH);
    line_put_id(out, id);
    return PING_LENGTH;
}

/* Members come in a fixed order: an error stands right behind the id. */
static void refuse_error(const char *line, const char *behind_id, const char *end) {
    if (end - behind_id < 8 || memcmp(behind_id, ",\"error\"", 8)) return;
    fprintf(stderr, "load: error reply: %.*s\n", (int)(end - line), line);
    exit(1);
}

/* A line without an id (a notification) counts as no answer.  The floor returns
 * our own line, so "result" is not asked for; the echo of an id is enough. */
size_t line_next(const char *in, size_t n, uint32_t *id) {
    const char *newline = n ? memchr(in, '\n', n) : NULL;
    if (!newline) return 0;
    *id = 0;
    if (newline - in > ID_AT && !memcmp(in, LINE_HEAD, ID_AT)) {
        const char *p = in + ID_AT;
        for (; p < newline && *p >= '0' && *p <= '9'; p++) *id = *id * 10 + (uint32_t)(*p - '0');
        if (*p == 'n') p += 4;          /* null: an answer to what could not be read */
        refuse_error(in, p, newline);
    }
    return (size_t)(newline - in) + 1;
}

const struct wire wire_line = { "line", line_hello, line_ping, line_next, &line_calls };
