/* Providers: registration and reconciliation, actions and their outcomes, reports. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* ---- Registering */

static void registered(cb_client *client, const json_t *result, const cb_error *error,
                       void *context);

/* The next page of live calls, or NULL if memory is short. */
static json_t *page(cb_client *client)
{
    json_t *members = json_copy(client->registration);
    if (!members || !client->calls)
        return members;
    size_t end = client->calls_told + RECONCILED_AT_ONCE, count = json_array_size(client->calls);
    json_t *calls = json_array();
    bool is_whole = calls;
    for (size_t i = client->calls_told; is_whole && i < end && i < count; i++)
        is_whole = json_array_append(calls, json_array_get(client->calls, i)) == 0;
    if (is_whole && end < count)
        is_whole = json_object_set_new(members, "more", json_true()) == 0;
    is_whole = is_whole && json_object_set(members, "calls", calls) == 0;
    json_decref(calls);
    if (is_whole) {
        client->calls_told = end;
        return members;
    }
    json_decref(members);
    return NULL;
}

static void register_page(cb_client *client)
{
    json_t *members = page(client);
    int64_t status = members ? cbi_ask(client, "provider.register", members, registered, NULL,
                                       OPENING_MS)
                             : -ENOMEM;
    if (status < 0)
        client->trouble = (int)-status;
}

void cbi_register(cb_client *client)
{
    if (client->handlers.live_calls) {
        json_t *calls = client->handlers.live_calls(client, client->context);
        if (client->state != OPENING || !json_is_array(calls)) {
            json_decref(calls);
            client->trouble = client->state == OPENING ? EAGAIN : 0;
            return;
        }
        client->calls = calls;
        client->calls_told = 0;
    }
    register_page(client);
}

static void tell_dropped(cb_client *client, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *call = json_string_value(json_array_get(list, i));
        if (call && client->handlers.dropped && client->descriptor >= 0)
            client->handlers.dropped(client, call, client->context);
    }
}

static void registered(cb_client *client, const json_t *result, const cb_error *error,
                       void *context)
{
    (void)context;
    if (client->state != OPENING)
        return;
    if (error) {
        cbi_lose(client, error, false);
        return;
    }
    tell_dropped(client, json_object_get(result, "dropped"));
    if (client->state != OPENING)
        return;
    if (client->calls_told < json_array_size(client->calls)) {
        register_page(client);
        return;
    }
    json_decref(client->registered);
    client->registered = json_incref((json_t *)result);
    cbi_open(client);
}

int64_t cb_request_authorization(cb_client *client, cb_replied *replied, void *context)
{
    return cb_request(client, "provider.request_authorization", NULL, replied, context);
}

int64_t cb_update_registration(cb_client *client, json_t *members, cb_replied *replied,
                               void *context)
{
    if (!client->registration || !json_is_object(members)) {
        json_decref(members);
        return -EINVAL;
    }
    json_t *changed = json_copy(client->registration);
    if (!changed || json_object_update(changed, members) < 0) {
        json_decref(changed);
        json_decref(members);
        return -ENOMEM;
    }
    json_decref(client->registration);
    client->registration = changed;
    return cb_request(client, "provider.update", members, replied, context);
}

/* ---- Actions */

static struct action *find_action(cb_client *client, const char *id)
{
    for (size_t i = 0; id && *id && i < ACTIONS; i++)
        if (strcmp(client->actions[i].id, id) == 0)
            return &client->actions[i];
    return NULL;
}

/* A free place, or that of the action that was settled and came first; NULL if all are open. */
static struct action *place(cb_client *client)
{
    struct action *oldest = NULL;
    for (size_t i = 0; i < ACTIONS; i++) {
        struct action *action = &client->actions[i];
        if (!*action->id)
            return action;
        if (action->outcome && (!oldest || action->since < oldest->since))
            oldest = action;
    }
    return oldest;
}

static void answer_action(cb_client *client, struct action *action)
{
    const char *member = json_object_get(action->outcome, "error") ? "error" : "result";
    if (!action->outcome || !action->request)
        return;
    cb_token request = action->request;
    action->request = 0;
    cbi_answer(client, request, member, json_incref(json_object_get(action->outcome, member)));
}

static void deliver(cb_client *client, struct action *action, const json_t *params)
{
    const cb_action told = {
        .id = action->id,
        .kind = cbi_text(params, "kind"),
        .call = cbi_text(params, "call"),
        .transaction = cbi_text(params, "transaction"),
        .arguments = json_object_get(params, "arguments"),
        .cause = json_object_get(params, "cause"),
        .deadline_ms = json_integer_value(json_object_get(params, "deadline_ms")),
        .attempt = (int)json_integer_value(json_object_get(params, "attempt")),
        .age_ms = json_integer_value(json_object_get(params, "age_ms")),
    };
    if (client->handlers.perform)
        client->handlers.perform(client, &told, client->context);
    else
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
}

void cbi_perform(cb_client *client, cb_token request, const json_t *params)
{
    const char *id = cbi_text(params, "action");
    if (!*id || strlen(id) >= ID_BYTES) {
        cb_refuse(client, request, CB_INVALID_PARAMS, "missing_member", "params.action: a UUID");
        return;
    }
    struct action *action = find_action(client, id);
    if (action) {
        action->request = request;
        answer_action(client, action);
        return;
    }
    action = place(client);
    if (!action) {
        cb_refuse(client, request, CB_OVERLOADED, "pending", "too many actions are open");
        return;
    }
    json_decref(action->outcome);
    *action = (struct action){.request = request, .since = ++client->actions_seen};
    strcpy(action->id, id);
    deliver(client, action, params);
}

/* Takes the outcome, which is NULL if memory was short. */
static int settle(cb_client *client, struct action *action, json_t *outcome)
{
    if (!outcome)
        return -ENOMEM;
    action->outcome = outcome;
    answer_action(client, action);
    return 0;
}

/* 0 if the action is still to be answered. */
static int is_open(const struct action *action)
{
    if (!action)
        return -ENOENT;
    return action->outcome ? -EALREADY : 0;
}

int cb_fulfil(cb_client *client, const char *id, int64_t at_ms)
{
    struct action *action = find_action(client, id);
    int status = is_open(action);
    if (status < 0)
        return status;
    return settle(client, action, at_ms ? json_pack("{s:{s:I}}", "result", "at_ms",
                                                    (json_int_t)at_ms)
                                        : json_pack("{s:{}}", "result"));
}

int cb_fail(cb_client *client, const char *id, int code, const char *reason, const char *message)
{
    struct action *action = find_action(client, id);
    int status = is_open(action);
    if (status < 0)
        return status;
    json_t *failure = cbi_failure(&status, code, reason,
                                  message || code != CB_BROKER_ERROR ? message : "");
    if (!failure)
        return status;
    json_t *outcome = json_pack("{s:O}", "error", failure);
    json_decref(failure);
    return settle(client, action, outcome);
}

int cb_fail_because(cb_client *client, const char *id, const cb_end_detail *why)
{
    struct action *action = find_action(client, id);
    int status = is_open(action);
    if (status < 0)
        return status;
    json_t *outcome = cbi_object(&status, "{s:{s:i, s:s, s:{s:s*, s:s*}}}", "error", "code",
                                 CB_BROKER_ERROR, "message", why->text ? why->text : "", "data",
                                 "reason", why->reason, "app_code", why->code);
    return outcome ? settle(client, action, outcome) : status;
}

static void withdraw(cb_client *client, struct action *action)
{
    if (action->withdrawn || action->outcome)
        return;
    action->withdrawn = true;
    if (client->handlers.withdrawn)
        client->handlers.withdrawn(client, action->id, client->context);
}

/* Whether the request is that of an action. */
bool cbi_withdraw(cb_client *client, cb_token request)
{
    for (size_t i = 0; i < ACTIONS; i++)
        if (client->actions[i].request == request && *client->actions[i].id) {
            withdraw(client, &client->actions[i]);
            return true;
        }
    return false;
}

/* One of a transaction that was offered or taken over, so that it is perhaps none of ours. */
void cbi_withdraw_action(cb_client *client, const char *id)
{
    struct action *action = find_action(client, id);
    if (action)
        withdraw(client, action);
    else if (client->handlers.withdrawn)
        client->handlers.withdrawn(client, id, client->context);
}

void cbi_timed_out(cb_client *client, const json_t *params)
{
    struct action *action = find_action(client, cbi_text(params, "action"));
    if (action)
        withdraw(client, action);
}

/* They come again, under other numbers. */
void cbi_forget_requests(cb_client *client)
{
    for (size_t i = 0; i < ACTIONS; i++)
        client->actions[i].request = 0;
}

void cbi_forget_actions(cb_client *client)
{
    for (size_t i = 0; i < ACTIONS; i++) {
        json_decref(client->actions[i].outcome);
        client->actions[i] = (struct action){0};
    }
}

int cb_report_progress(cb_client *client, const char *id, const char *phase, int percent,
                       const char *message, int64_t extend_ms)
{
    struct action *action = find_action(client, id);
    int status = is_open(action);
    if (status < 0)
        return status;
    if (!action->request)
        return -ENOTCONN;
    json_t *share = percent < 0 ? NULL : json_integer(percent);
    json_t *more = extend_ms ? json_integer(extend_ms) : NULL;
    json_t *params = cbi_object(&status, "{s:I, s:s*, s:O*, s:s*, s:O*}", "request",
                                (json_int_t)(action->request & UINT32_MAX), "phase", phase,
                                "percent", share, "message", message, "extend_ms", more);
    json_decref(share);
    json_decref(more);
    return params ? cb_notify(client, "broker.progress", params) : status;
}

int cb_take(cb_client *client, cb_token request, bool taken)
{
    return cbi_answer(client, request, "result", json_pack("{s:b}", "taken", taken));
}

/* ---- Reports */

/* Sends params, which were made with this status; at_ms is set unless it is 0. */
static int64_t report(cb_client *client, const char *method, json_t *params, int status,
                      int64_t at_ms, cb_replied *replied, void *context)
{
    if (params && at_ms && json_object_set_new(params, "at_ms", json_integer(at_ms)) < 0) {
        json_decref(params);
        params = NULL;
        status = -ENOMEM;
    }
    return params ? cb_request(client, method, params, replied, context) : status;
}

int64_t cb_settle(cb_client *client, const char *action, const char *reason, const char *message,
                  int64_t at_ms, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s, s:s*, s:s*}", "action", action, "outcome",
                                reason ? "failed" : "fulfilled", "reason", reason, "message",
                                reason ? message : NULL);
    return report(client, "action.settle", params, status, at_ms, replied, context);
}

int64_t cb_settle_failed(cb_client *client, const char *action, const cb_end_detail *why,
                         cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s, s:s*, s:s*, s:s*}", "action", action,
                                "outcome", "failed", "reason", why->reason, "message", why->text,
                                "app_code", why->code);
    return report(client, "action.settle", params, status, 0, replied, context);
}

int64_t cb_report_incoming(cb_client *client, const char *call, cb_handle remote, json_t *update,
                           cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:{s:s, s:s}}", "call", call, "remote", "type",
                                remote.type, "value", remote.value);
    params = cbi_with(params, update, &status);
    return report(client, "call.report_incoming", params, status, 0, replied, context);
}

int64_t cb_may_ring(cb_client *client, const char *call, cb_handle remote, json_t *update,
                    cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:{s:s, s:s}, s:b}", "call", call, "remote",
                                "type", remote.type, "value", remote.value, "dry_run", 1);
    params = cbi_with(params, update, &status);
    return report(client, "call.report_incoming", params, status, 0, replied, context);
}

int64_t cb_report_alerting(cb_client *client, const char *call, int has_early_media,
                           int64_t at_ms, cb_replied *replied, void *context)
{
    int status;
    json_t *sound = has_early_media < 0 ? NULL : json_boolean(has_early_media);
    json_t *params = cbi_object(&status, "{s:s, s:O*}", "call", call, "has_early_media", sound);
    json_decref(sound);
    return report(client, "call.report_alerting", params, status, at_ms, replied, context);
}

int64_t cb_report_video_request(cb_client *client, const char *call, const char *video,
                                int64_t at_ms, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s?}", "call", call, "video", video);
    return report(client, "call.report_video_request", params, status, at_ms, replied, context);
}

int64_t cb_report_text_request(cb_client *client, const char *call, bool requested, int64_t at_ms,
                               cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:b}", "call", call, "requested", requested);
    return report(client, "call.report_text_request", params, status, at_ms, replied, context);
}

int64_t cb_report_text(cb_client *client, const char *call, const char *text, cb_replied *replied,
                       void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s}", "call", call, "text", text);
    return report(client, "call.report_text", params, status, 0, replied, context);
}

int64_t cb_report_participants(cb_client *client, const char *call, json_t *changed,
                               json_t *removed, bool replace, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:O*, s:O*, s:O*}", "call", call, "changed",
                                changed, "removed", removed, "replace",
                                replace ? json_true() : NULL);
    json_decref(changed);
    json_decref(removed);
    return report(client, "call.report_participants", params, status, 0, replied, context);
}

static json_t *known(int value)
{
    return value < 0 ? NULL : json_integer(value);
}

int64_t cb_report_quality(cb_client *client, const char *call, int loss_permille, int jitter_ms,
                          int round_trip_ms, cb_replied *replied, void *context)
{
    int status;
    json_t *loss = known(loss_permille), *jitter = known(jitter_ms), *trip = known(round_trip_ms);
    json_t *params = cbi_object(&status, "{s:s, s:O*, s:O*, s:O*}", "call", call, "loss_permille",
                                loss, "jitter_ms", jitter, "round_trip_ms", trip);
    json_decref(loss);
    json_decref(jitter);
    json_decref(trip);
    return report(client, "call.report_quality", params, status, 0, replied, context);
}

int64_t cb_report_connecting(cb_client *client, const char *call, int64_t at_ms,
                             cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s}", "call", call);
    return report(client, "call.report_connecting", params, status, at_ms, replied, context);
}

int64_t cb_report_connected(cb_client *client, const char *call, int64_t at_ms,
                            cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s}", "call", call);
    return report(client, "call.report_connected", params, status, at_ms, replied, context);
}

int64_t cb_report_held(cb_client *client, const char *call, bool held, int64_t at_ms,
                       cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:b}", "call", call, "held", held);
    return report(client, "call.report_held", params, status, at_ms, replied, context);
}

int64_t cb_report_muted(cb_client *client, const char *call, bool muted, int64_t at_ms,
                        cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:b}", "call", call, "muted", muted);
    return report(client, "call.report_muted", params, status, at_ms, replied, context);
}

int64_t cb_report_group(cb_client *client, const char *call, const char *with, int64_t at_ms,
                        cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s?}", "call", call, "with", with);
    return report(client, "call.report_group", params, status, at_ms, replied, context);
}

int64_t cb_report_missed(cb_client *client, const char *call, cb_handle remote, const char *reason,
                         int64_t at_ms, json_t *update, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:{s:s, s:s}, s:s}", "call", call, "remote",
                                "type", remote.type, "value", remote.value, "reason", reason);
    params = cbi_with(params, update, &status);
    return report(client, "call.report_missed", params, status, at_ms, replied, context);
}

int64_t cb_report_external(cb_client *client, const char *call, bool outgoing, int64_t at_ms,
                           json_t *update, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s}", "call", call, "direction",
                                outgoing ? "outgoing" : "incoming");
    params = cbi_with(params, update, &status);
    return report(client, "call.report_external", params, status, at_ms, replied, context);
}

int64_t cb_report_update(cb_client *client, const char *call, json_t *update, cb_replied *replied,
                         void *context)
{
    int status;
    json_t *params = cbi_with(cbi_object(&status, "{s:s}", "call", call), update, &status);
    return report(client, "call.report_update", params, status, 0, replied, context);
}

/* The params of an end; a detail without anything is none. */
static json_t *end_params(int *status, const char *call, const char *reason,
                          const cb_end_detail *detail)
{
    if (!detail || !(detail->reason || detail->text || detail->code))
        return cbi_object(status, "{s:s, s:s}", "call", call, "reason", reason);
    return cbi_object(status, "{s:s, s:s, s:{s:s*, s:s*, s:s*}}", "call", call, "reason", reason,
                      "end_detail", "reason", detail->reason, "text", detail->text, "code",
                      detail->code);
}

int64_t cb_report_ended(cb_client *client, const char *call, cb_end_reason reason, int64_t at_ms,
                        cb_replied *replied, void *context)
{
    return cb_report_ended_because(client, call, reason, NULL, at_ms, replied, context);
}

int64_t cb_report_ended_because(cb_client *client, const char *call, cb_end_reason reason,
                                const cb_end_detail *detail, int64_t at_ms, cb_replied *replied,
                                void *context)
{
    static const char *const words[] = {NULL, "failed", "remote_ended", "unanswered",
                                        "answered_elsewhere", "declined_elsewhere"};
    int status;
    if (reason < CB_FAILED || reason > CB_DECLINED_ELSEWHERE)
        return -EINVAL;
    json_t *params = end_params(&status, call, words[reason], detail);
    return report(client, "call.report_ended", params, status, at_ms, replied, context);
}

int64_t cb_report_ended_elsewhere(cb_client *client, const char *call, cb_end_reason reason,
                                  const char *elsewhere, int64_t at_ms, cb_replied *replied,
                                  void *context)
{
    int status;
    if (reason != CB_ANSWERED_ELSEWHERE && reason != CB_DECLINED_ELSEWHERE)
        return -EINVAL;
    const char *word =
        reason == CB_ANSWERED_ELSEWHERE ? "answered_elsewhere" : "declined_elsewhere";
    json_t *params = cbi_object(&status, "{s:s, s:s, s:s*}", "call", call, "reason", word,
                                "elsewhere", elsewhere);
    return report(client, "call.report_ended", params, status, at_ms, replied, context);
}

/* ---- Ids and addresses */

/* A random UUID, version 4. */
void cb_new_id(char id[37])
{
    unsigned char b[16];
    while (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        continue;
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    snprintf(id, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
             b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

cb_handle cb_phone(const char *number)
{
    return (cb_handle){"phone", number};
}

cb_handle cb_generic(const char *address)
{
    return (cb_handle){"generic", address};
}
