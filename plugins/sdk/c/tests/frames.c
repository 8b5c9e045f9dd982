/* Frames in pieces, together, too long, odd or hostile. */
#include "scripted_broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PING "{\"id\":70,\"method\":\"broker.ping\",\"params\":{\"payload\":\"\xc3\xbc\"}}\n"
#define ASKED "\"method\":\"provider.perform\",\"params\":{\"action\":\"a\",\"kind\":\"answer\"}}"
#define PERFORM "{\"id\":71," ASKED "\r\n"
#define SESSION "\"session\":{\"session\":\"S\",\"secret\":\"s\"}}}\n"

static void check_ping(int number)
{
    const json_t *pong = read_frame(NULL);
    CHECK(json_integer_value(json_object_get(pong, "id")) == number);
    CHECK_JSON(json_object_get(pong, "result"), "{'payload': '\xc3\xbc'}");
}

static void frames_may_come_in_pieces_or_together(void)
{
    const char whole[] = "\n  \r\n" PING PERFORM PING;
    for (size_t piece = 1; piece < sizeof whole; piece++) {
        begin_provider();
        for (size_t at = 0; at < sizeof whole - 1; at += piece) {
            size_t rest = sizeof whole - 1 - at;
            send_bytes(whole + at, piece < rest ? piece : rest);
            turn();
        }
        check_ping(70);
        check_ping(70);
        CHECK_STORY("perform answer a; ");
        stop();
    }
}

static void the_last_line_needs_no_end(void)
{
    begin_provider();
    send_bytes(PERFORM, strlen(PERFORM) - 2);
    lose();
    CHECK_STORY("perform answer a; lost: 1 disconnected; ");
    stop();
}

static void odd_lines_change_nothing(void)
{
    const char *odd[] = {
        "   ", "\r", "null", "7", "\"x\"", "[]", "[[]]", "[{}]", "{}", "{'method':7}",
        "{'method':'event'}", "{'method':'event','params':[]}", "{'method':'broker.cancel'}",
        "{'method':'broker.cancel','params':{'request':{}}}",
        "{'method':'broker.cancel','params':{'request':null}}",
        "{'method':'broker.cancel','params':{'request':-1}}",
        "{'method':'broker.cancel','params':{'request':9223372036854775807}}",
        "{'method':'provider.timed_out','params':{'action':[]}}",
        "{'method':'provider.timed_out','params':{'action':''}}",
        "{'method':'broker.goodbye','params':{'reason':[],'reconnect_after_ms':'x'}}",
        "{'method':'broker.goodbye','params':{'reconnect_after_ms':-5}}",
        "{'id':null,'error':{'code':-32600}}", "{'id':1,'result':{}}", "{'id':0,'result':{}}",
        "{'id':'1','result':{}}", "{'id':true,'result':{}}", "{'id':1.0,'result':{}}",
        "{'id':-1,'error':null}", "{'id':[],'result':{}}", "{'result':{}}", "{'error':7}"};
    begin_provider();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        send_text("%s", odd[i]);
        send_bytes(PING, strlen(PING));
        check_ping(70);
        CHECK(cb_is_open(client));
    }
    stop();
}

static void odd_requests_are_refused(void)
{
    const char *odd[] = {"{'id':{},'method':'x'}", "{'id':null,'method':'x'}",
                         "{'id':'a','method':'broker.ping'}", "{'id':1.5,'method':'x'}",
                         "{'id':-1,'method':'x'}", "{'id':4294967296,'method':'x'}",
                         "{'id':5,'method':'x'}", "{'id':5,'method':'provider.perform'}",
                         "{'id':5,'method':'provider.perform','params':{'action':7}}",
                         "{'id':5,'method':'provider.execute','params':[]}"};
    begin_provider();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        send_text("%s", odd[i]);
        const json_t *answer = read_frame(NULL);
        json_int_t code =
            json_integer_value(json_object_get(json_object_get(answer, "error"), "code"));
        CHECK(code == (i < 6 ? -32600 : i == 7 || i == 8 ? -32602 : -32601));
    }
    CHECK_STORY("");
    stop();
}

static void what_is_no_json_ends_the_connection(void)
{
    const char *broken[] = {"{", "}", "\xff\xfe", "{'a':1", "NaN", "{'id':1e400}", "x"};
    begin_provider();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        send_text("%s", broken[i]);
        send_bytes(PERFORM, strlen(PERFORM));
        turn();
        CHECK_STORY("lost: 1 parse_error; ");
        accept_client();
        greet();
        CHECK_STORY("opened; ");
    }
    stop();
}

static void depth_does_no_harm(void)
{
    static char deep[60000];
    begin_provider();
    for (int i = 0; i < 2; i++) {
        memset(deep, '[', sizeof deep);
        for (size_t at = 0; i == 1 && at + 5 <= sizeof deep; at += 5)
            memcpy(deep + at, "{\"a\":", 5);
        deep[sizeof deep - 1] = '\n';
        send_bytes(deep, sizeof deep);
        turn();
        CHECK_STORY("lost: 1 parse_error; ");
        accept_client();
        greet();
        CHECK_STORY("opened; ");
    }
    stop();
}

/* A request of the broker of exactly this length, line feed included. */
static void send_long(size_t length)
{
    const char *head = "{\"id\":9,\"method\":\"x\",\"params\":{\"a\":\"", *tail = "\"}}\n";
    char *line = malloc(length);
    memset(line, 'x', length);
    memcpy(line, head, strlen(head));
    memcpy(line + length - strlen(tail), tail, strlen(tail));
    send_bytes(line, length);
    free(line);
}

static void a_frame_that_is_too_long_ends_the_connection(void)
{
    begin_provider();
    send_long(65536);
    CHECK(json_object_get(read_frame(NULL), "error"));
    send_long(65537);
    for (int i = 0; i < 4; i++)
        turn();
    CHECK_STORY("lost: 1 frame_bytes; ");
    stop();
    cb_options options = provider_options();
    options.frame_bytes = 1 << 20;
    start(options);
    accept_client();
    greet();
    send_long(1 << 20);
    CHECK(json_object_get(read_frame(NULL), "error"));
    stop();
}

static void lost_at_each_byte(void)
{
    const char hello[] = "{\"id\":1,\"result\":{" SESSION;
    start(provider_options());
    for (size_t cut = 0; cut < sizeof hello; cut++) {
        accept_client();
        json_int_t id = json_integer_value(json_object_get(read_frame("broker.hello"), "id"));
        char line[128];
        int length = snprintf(line, sizeof line, "{\"id\":%d%s", (int)id, hello + 7);
        send_bytes(line, cut < (size_t)length ? cut : (size_t)length);
        lose();
        CHECK(!cb_is_open(client));
    }
    CHECK(cb_descriptor(client) < 0);
    accept_client();
    greet();
    CHECK(cb_is_open(client));
    stop();
}

/* Frames with a few bytes changed, deleted or doubled, again and again. */
static void mangled_lines_do_no_harm(void)
{
    static const char *const seeds[] = {
        PERFORM, "{\"id\":1,\"result\":{\"dropped\":[\"x\"]," SESSION,
        "{\"method\":\"broker.cancel\",\"params\":{\"request\":2}}\n", PING};
    unsigned seed = (unsigned)cb_now_ms();
    printf("seed %u\n", seed);
    srand(seed);
    begin_provider();
    for (int i = 0; i < 5000; i++) {
        char line[160] = "";
        strcpy(line, seeds[rand() % 4]);
        for (int changes = rand() % 4; changes >= 0; changes--) {
            size_t at = (size_t)rand() % (strlen(line) + 1);
            if (rand() % 3 == 0 && line[at])
                memmove(line + at, line + at + 1, strlen(line + at));
            else
                line[at] = (char)rand();
        }
        send_bytes(line, strlen(line));
        turn();
        if (cb_descriptor(client) < 0)
            accept_client();
        read_rest();
    }
    stop();
}

void frame_tests(void)
{
    mangled_lines_do_no_harm();
    frames_may_come_in_pieces_or_together();
    the_last_line_needs_no_end();
    odd_lines_change_nothing();
    odd_requests_are_refused();
    what_is_no_json_ends_the_connection();
    depth_does_no_harm();
    a_frame_that_is_too_long_ends_the_connection();
    lost_at_each_byte();
}
