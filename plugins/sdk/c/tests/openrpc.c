/* Every example of the broker's own description is written and read as it stands. */
#include "scripted_broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *expected; /* the params that a handler is to be told */
static cb_token token;

static void compare(const json_t *found)
{
    if (!json_equal(found, expected))
        fprintf(stderr, "expected %s\nfound %s\n", json_dumps(expected, 0), json_dumps(found, 0));
    CHECK(json_equal(found, expected));
}

/* ---- What the broker tells */

static void heard(cb_client *told, const char *method, const json_t *params, void *context)
{
    (void)told, (void)context;
    compare(params);
    note("%s", method);
}

static void asked(cb_client *told, cb_token request, const char *method, const json_t *params,
                  void *context)
{
    (void)told, (void)context;
    compare(params);
    note("%s", method);
    token = request;
}

static void execute(cb_client *told, cb_token request, const json_t *params, void *context)
{
    asked(told, request, "provider.execute", params, context);
}

static void perform(cb_client *told, const cb_action *action, void *context)
{
    (void)context;
    json_t *params = json_pack("{s:s, s:s, s:s, s:O, s:s, s:O, s:I, s:i, s:I}", "action", action->id,
                               "kind", action->kind, "call", action->call, "arguments",
                               action->arguments, "transaction", action->transaction, "cause",
                               action->cause, "deadline_ms", (json_int_t)action->deadline_ms,
                               "attempt", action->attempt, "age_ms", (json_int_t)action->age_ms);
    compare(params);
    json_decref(params);
    note("provider.perform");
    CHECK(cb_fulfil(told, action->id, 0) == 0);
}

static void send_json(json_t *frame)
{
    char *line = json_dumps(frame, JSON_COMPACT);
    send_bytes(line, strlen(line));
    send_bytes("\n", 1);
    free(line);
    json_decref(frame);
}

static void answer(const char *method, json_t *result)
{
    if (strcmp(method, "provider.execute") == 0)
        cb_take(client, token, json_is_true(json_object_get(result, "taken")));
    else if (strcmp(method, "provider.perform") != 0 && strcmp(method, "broker.ping") != 0)
        cb_respond(client, token, json_incref(result));
}

static void told(const char *method, json_t *params, json_t *result)
{
    const char *name = json_object_get(params, "topic") ? "event" : method;
    expected = params;
    send_json(json_pack("{s:I, s:s, s:O}", "id", (json_int_t)7, "method", name, "params", params));
    turn();
    answer(method, result);
    char story[64] = "";
    if (strcmp(method, "broker.ping") != 0)
        snprintf(story, sizeof story, "%s; ", method);
    CHECK_STORY(story);
    const json_t *frame = read_frame(NULL);
    CHECK(json_integer_value(json_object_get(frame, "id")) == 7);
    CHECK(json_equal(json_object_get(frame, "result"), result));
}

static void notified(const char *method, json_t *params)
{
    const char *name = json_object_get(params, "topic") ? "event" : method;
    char story[64];
    expected = params;
    send_json(json_pack("{s:s, s:O}", "method", name, "params", params));
    turn();
    snprintf(story, sizeof story, "%s; ", name);
    CHECK_STORY(strcmp(name, "broker.cancel") == 0 ? "" : story);
}

/* ---- What a client says */

static const char *text(const json_t *params, const char *member)
{
    return json_string_value(json_object_get(params, member));
}

static int64_t number(const json_t *params, const char *member)
{
    return json_integer_value(json_object_get(params, member));
}

static bool truth(const json_t *params, const char *member)
{
    return json_is_true(json_object_get(params, member));
}

static cb_handle remote(const json_t *params)
{
    const json_t *handle = json_object_get(params, "remote");
    return (cb_handle){text(handle, "type"), text(handle, "value")};
}

static cb_end_reason reason(const json_t *params)
{
    const char *words[] = {"failed", "remote_ended", "unanswered", "answered_elsewhere",
                           "declined_elsewhere"};
    for (int i = 0; i < 5; i++)
        if (strcmp(words[i], text(params, "reason")) == 0)
            return (cb_end_reason)(i + 1);
    return (cb_end_reason)0;
}

static void same(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(!error);
    compare(result);
    note("replied");
}

static int64_t end(const json_t *params, const char *call, int64_t at)
{
    const json_t *words = json_object_get(params, "end_detail");
    const char *elsewhere = text(params, "elsewhere");
    if (elsewhere)
        return cb_report_ended_elsewhere(client, call, reason(params), elsewhere, at, same, NULL);
    if (!words)
        return cb_report_ended(client, call, reason(params), at, same, NULL);
    const cb_end_detail detail = {text(words, "reason"), text(words, "text"), text(words, "code")};
    return cb_report_ended_because(client, call, reason(params), &detail, at, same, NULL);
}

/* Pushes and grants: by the functions of their own that have params. */
static int64_t administer(const char *method, json_t *params)
{
    const char *provider = text(params, "provider"), *name = text(params, "name");
    if (strcmp(method, "push.deliver") == 0)
        return cb_deliver_push(client, provider, text(params, "type"),
                               json_incref(json_object_get(params, "payload")),
                               json_object_get(params, "ttl_ms") ? number(params, "ttl_ms") : -1,
                               text(params, "wait") != NULL, same, NULL);
    if (strcmp(method, "push.set_token") == 0)
        return cb_set_push_token(client, provider, text(params, "type"), text(params, "token"), same,
                                 NULL);
    if (strcmp(method, "push.reset") == 0)
        return cb_reset_pushes(client, provider, same, NULL);
    if (strcmp(method, "grant.issue") == 0)
        return cb_issue_grant(client, name, json_incref(params), same, NULL);
    if (strcmp(method, "grant.revoke") == 0)
        return cb_revoke_grant(client, name, same, NULL);
    return cb_request(client, method, json_incref(params), same, NULL);
}

/* By the function of its own, or by the one for all. */
static int64_t say(const char *method, json_t *params)
{
    const char *call = text(params, "call");
    int64_t at = number(params, "at_ms");
    json_t *update = json_incref(params); /* its other members are the update's */
    if (strcmp(method, "call.report_incoming") == 0)
        return cb_report_incoming(client, call, remote(params), update, same, NULL);
    if (strcmp(method, "call.report_missed") == 0)
        return cb_report_missed(client, call, remote(params), text(params, "reason"), at, update,
                                same, NULL);
    if (strcmp(method, "call.report_update") == 0)
        return cb_report_update(client, call, update, same, NULL);
    json_decref(update);
    if (strcmp(method, "call.report_alerting") == 0)
        return cb_report_alerting(client, call, json_object_get(params, "has_early_media")
                                                    ? truth(params, "has_early_media") : -1,
                                  at, same, NULL);
    if (strcmp(method, "call.report_video_request") == 0)
        return cb_report_video_request(client, call, text(params, "video"), at, same, NULL);
    if (strcmp(method, "call.report_text_request") == 0)
        return cb_report_text_request(client, call, truth(params, "requested"), at, same, NULL);
    if (strcmp(method, "call.report_text") == 0)
        return cb_report_text(client, call, text(params, "text"), same, NULL);
    if (strcmp(method, "call.report_quality") == 0)
        return cb_report_quality(client, call, number(params, "loss_permille"),
                                 number(params, "jitter_ms"), number(params, "round_trip_ms"), same,
                                 NULL);
    if (strcmp(method, "call.report_participants") == 0)
        return cb_report_participants(client, call,
                                      json_incref(json_object_get(params, "changed")),
                                      json_incref(json_object_get(params, "removed")),
                                      truth(params, "replace"), same, NULL);
    if (strcmp(method, "call.report_connecting") == 0)
        return cb_report_connecting(client, call, at, same, NULL);
    if (strcmp(method, "call.report_connected") == 0)
        return cb_report_connected(client, call, at, same, NULL);
    if (strcmp(method, "call.report_held") == 0)
        return cb_report_held(client, call, truth(params, "held"), at, same, NULL);
    if (strcmp(method, "call.report_muted") == 0)
        return cb_report_muted(client, call, truth(params, "muted"), at, same, NULL);
    if (strcmp(method, "call.report_group") == 0)
        return cb_report_group(client, call, text(params, "with"), at, same, NULL);
    if (strcmp(method, "call.report_ended") == 0)
        return end(params, call, at);
    if (strcmp(method, "action.settle") == 0)
        return cb_settle(client, text(params, "action"),
                         strcmp(text(params, "outcome"), "failed") ? NULL : text(params, "reason"),
                         text(params, "message"), at, same, NULL);
    return strncmp(method, "push.", 5) && strncmp(method, "grant.", 6)
               ? cb_request(client, method, json_incref(params), same, NULL)
               : administer(method, params);
}

static void said(const char *method, json_t *params, json_t *result)
{
    CHECK(result ? say(method, params) > 0 : cb_notify(client, method, json_incref(params)) == 0);
    const json_t *frame = read_frame(method);
    expected = params;
    compare(json_object_get(frame, "params"));
    if (!result)
        return;
    expected = result;
    send_json(json_pack("{s:O, s:O}", "id", json_object_get(frame, "id"), "result", result));
    turn();
    CHECK_STORY("replied; ");
}

/* ---- The document */

static json_t *values(const json_t *list)
{
    json_t *object = json_object();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *param = json_array_get(list, i);
        json_object_set(object, text(param, "name"), json_object_get(param, "value"));
    }
    return object;
}

static void try_example(const json_t *method, const json_t *example)
{
    const char *name = text(method, "name"), *direction = text(method, "x-direction");
    json_t *params = values(json_object_get(example, "params"));
    json_t *result = json_object_get(json_object_get(example, "result"), "value");
    if (strcmp(direction, "to_client") != 0 && strcmp(name, "broker.hello") != 0)
        said(name, params, result);
    if (strcmp(direction, "to_broker") != 0 && result)
        told(name, params, result);
    else if (strcmp(direction, "to_broker") != 0)
        notified(name, params);
    json_decref(params);
}

void openrpc_tests(const char *path)
{
    json_t *document = json_load_file(path, 0, NULL), *methods, *method, *example;
    size_t i, j, count = 0;
    cb_options options = provider_options();
    options.handlers.told = heard;
    options.handlers.asked = asked;
    options.handlers.execute = execute;
    options.handlers.perform = perform;
    start(options);
    accept_client();
    greet();
    CHECK_STORY("opened; ");
    methods = json_object_get(document, "methods");
    json_array_foreach(methods, i, method)
        json_array_foreach(json_object_get(method, "examples"), j, example) {
            try_example(method, example);
            count++;
        }
    CHECK(count > 50);
    printf("%zu examples\n", count);
    json_decref(document);
    stop();
}
