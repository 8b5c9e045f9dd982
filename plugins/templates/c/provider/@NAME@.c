/* @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo. */
#include "callbroker.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The calls that live, by their ids, as the broker has to know them. */
static json_t *calls;

static json_t *live_calls(cb_client *client, void *context)
{
    json_t *list = json_array(), *facts;
    const char *call;
    (void)client, (void)context;
    json_object_foreach(calls, call, facts)
        json_array_append(list, facts);
    return list;
}

static void dropped(cb_client *client, const char *call, void *context)
{
    (void)client, (void)context;
    json_object_del(calls, call);
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    (void)client, (void)params, (void)context;
    if (strcmp(method, "provider.reset") == 0)
        json_object_clear(calls);
}

static void perform(cb_client *client, const cb_action *action, void *context)
{
    json_t *facts = json_object_get(calls, action->call);
    int is_answer = strcmp(action->kind, "answer") == 0, is_end = strcmp(action->kind, "end") == 0;
    (void)context;
    if (!is_answer && !is_end && strcmp(action->kind, "set_muted") != 0) {
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
        return;
    }
    if (!facts) {
        cb_fail(client, action->id, CB_BROKER_ERROR, "no_such_call", NULL);
        return;
    }
    if (is_answer)
        json_object_set_new(facts, "state", json_string("active"));
    if (is_end)
        json_object_del(calls, action->call);
    cb_fulfil(client, action->id, 0);
}

static void rang(cb_client *client, const json_t *result, const cb_error *error, void *call)
{
    (void)client, (void)result;
    if (error && error->code != CB_DISCONNECTED) /* it may not ring */
        json_object_del(calls, call);
    free(call);
}

static void ring(cb_client *client, char *who)
{
    char *call = malloc(37);
    if (!call)
        return;
    who[strcspn(who, "\n")] = '\0';
    cb_new_id(call);
    json_object_set_new(calls, call, json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:b}", "call", call,
                                               "direction", "incoming", "state", "ringing", "remote",
                                               "type", "generic", "value", who,
                                               "supports_holding", 0));
    if (cb_report_incoming(client, call, cb_generic(who), json_pack("{s:b}", "supports_holding", 0),
                           rang, call) < 0)
        free(call); /* there is no connection: live_calls() tells of it */
}

static int open_bell(void)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    char path[256];
    snprintf(path, sizeof path, "%s/@NAME@.fifo", folder ? folder : "/tmp");
    if (mkfifo(path, 0600) != 0 && errno != EEXIST)
        return -1;
    return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

int main(void)
{
    json_t *about = json_pack("{s:s, s:[s]}", "display_name", "@TITLE@", "handle_types", "generic");
    cb_client *client = cb_new(&(cb_options){
        .name = "@NAME@", .identity = "@IDENTITY@", .registration = about,
        .handlers = {.live_calls = live_calls, .dropped = dropped, .told = told,
                     .perform = perform}});
    int bell = open_bell();
    char who[61];
    calls = json_object();
    json_decref(about);
    while (client && bell >= 0 && cb_process(client, cb_now_ms())) {
        struct pollfd wait[] = {{cb_descriptor(client), cb_events(client), 0}, {bell, POLLIN, 0}};
        poll(wait, 2, cb_timeout_ms(client, cb_now_ms()));
        ssize_t count = wait[1].revents ? read(bell, who, sizeof who - 1) : 0;
        if (count > 0) {
            who[count] = '\0';
            ring(client, who);
        }
    }
    cb_free(client);
    json_decref(calls);
    return bell < 0;
}
