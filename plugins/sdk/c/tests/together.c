/* A provider and a screen in one loop, with the broker itself: BROKER_SOCKET says where it is. */
#include "scripted_broker.h"

#include <poll.h>
#include <string.h>

#define CEILING_MS 30000

static cb_client *phone, *screen;
static bool is_over;
static char call[37];

static void says_no(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)context;
    CHECK(told == screen && !result && error->code == CB_NOT_FOUND);
    CHECK(strcmp(error->reason, "unknown_call") == 0 && json_object_get(error->data, "callkit"));
    is_over = true;
}

static void is_answered(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    char unknown[37];
    (void)context;
    CHECK(told == screen && !error);
    CHECK_JSON(json_object_get(result, "state"), "'completed'");
    cb_new_id(unknown);
    CHECK(cb_request(screen, "call.end", json_pack("{s:s}", "call", unknown), says_no, NULL) > 0);
}

/* The first event: the call rings, so it is answered. */
static void hears(cb_client *told, const char *method, const json_t *params, void *context)
{
    (void)context;
    const json_t *topic = json_object_get(params, "topic");
    if (strcmp(method, "event") != 0 || strcmp(json_string_value(topic), "call.added") != 0)
        return;
    CHECK(told == screen);
    CHECK(strcmp(json_string_value(json_object_get(params, "call")), call) == 0);
    json_t *answer = json_pack("{s:s, s:s}", "call", call, "wait", "completed");
    CHECK(cb_request(screen, "call.answer", answer, is_answered, NULL) > 0);
}

static void subscribed(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(result && !error && cb_is_open(phone));
    cb_new_id(call);
    CHECK(cb_report_incoming(phone, call, cb_phone("+15550100"), NULL, NULL, NULL) > 0);
}

static void watches(cb_client *told, void *context)
{
    (void)context;
    json_t *topics = json_pack("{s:[s]}", "topics", "call.*");
    CHECK(cb_request(told, "events.subscribe", topics, subscribed, NULL) > 0);
}

static void performs(cb_client *told, const cb_action *action, void *context)
{
    (void)context;
    CHECK(told == phone && strcmp(action->kind, "answer") == 0 && strcmp(action->call, call) == 0);
    CHECK(cb_fulfil(phone, action->id, 0) == 0);
}

static int sooner(int timeout_ms, int other_ms)
{
    return other_ms >= 0 && other_ms < timeout_ms ? other_ms : timeout_ms;
}

void turn_together(cb_client *first, cb_client *second)
{
    struct pollfd wait[] = {{cb_descriptor(first), cb_events(first), 0}, {-1, 0, 0}};
    int timeout_ms = sooner(CEILING_MS, cb_timeout_ms(first, cb_now_ms()));
    if (second) {
        wait[1] = (struct pollfd){cb_descriptor(second), cb_events(second), 0};
        timeout_ms = sooner(timeout_ms, cb_timeout_ms(second, cb_now_ms()));
    }
    CHECK(poll(wait, 2, timeout_ms) > 0 || timeout_ms < CEILING_MS);
    CHECK(cb_process(first, cb_now_ms()));
    if (second)
        cb_process(second, cb_now_ms());
}

/* One turn of the loop; the screen joins it when the phone is there. */
static void turn_both(void)
{
    CHECK(cb_process(phone, cb_now_ms()));
    CHECK(!cb_is_open(phone) || cb_process(screen, cb_now_ms()));
    struct pollfd wait[] = {{cb_descriptor(phone), cb_events(phone), 0},
                            {cb_descriptor(screen), cb_events(screen), 0}};
    bool must_connect = cb_is_open(phone) && cb_descriptor(screen) < 0;
    CHECK(is_over || poll(wait, 2, must_connect ? 0 : CEILING_MS) > 0 || must_connect);
}

void together_tests(void)
{
    json_t *about = json_pack("{s:s, s:[s]}", "display_name", "Phone", "handle_types", "phone");
    phone = cb_new(&(cb_options){.name = "phone", .identity = "org.example.phone",
                                 .registration = about, .handlers = {.perform = performs}});
    screen = cb_new(&(cb_options){.name = "screen",
                                  .handlers = {.opened = watches, .told = hears}});
    CHECK(phone && screen);
    while (!is_over)
        turn_both();
    cb_free(screen);
    cb_free(phone);
    json_decref(about);
}
