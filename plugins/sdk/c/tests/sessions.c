/* Opening, losing and renewing sessions. */
#define _GNU_SOURCE
#include "scripted_broker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const json_t *params(const json_t *frame)
{
    return json_object_get(frame, "params");
}

static void a_provider_opens_a_session(void)
{
    start(provider_options());
    CHECK(!cb_is_open(client) && !cb_hello(client) && !cb_registered(client));
    CHECK(cb_request(client, "call.list", NULL, NULL, NULL) < 0);
    accept_client();
    const json_t *hello = read_frame("broker.hello");
    CHECK_JSON(params(hello),
               "{'protocol': {'min': 1, 'max': 1}, 'client': {'name': 'test', 'version': '0'},"
               " 'roles': ['provider', 'controller'], 'identity': 'org.example.a'}");
    reply(hello, "{'protocol': 1}");
    const json_t *registration = read_frame("provider.register");
    CHECK_JSON(params(registration), "{'display_name': 'A', 'handle_types': ['phone']}");
    CHECK(!cb_is_open(client));
    CHECK_STORY("");
    reply(registration, "{'provider': 'org.example.a', 'limits': {}}");
    turn();
    CHECK_STORY("opened; ");
    CHECK_JSON(cb_hello(client), "{'protocol': 1}");
    CHECK_JSON(cb_registered(client), "{'provider': 'org.example.a', 'limits': {}}");
    stop();
}

static void a_controller_says_all_that_it_was_given(void)
{
    const char *roles[] = {"observer", "x_new", NULL};
    cb_options options = controller_options();
    options.version = "1.2";
    options.url = "https://example.org";
    options.credential = "token";
    options.roles = roles;
    const char *features[] = {"presentation", NULL};
    options.features = features;
    start(options);
    accept_client();
    CHECK_JSON(params(read_frame("broker.hello")),
               "{'protocol': {'min': 1, 'max': 1}, 'credential': 'token', 'client': {'name':"
               " 'test', 'version': '1.2', 'url': 'https://example.org'}, 'roles': ['observer',"
               " 'x_new'], 'features': ['presentation']}");
    stop();
}

static void options_that_make_no_sense_are_refused(void)
{
    json_t *array = json_array();
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    cb_options nameless = {0}, unregistered = controller_options(), far = controller_options();
    cb_options unwritten = controller_options();
    unregistered.registration = array;
    far.socket = longest;
    unwritten.identity = "\xff";
    CHECK(!cb_new(&nameless) && !cb_new(&unregistered) && !cb_new(&far) && !cb_new(&unwritten));
    json_decref(array);
    cb_free(NULL);
}

static void a_lost_session_is_resumed(void)
{
    begin_provider();
    for (int i = 0; i < 3; i++) {
        lose();
        CHECK_STORY("lost: 1 disconnected; ");
        CHECK(cb_descriptor(client) < 0);
        accept_client();
        CHECK_JSON(json_object_get(params(read_frame("broker.hello")), "resume"),
                   "{'session': 'S', 'secret': 's3cret'}");
        lose();
        CHECK_STORY("lost: 1 disconnected; ");
        accept_client();
        greet();
        CHECK_STORY("opened; ");
    }
    stop();
}

static void tries_come_later_and_later_but_not_all_at_once(void)
{
    const int64_t longest[] = {100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000};
    bool varies = false;
    start(controller_options());
    stop_listening();
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        now = cb_deadline_ms(client) > now ? cb_deadline_ms(client) : now;
        CHECK(turn() && cb_descriptor(client) < 0);
        CHECK_STORY("lost: 1 disconnected; ");
        int64_t wait = cb_deadline_ms(client) - now;
        CHECK(wait >= longest[i] * 8 / 10 && wait <= longest[i] * 12 / 10);
        varies = varies || wait != longest[i];
        CHECK(cb_timeout_ms(client, now) == wait && cb_timeout_ms(client, now + wait) == 0);
        now += wait - 1;
        CHECK(turn());
        CHECK_STORY("");
        now++;
    }
    CHECK(varies);
    accept_client();
    greet();
    CHECK(cb_timeout_ms(client, now) == -1 && cb_deadline_ms(client) == INT64_MAX);
    lose();
    CHECK(cb_deadline_ms(client) - now <= 120);
    stop();
}

static void the_broker_says_when_to_come_back(void)
{
    begin_provider();
    send_text("{'method': 'broker.goodbye', 'params': {'reason': 'restarting', 'resumable': false,"
              " 'reconnect_after_ms': 30000}}");
    lose();
    CHECK_STORY("told broker.goodbye; lost: 1 disconnected; ");
    CHECK(cb_deadline_ms(client) == now + 30000);
    stop_listening();
    now += 30000;
    turn();
    CHECK(cb_deadline_ms(client) - now < 30000);
    accept_client();
    CHECK(!json_object_get(params(read_frame("broker.hello")), "resume"));
    stop();
}

static void who_is_superseded_or_stopped_does_not_come_back(void)
{
    const char *reasons[] = {"superseded", "stop"};
    for (int i = 0; i < 2; i++) {
        begin_provider();
        send_text("{'method': 'broker.goodbye', 'params': {'reason': '%s'}}", reasons[i]);
        lose();
        CHECK(!turn() && !cb_turn(client));
        CHECK_STORY("told broker.goodbye; over: 1 disconnected; ");
        CHECK(cb_deadline_ms(client) == INT64_MAX);
        stop();
    }
}

static void refuse(const char *method, const char *error)
{
    json_int_t id = json_integer_value(json_object_get(read_frame(method), "id"));
    send_text("{'id': %lld, 'error': %s}", (long long)id, error);
    turn();
}

static void what_is_refused_for_good_is_not_tried_again(void)
{
    const char *good[] = {"{'code': -32015, 'data': {'reason': 'version_unsupported'}}",
                          "{'code': -32003, 'data': {'reason': 'bad_credential'}}", "7"};
    const char *stories[] = {"over: -32015 version_unsupported; ", "over: -32003 bad_credential; ",
                             "over: -32000 ; "};
    for (int i = 0; i < 3; i++) {
        start(provider_options());
        accept_client();
        refuse("broker.hello", good[i]);
        CHECK_STORY(stories[i]);
        CHECK(!turn());
        stop();
    }
    start(provider_options());
    accept_client();
    reply(read_frame("broker.hello"), "{'denied_roles': [{'role': 'controller', 'reason': 'x'},"
                                      " {'role': 'provider', 'reason': 'not_granted'}]}");
    turn();
    CHECK_STORY("over: -32003 not_granted; ");
    stop();
}

static void what_passes_is_tried_again(void)
{
    start(provider_options());
    accept_client();
    refuse("broker.hello", "{'code': -32005, 'data': {'reason': 'identity'}}");
    CHECK_STORY("lost: -32005 identity; ");
    accept_client();
    reply(read_frame("broker.hello"), "{}");
    refuse("provider.register", "{'code': -32603, 'data': {'retryable': true}}");
    CHECK_STORY("lost: -32603 ; ");
    accept_client();
    greet();
    CHECK_STORY("opened; ");
    stop();
}

static void an_opening_without_a_reply_is_begun_anew(void)
{
    start(provider_options());
    accept_client();
    read_frame("broker.hello");
    CHECK(cb_deadline_ms(client) == now + 10000);
    now += 10000;
    CHECK(turn() && cb_descriptor(client) < 0);
    CHECK_STORY("lost: 2 timed_out; ");
    read_frame("broker.cancel");
    accept_client();
    greet();
    stop();
}

static void close_says_goodbye(void)
{
    for (int resumable = 0; resumable < 2; resumable++) {
        begin_provider();
        CHECK(cb_request(client, "call.end", NULL, replied, "end") > 0);
        cb_close(client, resumable);
        CHECK_STORY("end: 1 disconnected; ");
        CHECK(!turn() && cb_request(client, "call.end", NULL, replied, "end") < 0);
        read_frame("call.end");
        CHECK_JSON(params(read_frame("broker.goodbye")),
                   resumable ? "{'reason': 'closed', 'resumable': true}"
                             : "{'reason': 'closed', 'resumable': false}");
        CHECK(is_hung_up());
        CHECK_STORY("");
        stop();
    }
}

static void close_at_the_lost(cb_client *told, const cb_error *why, bool over, void *context)
{
    (void)why, (void)over, (void)context;
    note("lost");
    cb_close(told, false);
}

static void close_at_the_reply(cb_client *told, const json_t *result, const cb_error *error,
                               void *context)
{
    (void)result, (void)error, (void)context;
    note("reply");
    cb_close(told, false);
}

static void a_reply_may_close(void)
{
    begin_controller();
    CHECK(cb_request(client, "call.end", NULL, close_at_the_reply, NULL) > 0);
    CHECK(cb_request(client, "call.end", NULL, replied, "end") > 0);
    lose();
    CHECK(!turn());
    CHECK_STORY("reply; end: 1 disconnected; ");
    stop();
}

static void a_handler_may_close(void)
{
    cb_options options = controller_options();
    options.handlers.lost = close_at_the_lost;
    start(options);
    accept_client();
    greet();
    CHECK(cb_request(client, "call.end", NULL, replied, "end") > 0);
    lose();
    CHECK(!turn());
    CHECK_STORY("opened; end: 1 disconnected; lost; ");
    stop();
}

static void a_connected_socket_is_not_renewed(void)
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    cb_options options = controller_options();
    options.socket = NULL;
    options.descriptor = ends[0];
    start(options);
    CHECK(cb_descriptor(client) == ends[0] && cb_timeout_ms(client, now) == 0);
    CHECK(turn());
    char first[30];
    CHECK(read(ends[1], first, sizeof first) == sizeof first);
    CHECK(memcmp(first, "{\"jsonrpc\":\"2.0\",\"id\":1,\"metho", sizeof first) == 0);
    close(ends[1]);
    CHECK(!turn() && !turn());
    CHECK_STORY("over: 1 disconnected; ");
    stop();
}

static void the_socket_is_where_the_broker_listens(void)
{
    cb_options options = controller_options();
    setenv("BROKER_SOCKET", socket_path, 1);
    options.socket = NULL;
    start(options);
    accept_client();
    greet();
    CHECK_STORY("opened; ");
    unsetenv("BROKER_SOCKET");
    stop();
}

void session_tests(void)
{
    a_provider_opens_a_session();
    a_controller_says_all_that_it_was_given();
    options_that_make_no_sense_are_refused();
    a_lost_session_is_resumed();
    tries_come_later_and_later_but_not_all_at_once();
    the_broker_says_when_to_come_back();
    who_is_superseded_or_stopped_does_not_come_back();
    what_is_refused_for_good_is_not_tried_again();
    what_passes_is_tried_again();
    an_opening_without_a_reply_is_begun_anew();
    close_says_goodbye();
    a_handler_may_close();
    a_reply_may_close();
    a_connected_socket_is_not_renewed();
    the_socket_is_where_the_broker_listens();
}
