/* Requests, their replies, and what cannot be sent. */
#include "scripted_broker.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

static int64_t ask(char *name)
{
    return cb_request(client, "broker.ping", json_pack("{s:s}", "payload", name), replied, name);
}

static void replies_may_overtake_each_other_and_count_once(void)
{
    begin_controller();
    int64_t first = ask("first"), second = ask("second");
    CHECK(first > 0 && second == first + 1);
    CHECK(cb_events(client) == (POLLIN | POLLOUT));
    CHECK_JSON(json_object_get(read_frame("broker.ping"), "params"), "{'payload': 'first'}");
    CHECK(cb_events(client) == POLLIN);
    read_frame("broker.ping");
    send_text("{'id': %d, 'result': {'x': 0}}", (int)second + 1);
    send_text("{'id': '%d', 'result': {'x': 0}}", (int)second);
    send_text("{'id': %d, 'result': {'seq': 2, 'x_new': {}}}", (int)second);
    send_text("{'id': %d, 'error': {'code': -32004, 'data': {'reason': 'unknown_call'}}}",
              (int)first);
    send_text("{'id': %d, 'result': {}}", (int)first);
    turn();
    CHECK_STORY("second: {\"seq\":2,\"x_new\":{}}; first: -32004 unknown_call; ");
    stop();
}

static void show(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(!result);
    note("%d %s %s %s", error->code, error->reason, error->message, error->data ? "data" : "none");
}

static void errors_of_any_shape_are_errors(void)
{
    const char *shapes[] = {
        "null", "[]", "7", "{}", "{'code': 'x'}", "{'code': 5, 'data': []}",
        "{'code': -99999999999}", "{'code': -32004, 'message': null, 'data': null}",
        "{'code': -32006, 'message': 'no', 'data': {'reason': 'busy', 'rule': '4'}}"};
    begin_controller();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int64_t number = cb_request(client, "call.list", NULL, show, NULL);
        send_text("{'id': %d, 'error': %s}", (int)number, shapes[i]);
        turn();
        CHECK_STORY(i < 7    ? "-32000   none; "
                    : i == 7 ? "-32004   none; "
                             : "-32006 busy no data; ");
    }
    stop();
}

static void time_out_and_cancel(void)
{
    cb_options options = controller_options();
    options.request_timeout_ms = 500;
    start(options);
    accept_client();
    greet();
    CHECK_STORY("opened; ");
    int64_t late = ask("late");
    read_frame("broker.ping");
    CHECK(cb_deadline_ms(client) == now + 500);
    now += 499;
    turn();
    CHECK_STORY("");
    now++;
    turn();
    CHECK_STORY("late: 2 timed_out; ");
    CHECK_JSON(json_object_get(read_frame("broker.cancel"), "params"), "{'request': 2}");
    CHECK(late == 2 && cb_cancel(client, late) == -ENOENT && cb_cancel(client, 0) == -ENOENT);
    int64_t unwanted = ask("unwanted");
    CHECK(cb_cancel(client, unwanted) == 0);
    read_frame("broker.ping");
    CHECK_JSON(json_object_get(read_frame("broker.cancel"), "params"), "{'request': 3}");
    send_text("{'id': 2, 'result': {}}");
    send_text("{'id': 3, 'error': {'code': -32010, 'data': {'reason': 'cancelled'}}}");
    turn();
    CHECK_STORY("unwanted: -32010 cancelled; ");
    stop();
}

static void no_more_is_asked_than_the_broker_takes(void)
{
    begin_controller();
    for (int i = 0; i < 64; i++)
        CHECK(ask("one") > 0);
    CHECK(ask("more") == -EAGAIN);
    CHECK(cb_notify(client, "broker.log", NULL) == 0);
    read_frame("broker.ping");
    send_text("{'id': 2, 'result': {}}");
    turn();
    CHECK_STORY("one: {}; ");
    CHECK(ask("more") > 0 && ask("more") == -EAGAIN);
    stop();
}

static char *text(size_t length, char with)
{
    static char bytes[70000];
    memset(bytes, with, length);
    bytes[length] = '\0';
    return bytes;
}

static void what_the_broker_would_not_take_is_not_sent(void)
{
    begin_controller();
    CHECK(ask(text(65536, 'x')) == -EMSGSIZE);
    CHECK(cb_request(client, NULL, NULL, replied, "x") == -EINVAL);
    CHECK(cb_request(client, "\xff", NULL, replied, "x") == -EINVAL);
    CHECK(cb_request(client, "call.end", json_array(), replied, "x") == -EINVAL);
    CHECK(cb_notify(client, "broker.log", json_true()) == -EINVAL);
    CHECK(cb_report_connected(client, NULL, 0, replied, "x") == -EINVAL);
    CHECK(cb_report_connected(client, "\xff", 0, replied, "x") == -EINVAL);
    CHECK(cb_report_update(client, CALL, json_true(), replied, "x") == -EINVAL);
    CHECK(cb_report_ended(client, CALL, (cb_end_reason)6, 0, replied, "x") == -EINVAL);
    CHECK(cb_report_ended(client, CALL, (cb_end_reason)0, 0, replied, "x") == -EINVAL);
    CHECK_STORY("");
    CHECK(strcmp(read_rest(), "") == 0);
    stop();
}

/* The socket and the output fill up; what was taken arrives whole, once somebody reads. */
static void a_broker_that_does_not_read_is_waited_for(void)
{
    begin_controller();
    int sent = 0, status;
    while ((status = cb_notify(client, "broker.log",
                               json_pack("{s:s}", "message", text(60000, 'x')))) == 0) {
        turn();
        sent++;
    }
    CHECK(status == -EAGAIN && sent > 4 && cb_is_open(client));
    CHECK(cb_events(client) == (POLLIN | POLLOUT));
    for (int i = 0; i < sent; i++)
        read_frame("broker.log");
    CHECK(cb_events(client) == POLLIN && ask("more") > 0);
    read_frame("broker.ping");
    stop();
}

void request_tests(void)
{
    replies_may_overtake_each_other_and_count_once();
    errors_of_any_shape_are_errors();
    time_out_and_cancel();
    no_more_is_asked_than_the_broker_takes();
    what_the_broker_would_not_take_is_not_sent();
    a_broker_that_does_not_read_is_waited_for();
}
