/* CallBroker's transaction: call.set_muted, then provider.perform to the provider
 * that holds the call, its answer, the event call.changed, the result.
 */
#include "wire_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 200, PAGE_BYTES = 65536 };        /* calls per registration; well within a frame */

#define CALL_FORMAT "%08x-0000-4000-8000-%012x"

static const char request_format[] =
    LINE_HEAD "1000000000,\"method\":\"call.set_muted\",\"params\":{"
    "\"call\":\"" CALL_FORMAT "\",\"muted\":false,\"wait\":\"completed\"}}\n";

static struct scene scene;
static char request_line[WIRE_MESSAGE_MAX];
static size_t request_length, call_at, muted_at;

static void set_up(const struct scene *s) {
    scene = *s;
    request_length = (size_t)snprintf(request_line, sizeof request_line, request_format, scene.run, 0);
    call_at = (size_t)(strstr(request_line, "\"call\":\"") + 8 - request_line) + 24;
    muted_at = (size_t)(strstr(request_line, "\"muted\":") + 8 - request_line);
}

static void say_hello(struct conn *c, const char *role, const char *more) {
    char line[512];
    int n = snprintf(line, sizeof line,
                     LINE_HEAD "1,\"method\":\"broker.hello\",\"params\":{\"protocol\":{\"min\":1,\"max\":1},"
                     "\"client\":{\"name\":\"load\",\"version\":\"1\"},\"roles\":[\"%s\"]%s}}\n", role, more);
    line_ask(c, line, (size_t)n);
}

/* ---- providers */

/* One page of a registration: the provider's calls from number `first` on. */
static int write_page(char *line, int number, int first, int *next) {
    int n = sprintf(line, LINE_HEAD "1,\"method\":\"provider.register\",\"params\":{\"display_name\":\"Phone %d\","
                    "\"handle_types\":[\"phone\"],\"max_call_groups\":1000000,\"resume_when_freed\":false,\"calls\":[",
                    number);
    int count = 0;
    for (*next = first; *next < scene.calls && count < PAGE; *next += scene.providers, count++)
        n += sprintf(line + n, "%s{\"call\":\"" CALL_FORMAT "\",\"direction\":\"incoming\",\"state\":\"held\","
                     "\"remote\":{\"type\":\"phone\",\"value\":\"+1555%07d\"}}", count ? "," : "", scene.run, *next, *next);
    return n + sprintf(line + n, "],\"more\":%s}}\n", *next < scene.calls ? "true" : "false");
}

static void provide(struct conn *c, int number) {
    char identity[128], *line = malloc(PAGE_BYTES);
    if (!line) fail_errno("malloc");
    snprintf(identity, sizeof identity, ",\"identity\":\"org.example.r%08x.p%02d\"", scene.run, number);
    say_hello(c, "provider", identity);
    int next = number;
    do line_ask(c, line, (size_t)write_page(line, number, next, &next));
    while (next < scene.calls);
    free(line);
}

/* The broker numbers its requests to us; the answer has the same number. */
static size_t answer(char *out, const char *message, size_t n) {
    static const char tail[] = ",\"result\":{}}\n";
    if (n <= ID_AT || memcmp(message, LINE_HEAD, ID_AT)) return 0;
    size_t end = ID_AT;
    while (message[end] >= '0' && message[end] <= '9') end++;
    memcpy(out, message, end);
    memcpy(out + end, tail, sizeof tail - 1);
    return end + sizeof tail - 1;
}

/* ---- observers and controllers */

static void observe(struct conn *c) {
    char line[256];
    say_hello(c, "observer", "");
    int n = snprintf(line, sizeof line, LINE_HEAD "1,\"method\":\"events.subscribe\",\"params\":{"
                     "\"topics\":[\"%s\"],\"snapshot\":false%s}}\n", scene.topic,
                     scene.changes ? ",\"detail\":\"changes\"" : "");
    line_ask(c, line, (size_t)n);
}

static void control(struct conn *c) { say_hello(c, "controller", ""); }

static size_t request(char *out, uint32_t id, int call, bool muted) {
    static const char digits[] = "0123456789abcdef";
    memcpy(out, request_line, request_length);
    line_put_id(out, id);
    for (int i = 11; i >= 0; i--, call >>= 4) out[call_at + (size_t)i] = digits[call & 15];
    if (muted) memcpy(out + muted_at, "true ", 5);      /* blanks are allowed there */
    return request_length;
}

const struct calls_wire line_calls = { set_up, provide, observe, control, request, answer };
