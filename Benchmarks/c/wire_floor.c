/* The floor's own part of the protocol: pings are CallBroker's, a transaction is
 * lines of the same lengths that nobody parses.
 */
#include "wire_line.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = ID_AT + ID_DIGITS };

static struct scene scene;
static char request_line[WIRE_MESSAGE_MAX], answer_line[WIRE_MESSAGE_MAX];

static size_t fill(char *line, size_t length) {
    memset(line, ' ', WIRE_MESSAGE_MAX);
    memcpy(line, LINE_HEAD, ID_AT);
    line[length - 1] = '\n';
    return length;
}

static void set_up(const struct scene *s) {
    scene = *s;
    if (scene.sizes.answer <= HEAD) scene.sizes.answer = HEAD + 1;
    fill(request_line, scene.sizes.request);
    fill(answer_line, scene.sizes.answer);
}

/* The floor returns the line that names the role. */
static void join(struct conn *c, const char *role) {
    char line[128];
    uint32_t id;
    int n = snprintf(line, sizeof line, "floor %s %zu %zu %zu %zu\n", role, scene.sizes.perform,
                     scene.sizes.pending, scene.sizes.result, scene.sizes.event);
    conn_queue(c, line, (size_t)n);
    conn_flush(c);
    while (!line_next(c->in, c->in_length, &id)) conn_read(c);
    conn_consume(c, (size_t)n);
}

static void provide(struct conn *c, int number) {
    (void)number;
    join(c, "provider");
}

static void observe(struct conn *c) { join(c, "observer"); }

static void control(struct conn *c) { join(c, "controller"); }

static size_t request(char *out, uint32_t id, int call, bool muted) {
    (void)call;
    (void)muted;
    memcpy(out, request_line, scene.sizes.request);
    line_put_id(out, id);
    return scene.sizes.request;
}

static size_t answer(char *out, const char *message, size_t n) {
    if (n <= HEAD) return 0;
    memcpy(out, answer_line, scene.sizes.answer);
    memcpy(out + ID_AT, message + ID_AT, ID_DIGITS);
    return scene.sizes.answer;
}

static const struct calls_wire floor_calls = { set_up, provide, observe, control, request, answer };

const struct wire wire_floor = { "floor", line_hello, line_ping, line_next, &floor_calls };
