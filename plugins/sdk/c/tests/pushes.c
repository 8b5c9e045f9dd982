/* Pushes from their gateway to an app, with the broker itself: BROKER_SOCKET says where it is. */
#include "scripted_broker.h"

#include <string.h>

static cb_client *phone, *gateway;
static cb_token handled; /* the push whose call is being reported */
static bool is_over, is_unreported, is_handled_without;

/* ---- The app */

static void has_rung(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)context;
    CHECK(told == phone && result && !error);
    CHECK(cb_respond(phone, handled, NULL) == 0);
}

/* A caller is reported; a push without one brings no call. */
static void pushed(cb_client *told, cb_token request, const char *type, const json_t *payload,
                   void *context)
{
    (void)context;
    char call[37];
    const char *caller = json_string_value(json_object_get(payload, "caller"));
    CHECK(told == phone);
    note("pushed %s", type);
    handled = request;
    cb_new_id(call);
    if (caller)
        CHECK(cb_report_incoming(phone, call, cb_phone(caller), NULL, has_rung, NULL) > 0);
    else
        CHECK(cb_respond(phone, request, NULL) == 0);
}

static void push_token(cb_client *told, const char *type, const char *token, void *context)
{
    (void)context;
    CHECK(told == phone);
    note("token %s %s", type, token ? token : "none");
}

/* ---- The gateway, whose requests follow each other */

static void resets(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(result && !error);
    note("reset");
    is_over = true;
}

/* The app and the gateway may get to know that there was no call in any order. */
static void reset(void)
{
    if (is_unreported && is_handled_without)
        CHECK(cb_reset_pushes(gateway, "org.example.phone", resets, NULL) > 0);
}

static void push_unreported(cb_client *told, const char *push, int in_a_row, bool stopped,
                            void *context)
{
    (void)context;
    CHECK(told == phone && strlen(push) == 36);
    note("unreported %d %d", in_a_row, stopped);
    is_unreported = true;
    reset();
}

static void is_handled(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)context;
    CHECK(told == gateway && !error && json_is_true(json_object_get(result, "delivered")));
    if (json_is_true(json_object_get(result, "reported_call"))) {
        CHECK(cb_deliver_push(gateway, "org.example.phone", "voip", json_object(), 0, true,
                              is_handled, NULL) > 0);
        return;
    }
    is_handled_without = true;
    reset();
}

static void is_withdrawn(cb_client *told, const json_t *result, const cb_error *error,
                         void *context)
{
    (void)context;
    CHECK(told == gateway && result && !error);
    CHECK(cb_deliver_push(gateway, "org.example.phone", NULL,
                          json_pack("{s:s}", "caller", "+15550100"), -1, true, is_handled,
                          NULL) > 0);
}

static void is_set(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)context;
    CHECK(told == gateway && result && !error);
    CHECK(cb_set_push_token(gateway, "org.example.phone", "voip", NULL, is_withdrawn, NULL) > 0);
}

static void phone_is_open(cb_client *told, void *context)
{
    (void)told, (void)context;
    CHECK(cb_set_push_token(gateway, "org.example.phone", "voip", "https://push.example/7", is_set,
                            NULL) > 0);
}

static void gateway_is_open(cb_client *told, void *context)
{
    (void)told, (void)context;
    json_t *about = json_pack("{s:s, s:[s], s:[s]}", "display_name", "Phone", "handle_types",
                              "phone", "push_types", "voip");
    phone = cb_new(&(cb_options){
        .name = "phone", .identity = "org.example.phone", .registration = about,
        .handlers = {.opened = phone_is_open, .pushed = pushed, .push_token = push_token,
                     .push_unreported = push_unreported}});
    json_decref(about);
    CHECK(phone);
}

void push_tests(void)
{
    const char *const roles[] = {"controller", "admin", NULL};
    gateway = cb_new(&(cb_options){.name = "gateway", .roles = roles,
                                   .request_timeout_ms = 600000,
                                   .handlers = {.opened = gateway_is_open}});
    CHECK(gateway);
    while (!is_over)
        turn_together(gateway, phone);
    CHECK_STORY("token voip org.example.phone; token voip https://push.example/7; "
                "token voip none; pushed voip; pushed voip; unreported 1 0; reset; ");
    cb_free(phone);
    cb_free(gateway);
}
