/* The session with the broker. */
#include "phone.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVING_MS = 1000 };

static const char *const roles[] = {"provider", "controller", NULL};
static const char *const features[] = {"alerting", "video_request",
                                       "external_calls", "audio_endpoints", NULL};

/* ---- What the broker is told when a session begins */

json_t *describe(const struct phone *phone, const struct leg *leg)
{
    json_t *update = leg_update(leg);
    json_t *line = leg->call ? line_of(phone, leg->call) : NULL;
    json_t *endpoints = leg->call ? read_endpoints(phone, leg->call) : NULL;
    if (update && line)
        json_object_set(update, "line", line);
    if (update && json_array_size(endpoints) > 0)
        json_object_set(update, "endpoints", endpoints);
    json_decref(line);
    json_decref(endpoints);
    return update;
}

static json_t *describe_live(const struct phone *phone, const struct leg *leg)
{
    json_t *live = leg_live(leg), *update = describe(phone, leg);
    if (live && update)
        json_object_update(live, update);
    json_decref(update);
    return live;
}

static json_t *describe_live_external(const struct external *external)
{
    const struct dialog *dialog = &external->dialog;
    json_t *live = json_pack("{s:s, s:s, s:s, s:n}", "call", external->id, "direction",
                             dialog->is_outgoing ? "outgoing" : "incoming", "state", "external",
                             "remote");
    json_t *update = describe_external(external);
    if (live && update)
        json_object_update(live, update);
    json_decref(update);
    return live;
}

static json_t *live_calls(cb_client *client, void *context)
{
    struct phone *phone = context;
    json_t *calls = json_array();
    (void)client;
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id && *leg->address && !leg->is_gone && !(leg->is_ending && !*leg->ending) &&
            !(leg->is_pulled && !leg->is_established))
            json_array_append_new(calls, describe_live(phone, leg));
    for (struct external *each = phone->externals; each < phone->externals + EXTERNALS_MAX; each++)
        if (*each->id)
            json_array_append_new(calls, describe_live_external(each));
    return calls;
}

static void dropped(cb_client *client, const char *id, void *context)
{
    struct phone *phone = context;
    struct leg *leg = leg_with_id(phone->legs, id);
    struct external *external = external_with_id(phone, id);
    (void)client;
    if (leg)
        hang_up(phone, leg, LinphoneReasonDeclined);
    if (external)
        *external->id = '\0';
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    struct phone *phone = context;
    (void)client, (void)params;
    if (strcmp(method, "provider.reset") != 0)
        return;
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id)
            hang_up(phone, leg, LinphoneReasonDeclined);
}

static void opened(cb_client *client, void *context)
{
    (void)client;
    report(context, "registered");
    forget_participants(context);
}

static void lost(cb_client *client, const cb_error *why, bool over, void *context)
{
    struct phone *phone = context;
    (void)client;
    phone->is_over = over;
    if (over)
        fprintf(stderr, "liblinphone_provider: the broker refuses it: %s (%s)\n", why->message,
                why->reason);
    else
        report(phone, "no broker; trying again");
}

/* ---- Joining and leaving */

static json_t *registration(struct phone *phone)
{
    json_t *about = json_pack("{s:s, s:[s], s:[s,s], s:b, s:b, s:i, s:i}", "display_name",
                              phone->options->display_name, "handle_types", "generic",
                              "url_schemes", "sip", "sips", "supports_video", 1, "supports_text", 1,
                              "max_call_groups", phone->options->calls, "max_calls_per_group", 1);
    if (phone->options->gateway) {
        json_array_append_new(json_object_get(about, "handle_types"), json_string("phone"));
        json_array_append_new(json_object_get(about, "url_schemes"), json_string("tel"));
    }
    phone->lines = read_lines(phone);
    if (json_array_size(phone->lines) > 0)
        json_object_set(about, "lines", phone->lines);
    return about;
}

bool broker_join(struct phone *phone)
{
    json_t *about = registration(phone);
    phone->client = cb_new(&(cb_options){
        .name = "liblinphone_provider", .version = "0.1.0", .identity = phone->options->identity,
        .features = features, .roles = roles, .registration = about,
        .socket = phone->options->broker,
        .handlers = {.opened = opened, .lost = lost, .live_calls = live_calls, .dropped = dropped,
                     .perform = perform, .withdrawn = withdraw, .asked = answer_request,
                     .told = told},
        .context = phone});
    json_decref(about);
    if (!phone->client)
        perror("liblinphone_provider");
    return phone->client;
}

static void left(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    (void)client, (void)result, (void)error;
    *(bool *)context = true;
}

void broker_leave(struct phone *phone)
{
    bool is_left = false;
    cb_client *client = phone->client;
    if (!client)
        return;
    int64_t until = cb_now_ms() + LEAVING_MS;
    if (cb_is_open(client))
        cb_request(client, "provider.unregister", NULL, left, &is_left);
    while (cb_is_open(client) && !is_left && cb_now_ms() < until) {
        struct pollfd wait = {cb_descriptor(client), cb_events(client), 0};
        poll(&wait, 1, 10);
        cb_process(client, cb_now_ms());
    }
    phone->client = NULL; /* what ends now has ended there already */
    cb_close(client, false);
    cb_free(client);
}

/* ---- Actions that are done */

void fulfill(struct phone *phone, struct leg *leg)
{
    leg->doing = NOTHING;
    if (*leg->action && phone->client)
        cb_fulfil(phone->client, leg->action, 0);
    *leg->action = '\0';
}

void fail(struct phone *phone, struct leg *leg, const cb_end_detail *why)
{
    leg->doing = NOTHING;
    if (*leg->action && phone->client)
        cb_fail_because(phone->client, leg->action, why);
    *leg->action = '\0';
    separate(phone, leg);
}

void refuse(struct phone *phone, struct leg *leg, const char *reason, const char *message)
{
    fail(phone, leg, &(cb_end_detail){.reason = reason, .text = message});
}

/* ---- Calls that appear */

/* The call that is asked about: the place of a leg may have become another call's meanwhile. */
struct question {
    struct phone *phone;
    char id[37];
};

static void replied(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    struct question *question = context;
    struct leg *leg = leg_with_id(question->phone->legs, question->id);
    (void)client, (void)result;
    if (error && error->code != CB_DISCONNECTED && error->code != CB_ALREADY_EXISTS && leg) {
        bool is_busy = strcmp(error->reason, "in_call") == 0 || strcmp(error->reason, "busy") == 0;
        report(question->phone, "the broker refuses the call");
        hang_up(question->phone, leg, is_busy ? LinphoneReasonBusy : LinphoneReasonDeclined);
    } /* one that exists was listed in between */
    free(question);
}

void announce(struct phone *phone, struct leg *leg)
{
    int64_t status;
    struct question *question = calloc(1, sizeof *question);
    if (!question || !phone->client) {
        free(question);
        return; /* the next registration lists it */
    }
    question->phone = phone;
    strcpy(question->id, leg->id);
    if (leg->is_incoming)
        status = cb_report_incoming(phone->client, leg->id, cb_generic(leg->address),
                                    describe(phone, leg), replied, question);
    else /* the far end has asked for it, by a transfer */
        status = cb_request(phone->client, "call.start",
                            json_pack("{s:s, s:s, s:{s:s, s:s}}", "call", leg->id, "provider",
                                      phone->options->identity, "remote", "type", "generic",
                                      "value", leg->address), replied, question);
    if (status < 0)
        free(question);
}
