/* Pushes: what an app's server sends to an app that perhaps does not run. */
#include "internal.h"

#include <errno.h>
#include <string.h>

/* A push may look for its app for 600 s, and be handled for 30. */
#define PUSH_MS 640000

/* ---- The app */

/* Whether there is a handler for it. */
bool cbi_push(cb_client *client, cb_token request, const char *method, const json_t *params)
{
    if (!client->handlers.pushed || strcmp(method, "push.received") != 0)
        return false;
    const json_t *payload = json_object_get(params, "payload");
    client->handlers.pushed(client, request, cbi_text(params, "type"),
                            json_is_object(payload) ? payload : client->empty, client->context);
    return true;
}

/* Whether there is a handler for it. */
bool cbi_told_of_pushes(cb_client *client, const char *method, const json_t *params)
{
    const cb_handlers *handlers = &client->handlers;
    if (handlers->push_token && strcmp(method, "push.token") == 0) {
        handlers->push_token(client, cbi_text(params, "type"),
                             json_string_value(json_object_get(params, "token")),
                             client->context);
        return true;
    }
    if (handlers->push_unreported && strcmp(method, "push.unreported") == 0) {
        handlers->push_unreported(client, cbi_text(params, "push"),
                                  (int)json_integer_value(json_object_get(params, "in_a_row")),
                                  json_is_true(json_object_get(params, "stopped")),
                                  client->context);
        return true;
    }
    return false;
}

/* ---- The gateway */

int64_t cb_deliver_push(cb_client *client, const char *provider, const char *type, json_t *payload,
                        int64_t ttl_ms, bool wait, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:O, s:s*, s:s*}", "provider", provider,
                                "payload", payload, "type", type, "wait",
                                wait ? "completed" : NULL);
    json_decref(payload);
    if (!params)
        return status;
    if (ttl_ms >= 0 && json_object_set_new(params, "ttl_ms", json_integer(ttl_ms)) < 0) {
        json_decref(params);
        return -ENOMEM;
    }
    if (!wait || !cb_is_open(client))
        return cb_request(client, "push.deliver", params, replied, context);
    int64_t limit = client->request_timeout_ms;
    return cbi_ask(client, "push.deliver", params, replied, context,
                   limit && limit < PUSH_MS ? PUSH_MS : limit);
}

int64_t cb_set_push_token(cb_client *client, const char *provider, const char *type,
                          const char *token, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:s, s:s?}", "provider", provider, "type", type,
                                "token", token);
    return params ? cb_request(client, "push.set_token", params, replied, context) : status;
}

/* ---- The administrator */

int64_t cb_reset_pushes(cb_client *client, const char *provider, cb_replied *replied,
                        void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s}", "provider", provider);
    return params ? cb_request(client, "push.reset", params, replied, context) : status;
}
