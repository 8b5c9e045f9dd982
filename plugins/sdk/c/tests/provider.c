/* What a provider does with actions, transactions and calls that live. */
#include "scripted_broker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static void ask_to_perform(int number, const char *action, int attempt)
{
    send_text("{'id': %d, 'method': 'provider.perform', 'params': {'action': '%s', 'kind':"
              " 'set_held', 'call': '" CALL "', 'arguments': {'held': true}, 'transaction': '" OTHER
              "', 'cause': {'origin': 'user'}, 'deadline_ms': 5000, 'attempt': %d, 'x_new': 1}}",
              number, action, attempt);
    turn();
}

static void check_answer(int number, const char *member, const char *value)
{
    const json_t *answer = read_frame(NULL);
    CHECK(json_integer_value(json_object_get(answer, "id")) == number);
    CHECK_JSON(json_object_get(answer, member), value);
    CHECK(json_object_size(answer) == 3);
}

static void look_closely(cb_client *told, const cb_action *action, void *context)
{
    (void)told, (void)context;
    CHECK_JSON(action->arguments, "{'held': true}");
    CHECK_JSON(action->cause, "{'origin': 'user'}");
    CHECK(strcmp(action->call, CALL) == 0 && strcmp(action->transaction, OTHER) == 0);
    CHECK(action->deadline_ms == 5000 && action->attempt == 3);
    CHECK(strcmp(action->kind, "set_held") == 0);
    CHECK(cb_fulfil(client, action->id, 0) == 0);
}

static void an_action_is_answered_at_once(void)
{
    cb_options options = provider_options();
    options.handlers.perform = look_closely;
    start(options);
    accept_client();
    greet();
    ask_to_perform(7, ACTION, 3);
    check_answer(7, "result", "{}");
    stop();
}

static void an_action_is_answered_later_and_once(void)
{
    begin_provider();
    ask_to_perform(7, "one", 1);
    ask_to_perform(8, "two", 1);
    CHECK_STORY("perform set_held one; perform set_held two; ");
    CHECK(cb_fail(client, "two", CB_BROKER_ERROR, "remote_refused", "far end refused") == 0);
    CHECK(cb_fulfil(client, "one", 1763712000000) == 0);
    check_answer(8, "error", "{'code': -32000, 'message': 'far end refused', 'data': {'reason':"
                             " 'remote_refused'}}");
    check_answer(7, "result", "{'at_ms': 1763712000000}");
    CHECK(cb_fulfil(client, "one", 0) == -EALREADY && cb_fulfil(client, "three", 0) == -ENOENT);
    CHECK(cb_fail(client, "one", -1, "x", "x") == -EALREADY && cb_fulfil(client, "", 0) == -ENOENT);
    CHECK(strcmp(read_rest(), "") == 0);
    stop();
}

static void fails(const char *action, cb_end_detail why, const char *error)
{
    ask_to_perform(7, action, 1);
    CHECK(cb_fail_because(client, action, &why) == 0);
    check_answer(7, "error", error);
}

static void an_action_fails_with_what_the_app_knows(void)
{
    begin_provider();
    fails("all", (cb_end_detail){"busy", "Busy Here", "SIP 486"},
          "{'code': -32000, 'message': 'Busy Here', 'data': {'reason': 'busy', 'app_code':"
          " 'SIP 486'}}");
    fails("code", (cb_end_detail){NULL, NULL, "Q.850 1"},
          "{'code': -32000, 'message': '', 'data': {'app_code': 'Q.850 1'}}");
    fails("reason", (cb_end_detail){"busy", NULL, NULL},
          "{'code': -32000, 'message': '', 'data': {'reason': 'busy'}}");
    ask_to_perform(7, "plain", 1);
    CHECK(cb_fail(client, "plain", CB_BROKER_ERROR, "no_route", NULL) == 0);
    check_answer(7, "error", "{'code': -32000, 'message': '', 'data': {'reason': 'no_route'}}");
    fails("nothing", (cb_end_detail){NULL, NULL, NULL},
          "{'code': -32000, 'message': '', 'data': {}}");
    const cb_end_detail bad = {NULL, "\xff", NULL};
    ask_to_perform(8, "last", 1);
    CHECK(cb_fail_because(client, "last", &bad) == -EINVAL);
    CHECK(cb_fail_because(client, "all", &bad) == -EALREADY);
    CHECK(cb_fail_because(client, "none", &bad) == -ENOENT);
    stop();
}

static void check_report(const char *method, const char *params)
{
    CHECK_JSON(json_object_get(read_frame(method), "params"), params);
}

static void how_far_a_call_came_and_why_it_ended_is_reported(void)
{
    const cb_end_detail detail = {NULL, "Busy Here", "SIP 486"}, nothing = {NULL, NULL, NULL};
    begin_provider();
    CHECK(cb_report_alerting(client, "a", -1, 0, replied, "x") > 0);
    CHECK(cb_report_alerting(client, "a", 0, 0, replied, "x") > 0);
    CHECK(cb_report_alerting(client, "a", 1, 9, replied, "x") > 0);
    CHECK(cb_report_video_request(client, "a", "both", 0, replied, "x") > 0);
    CHECK(cb_report_video_request(client, "a", NULL, 9, replied, "x") > 0);
    CHECK(cb_report_text_request(client, "a", true, 0, replied, "x") > 0);
    CHECK(cb_report_text_request(client, "a", false, 9, replied, "x") > 0);
    CHECK(cb_report_text(client, "a", "hel", replied, "x") > 0);
    CHECK(cb_report_quality(client, "a", 12, -1, 45, replied, "x") > 0);
    check_report("call.report_alerting", "{'call': 'a'}");
    check_report("call.report_alerting", "{'call': 'a', 'has_early_media': false}");
    check_report("call.report_alerting", "{'call': 'a', 'has_early_media': true, 'at_ms': 9}");
    check_report("call.report_video_request", "{'call': 'a', 'video': 'both'}");
    check_report("call.report_video_request", "{'call': 'a', 'video': null, 'at_ms': 9}");
    check_report("call.report_text_request", "{'call': 'a', 'requested': true}");
    check_report("call.report_text_request", "{'call': 'a', 'requested': false, 'at_ms': 9}");
    check_report("call.report_text", "{'call': 'a', 'text': 'hel'}");
    check_report("call.report_quality",
                 "{'call': 'a', 'loss_permille': 12, 'round_trip_ms': 45}");
    CHECK(cb_report_participants(client, "a", json_pack("[{s:s, s:b}]", "participant", "7", "muted", 1), NULL,
                                 true, replied, "x") > 0);
    CHECK(cb_report_participants(client, "a", NULL, json_pack("[s]", "7"), false, replied, "x") > 0);
    check_report("call.report_participants",
                 "{'call': 'a', 'changed': [{'participant': '7', 'muted': true}], 'replace': true}");
    check_report("call.report_participants", "{'call': 'a', 'removed': ['7']}");
    CHECK(cb_report_ended_because(client, "a", CB_REMOTE_ENDED, &detail, 9, replied, "x") > 0);
    CHECK(cb_report_ended_because(client, "a", CB_FAILED, &nothing, 0, replied, "x") > 0);
    CHECK(cb_report_ended_because(client, "a", CB_FAILED, NULL, 0, replied, "x") > 0);
    check_report("call.report_ended",
                 "{'call': 'a', 'reason': 'remote_ended', 'at_ms': 9, 'end_detail': {'text':"
                 " 'Busy Here', 'code': 'SIP 486'}}");
    check_report("call.report_ended", "{'call': 'a', 'reason': 'failed'}");
    check_report("call.report_ended", "{'call': 'a', 'reason': 'failed'}");
    CHECK(cb_report_ended_elsewhere(client, "a", CB_FAILED, "Tablet", 0, replied, "x") == -EINVAL);
    CHECK(cb_report_ended_elsewhere(client, "a", CB_ANSWERED_ELSEWHERE, "Kitchen phone", 0, replied,
                                    "x") > 0);
    check_report("call.report_ended",
                 "{'call': 'a', 'reason': 'answered_elsewhere', 'elsewhere': 'Kitchen phone'}");
    CHECK(cb_report_external(client, "b", true, 9, json_pack("{s:s}", "elsewhere", "Tablet"),
                             replied, "x") > 0);
    check_report("call.report_external",
                 "{'call': 'b', 'direction': 'outgoing', 'elsewhere': 'Tablet', 'at_ms': 9}");
    stop();
}

static void an_outcome_that_cannot_be_written_is_refused(void)
{
    static char text[70000];
    memset(text, 'x', sizeof text - 1);
    begin_provider();
    ask_to_perform(7, ACTION, 1);
    CHECK(cb_fail(client, ACTION, -1, NULL, "x") == -EINVAL);
    CHECK(cb_fail(client, ACTION, -1, "x", "\xff") == -EINVAL);
    CHECK(cb_fail(client, ACTION, -1, "x", text) == 0);
    check_answer(7, "error", "{'code': -32603, 'message': 'the answer is too long to be sent',"
                             " 'data': {'reason': 'frame_bytes'}}");
    stop();
}

static void without_a_handler_nothing_is_supported(void)
{
    cb_options options = provider_options();
    options.handlers.perform = NULL;
    start(options);
    accept_client();
    greet();
    ask_to_perform(7, ACTION, 1);
    check_answer(7, "error", "{'code': -32601, 'message': 'not_supported', 'data': {'reason':"
                             " 'not_supported'}}");
    stop();
}

static void a_repeated_action_is_done_once_and_answered_twice(void)
{
    begin_provider();
    ask_to_perform(7, ACTION, 1);
    ask_to_perform(8, ACTION, 2);
    CHECK_STORY("perform set_held " ACTION "; ");
    CHECK(cb_fulfil(client, ACTION, 5) == 0);
    check_answer(8, "result", "{'at_ms': 5}");
    ask_to_perform(9, ACTION, 3);
    CHECK_STORY("");
    check_answer(9, "result", "{'at_ms': 5}");
    stop();
}

static void an_action_outlives_the_connection(void)
{
    begin_provider();
    ask_to_perform(7, "settled away", 1);
    ask_to_perform(8, "settled later", 1);
    lose();
    CHECK(cb_fulfil(client, "settled away", 0) == 0);
    accept_client();
    greet();
    CHECK(strcmp(read_rest(), "") == 0);
    ask_to_perform(7, "settled later", 2);
    ask_to_perform(8, "settled away", 2);
    CHECK(cb_fulfil(client, "settled later", 9) == 0);
    check_answer(8, "result", "{}");
    check_answer(7, "result", "{'at_ms': 9}");
    CHECK_STORY("perform set_held settled away; perform set_held settled later; "
                "lost: 1 disconnected; opened; ");
    stop();
}

static void an_action_is_withdrawn_once(void)
{
    begin_provider();
    ask_to_perform(7, ACTION, 1);
    send_text("{'method': 'broker.cancel', 'params': {'request': 8}}");
    send_text("{'method': 'broker.cancel', 'params': {'request': 7}}");
    send_text("{'method': 'provider.timed_out', 'params': {'action': '" ACTION "'}}");
    turn();
    CHECK_STORY("perform set_held " ACTION "; withdrawn " ACTION "; told provider.timed_out; ");
    CHECK(cb_fail(client, ACTION, CB_CANCELLED, "cancelled", NULL) == 0);
    check_answer(7, "error", "{'code': -32010, 'message': 'cancelled', 'data': {'reason':"
                             " 'cancelled'}}");
    stop();
}

static void only_the_newest_outcomes_are_remembered(void)
{
    char id[16];
    begin_provider();
    for (int i = 0; i < 100; i++) {
        snprintf(id, sizeof id, "a%d", i);
        ask_to_perform(i, id, 1);
        CHECK(cb_fulfil(client, id, i) == 0);
        read_frame(NULL);
    }
    CHECK(cb_fulfil(client, "a36", 0) == -EALREADY && cb_fulfil(client, "a35", 0) == -ENOENT);
    stop();
}

static void too_many_open_actions_are_refused(void)
{
    char id[16];
    begin_provider();
    for (int i = 0; i < 65; i++) {
        snprintf(id, sizeof id, "a%d", i);
        ask_to_perform(i, id, 1);
    }
    check_answer(64, "error", "{'code': -32012, 'message': 'too many actions are open', 'data':"
                              " {'reason': 'pending'}}");
    CHECK(cb_fulfil(client, "a0", 0) == 0);
    check_answer(0, "result", "{}");
    ask_to_perform(65, "a65", 1);
    CHECK(cb_fulfil(client, "a65", 0) == 0);
    check_answer(65, "result", "{}");
    stop();
}

static void progress_is_told(void)
{
    begin_provider();
    ask_to_perform(7, ACTION, 1);
    CHECK(cb_report_progress(client, ACTION, "ringing", 10, "soon", 5000) == 0);
    CHECK_JSON(json_object_get(read_frame("broker.progress"), "params"),
               "{'request': 7, 'phase': 'ringing', 'percent': 10, 'message': 'soon',"
               " 'extend_ms': 5000}");
    CHECK(cb_report_progress(client, ACTION, NULL, -1, NULL, 0) == 0);
    CHECK_JSON(json_object_get(read_frame("broker.progress"), "params"), "{'request': 7}");
    lose();
    CHECK(cb_report_progress(client, ACTION, NULL, -1, NULL, 0) == -ENOTCONN);
    CHECK(cb_fulfil(client, ACTION, 0) == 0);
    CHECK(cb_report_progress(client, ACTION, NULL, -1, NULL, 0) == -EALREADY);
    stop();
}

/* ---- Calls that live */

static json_t *live;

static json_t *live_calls(cb_client *told, void *context)
{
    (void)told, (void)context;
    note("live calls");
    return json_incref(live);
}

/* A provider that has these calls, when hello is answered. */
static void begin_with_calls(json_t *calls)
{
    cb_options options = provider_options();
    options.handlers.live_calls = live_calls;
    live = calls;
    start(options);
    accept_client();
    reply(read_frame("broker.hello"), "{}");
}

static json_t *numbered_calls(int count)
{
    json_t *calls = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(calls, json_pack("{s:i}", "call", i));
    return calls;
}

static void live_calls_are_told_in_pages(void)
{
    begin_with_calls(numbered_calls(70));
    const size_t sizes[] = {32, 32, 6};
    for (int i = 0; i < 3; i++) {
        const json_t *page = read_frame("provider.register");
        const json_t *params = json_object_get(page, "params");
        const json_t *calls = json_object_get(params, "calls");
        CHECK(json_array_size(calls) == sizes[i]);
        CHECK(json_integer_value(json_object_get(json_array_get(calls, 0), "call")) == i * 32);
        CHECK(json_is_true(json_object_get(params, "more")) == (i < 2));
        reply(page, i == 1 ? "{'dropped': ['x', 7, 'y']}" : "{'dropped': []}");
    }
    turn();
    CHECK_STORY("live calls; dropped x; dropped y; opened; ");
    CHECK(json_array_size(live) == 70);
    json_array_clear(live);
    json_array_append_new(live, json_object());
    lose();
    accept_client();
    reply(read_frame("broker.hello"), "{}");
    CHECK_JSON(json_object_get(json_object_get(read_frame("provider.register"), "params"), "calls"),
               "[{}]");
    stop();
    json_decref(live);
}

/* Neither in the list, which was asked for before, nor after `opened`: between all pages and it. */
static void what_happens_behind_the_list_is_told_when_the_session_is_open(void)
{
    cb_options options = provider_options();
    options.handlers.live_calls = live_calls;
    live = numbered_calls(33);
    start(options);
    accept_client();
    CHECK(cb_report_ended(client, CALL, CB_FAILED, 0, replied, "before") == -ENOTCONN);
    reply(read_frame("broker.hello"), "{}");
    const json_t *page = read_frame("provider.register");
    CHECK(cb_report_incoming(client, CALL, cb_phone("1"), NULL, replied, "rings") > 0);
    CHECK(cb_report_ended(client, CALL, CB_REMOTE_ENDED, 0, replied, "ended") > 0);
    CHECK(cb_events(client) == POLLIN && !*read_rest());
    reply(page, "{'dropped': []}");
    ask_to_perform(7, ACTION, 1);
    CHECK(cb_fulfil(client, ACTION, 0) == 0);
    page = read_frame("provider.register");
    CHECK(!json_object_get(json_object_get(page, "params"), "more"));
    json_t *last = json_deep_copy(page);
    check_answer(7, "result", "{}");
    CHECK(!*read_rest());
    reply(last, "{'dropped': []}");
    json_decref(last);
    reply(read_frame("call.report_incoming"), "{'state': 'ringing'}");
    reply(read_frame("call.report_ended"), "{}");
    turn();
    CHECK_STORY("live calls; perform set_held " ACTION "; opened; rings: {\"state\":\"ringing\"};"
                " ended: {}; ");
    stop();
    json_decref(live);
}

static void what_waits_for_a_session_that_is_lost_is_lost_with_it(void)
{
    begin_with_calls(json_array());
    read_frame("provider.register");
    CHECK(cb_report_incoming(client, CALL, cb_phone("1"), NULL, replied, "rings") > 0);
    lose();
    CHECK_STORY("live calls; rings: 1 disconnected; lost: 1 disconnected; ");
    CHECK(cb_report_incoming(client, CALL, cb_phone("1"), NULL, replied, "rings") == -ENOTCONN);
    accept_client();
    greet();
    CHECK(cb_notify(client, "broker.log", NULL) == 0);
    read_frame("broker.log");
    stop();
    json_decref(live);
}

static void calls_that_cannot_be_told_now_are_told_later(void)
{
    begin_with_calls(NULL);
    turn();
    CHECK_STORY("live calls; lost: 1 disconnected; ");
    live = json_array();
    accept_client();
    greet();
    CHECK_STORY("live calls; opened; ");
    stop();
    json_decref(live);
}

static void members_of_the_registration_are_changed_for_good(void)
{
    begin_provider();
    CHECK(cb_update_registration(client, json_pack("{s:s}", "display_name", "B"), NULL, NULL) > 0);
    CHECK_JSON(json_object_get(read_frame("provider.update"), "params"), "{'display_name': 'B'}");
    lose();
    accept_client();
    reply(read_frame("broker.hello"), "{}");
    CHECK_JSON(json_object_get(read_frame("provider.register"), "params"),
               "{'display_name': 'B', 'handle_types': ['phone']}");
    CHECK(cb_update_registration(client, NULL, NULL, NULL) == -EINVAL);
    stop();
}

static const char LINES[] = "{'lines': [{'line': 'work', 'label': 'Work', 'state': 'failed',"
                            " 'reason': '403 Forbidden'}]}";

static void lines_are_registered_for_good(void)
{
    begin_provider();
    CHECK(cb_update_registration(client, from_text(LINES), NULL, NULL) > 0);
    CHECK_JSON(json_object_get(read_frame("provider.update"), "params"), LINES);
    lose();
    accept_client();
    reply(read_frame("broker.hello"), "{}");
    const json_t *params = json_object_get(read_frame("provider.register"), "params");
    json_t *lines = from_text(LINES);
    CHECK(json_equal(json_object_get(params, "lines"), json_object_get(lines, "lines")));
    json_decref(lines);
    stop();
}

static void place(cb_client *told, const cb_action *action, void *context)
{
    (void)told, (void)context;
    CHECK_JSON(action->arguments, "{'remote': {'type': 'phone', 'value': '1'}, 'line': 'work'}");
    CHECK(cb_fulfil(client, action->id, 0) == 0);
}

static void calls_name_their_line(void)
{
    cb_options options = provider_options();
    options.handlers.perform = place;
    start(options);
    accept_client();
    greet();
    send_text("{'id': 7, 'method': 'provider.perform', 'params': {'action': '" ACTION "', 'kind':"
              " 'start', 'call': '" CALL "', 'arguments': {'remote': {'type': 'phone', 'value':"
              " '1'}, 'line': 'work'}, 'transaction': '" OTHER "', 'cause': {'origin': 'user'},"
              " 'deadline_ms': 5000, 'attempt': 1}}");
    turn();
    check_answer(7, "result", "{}");
    json_t *line = json_pack("{s:s}", "line", "work");
    CHECK(cb_report_incoming(client, "a", cb_phone("1"), json_incref(line), replied, "x") > 0);
    CHECK(cb_report_update(client, "a", line, replied, "x") > 0);
    check_report("call.report_incoming",
                 "{'call': 'a', 'remote': {'type': 'phone', 'value': '1'}, 'line': 'work'}");
    check_report("call.report_update", "{'call': 'a', 'line': 'work'}");
    CHECK(cb_request_authorization(client, replied, "x") > 0);
    CHECK(!json_object_get(read_frame("provider.request_authorization"), "params"));
    CHECK(cb_may_ring(client, "b", cb_phone("1"), NULL, replied, "x") > 0);
    check_report("call.report_incoming", "{'call': 'b', 'remote': {'type': 'phone', 'value': '1'},"
                                         " 'dry_run': true}");
    stop();
}

/* ---- Transactions, and requests of other roles */

static cb_token token;

static void execute(cb_client *told, cb_token request, const json_t *transaction, void *context)
{
    (void)told, (void)context;
    CHECK_JSON(transaction, "{'transaction': 't', 'actions': [], 'deadline_ms': 1}");
    token = request;
}

static void a_transaction_is_taken_over(void)
{
    cb_options options = provider_options();
    options.handlers.execute = execute;
    start(options);
    accept_client();
    reply(read_frame("broker.hello"), "{}");
    const json_t *registration = read_frame("provider.register");
    CHECK_JSON(json_object_get(json_object_get(registration, "params"), "takes_transactions"),
               "true");
    reply(registration, "{}");
    send_text("{'id': 7, 'method': 'provider.execute', 'params': {'transaction': 't', 'actions':"
              " [], 'deadline_ms': 1}}");
    turn();
    CHECK(cb_take(client, token, true) == 0);
    send_text("{'method': 'broker.cancel', 'params': {'request': 7, 'action': 'b'}}");
    turn();
    CHECK_STORY("opened; withdrawn b; ");
    CHECK(cb_settle(client, "a", NULL, NULL, 5, replied, "settled") > 0);
    CHECK(cb_settle(client, "b", "remote_refused", "no", 0, replied, "settled") > 0);
    const cb_end_detail why = {NULL, "no", "SIP 488"};
    CHECK(cb_settle_failed(client, "c", &why, replied, "settled") > 0);
    check_answer(7, "result", "{'taken': true}");
    CHECK_JSON(json_object_get(read_frame("action.settle"), "params"),
               "{'action': 'a', 'outcome': 'fulfilled', 'at_ms': 5}");
    CHECK_JSON(json_object_get(read_frame("action.settle"), "params"),
               "{'action': 'b', 'outcome': 'failed', 'reason': 'remote_refused',"
               " 'message': 'no'}");
    CHECK_JSON(json_object_get(read_frame("action.settle"), "params"),
               "{'action': 'c', 'outcome': 'failed', 'message': 'no', 'app_code': 'SIP 488'}");
    stop();
}

static void keep(cb_client *told, cb_token request, const char *method, const json_t *params,
                 void *context)
{
    (void)told, (void)context;
    token = request;
    note("asked %s %d", method, (int)json_object_size(params));
}

static void cancelled(cb_client *told, cb_token request, void *context)
{
    (void)told, (void)context;
    CHECK(request == token);
    note("cancelled");
}

static void requests_of_other_roles_are_answered(void)
{
    cb_options options = provider_options();
    options.handlers.asked = keep;
    options.handlers.cancelled = cancelled;
    start(options);
    accept_client();
    greet();
    send_text("{'id': 1, 'method': 'screener.check', 'params': {'call': 'x'}}");
    send_text("{'method': 'broker.cancel', 'params': {'request': 1}}");
    turn();
    CHECK_STORY("opened; asked screener.check 1; cancelled; ");
    CHECK(cb_respond(client, token, json_true()) == -EINVAL);
    CHECK(cb_respond(client, token, json_pack("{s:s}", "verdict", "block")) == 0);
    check_answer(1, "result", "{'verdict': 'block'}");
    send_text("{'id': 2, 'method': 'x', 'params': {}}");
    turn();
    CHECK(cb_refuse(client, token, -1, NULL, "no") == -EINVAL);
    CHECK(cb_refuse(client, token, -1, "no_lamp", "no") == 0);
    check_answer(2, "error", "{'code': -1, 'message': 'no', 'data': {'reason': 'no_lamp'}}");
    stop();
}

static void pushed(cb_client *told, cb_token request, const char *type, const json_t *payload,
                   void *context)
{
    (void)context;
    note("pushed %s %d", type, (int)json_object_size(payload));
    CHECK(cb_respond(told, request, NULL) == 0);
}

static void push_token(cb_client *told, const char *type, const char *address, void *context)
{
    (void)told, (void)context;
    note("token %s %s", type, address ? address : "none");
}

static void pushes_of_any_shape_have_a_payload(void)
{
    cb_options options = provider_options();
    options.handlers.pushed = pushed;
    options.handlers.push_token = push_token;
    start(options);
    accept_client();
    greet();
    send_text("{'id': 1, 'method': 'push.received', 'params': {'type': 'x', 'payload': {'a': 1}}}");
    send_text("{'id': 2, 'method': 'push.received', 'params': {'type': 7, 'payload': 'a'}}");
    send_text("{'id': 3, 'method': 'push.received'}");
    send_text("{'method': 'push.token', 'params': {'type': 'x', 'token': 7}}");
    turn();
    CHECK_STORY("opened; pushed x 1; pushed  0; pushed  0; token x none; ");
    for (int id = 1; id <= 3; id++)
        check_answer(id, "result", "{}");
    send_text("{'method': 'push.unreported', 'params': {}}");
    turn();
    CHECK_STORY("told push.unreported; ");
    stop();
}

static void a_request_of_a_lost_connection_is_stale(void)
{
    cb_options options = provider_options();
    options.handlers.asked = keep;
    start(options);
    accept_client();
    greet();
    send_text("{'id': 1, 'method': 'x'}");
    turn();
    cb_token old = token;
    lose();
    CHECK(cb_respond(client, old, NULL) == -ESTALE);
    accept_client();
    greet();
    send_text("{'id': 1, 'method': 'x'}");
    turn();
    CHECK(cb_respond(client, old, NULL) == -ESTALE && cb_respond(client, token, NULL) == 0);
    check_answer(1, "result", "{}");
    cb_close(client, true);
    CHECK(cb_respond(client, token, NULL) == -ESTALE && cb_take(client, token, true) == -ESTALE);
    stop();
}

static void ids_are_uuids(void)
{
    char one[37], other[37];
    cb_new_id(one);
    cb_new_id(other);
    CHECK(strlen(one) == 36 && one[14] == '4' && strchr("89ab", one[19]));
    CHECK(strcmp(one, other) != 0 && strspn(one, "0123456789abcdef-") == 36);
}

void provider_tests(void)
{
    an_action_is_answered_at_once();
    an_action_is_answered_later_and_once();
    an_action_fails_with_what_the_app_knows();
    how_far_a_call_came_and_why_it_ended_is_reported();
    an_outcome_that_cannot_be_written_is_refused();
    without_a_handler_nothing_is_supported();
    a_repeated_action_is_done_once_and_answered_twice();
    an_action_outlives_the_connection();
    an_action_is_withdrawn_once();
    only_the_newest_outcomes_are_remembered();
    too_many_open_actions_are_refused();
    progress_is_told();
    live_calls_are_told_in_pages();
    what_happens_behind_the_list_is_told_when_the_session_is_open();
    what_waits_for_a_session_that_is_lost_is_lost_with_it();
    calls_that_cannot_be_told_now_are_told_later();
    members_of_the_registration_are_changed_for_good();
    lines_are_registered_for_good();
    calls_name_their_line();
    a_transaction_is_taken_over();
    requests_of_other_roles_are_answered();
    pushes_of_any_shape_have_a_payload();
    a_request_of_a_lost_connection_is_stale();
    ids_are_uuids();
}
