/* Memory runs out at every point of a provider's life, once or for a while: nothing crashes or leaks,
 * and the provider goes on. */
#include "scripted_broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long countdown = -1; /* allocations until one fails; negative: none does */
static bool is_lasting;     /* whether all fail from then on */
static bool has_failed;

static void *allocate(size_t bytes)
{
    bool fails = countdown == 0;
    countdown -= countdown > 0 || (fails && !is_lasting);
    has_failed = has_failed || fails;
    return fails ? NULL : malloc(bytes);
}

static void *allocate_client(void *context, size_t bytes)
{
    CHECK(context == &countdown);
    return allocate(bytes);
}

static void release_client(void *context, void *memory)
{
    CHECK(context == &countdown);
    free(memory);
}

static json_t *live_calls(cb_client *told, void *context)
{
    (void)told, (void)context;
    return json_pack("[{s:s}]", "call", CALL);
}

static void fulfil(cb_client *told, const cb_action *action, void *context)
{
    (void)context;
    static const cb_end_detail why = {"busy", "Busy Here", "SIP 486"};
    if (strcmp(action->kind, "end") == 0)
        cb_fail_because(told, action->id, &why);
    else
        cb_fulfil(told, action->id, 1);
}

static void execute(cb_client *told, cb_token request, const json_t *transaction, void *context)
{
    (void)transaction, (void)context;
    cb_take(told, request, true);
    static const cb_end_detail why = {NULL, NULL, "SIP 486"};
    cb_settle(told, ACTION, NULL, NULL, 1, NULL, NULL);
    cb_settle_failed(told, OTHER, &why, NULL, NULL);
    cb_report_alerting(told, CALL, 1, 1, NULL, NULL);
    cb_report_quality(told, CALL, 1, 1, 1, NULL, NULL);
    cb_report_participants(told, CALL, json_pack("[{s:s}]", "participant", "7"), json_pack("[s]", "9"), true,
                           NULL, NULL);
    cb_report_ended_because(told, CALL, CB_REMOTE_ENDED, &why, 1, NULL, NULL);
}

static cb_options options(void)
{
    cb_options options = provider_options();
    options.allocator = (cb_allocator){allocate_client, release_client, &countdown};
    options.handlers.perform = fulfil;
    options.handlers.execute = execute;
    options.handlers.live_calls = live_calls;
    return options;
}

/* The lines of the broker, as text: what it makes of them needs memory as well. */
static void play(const char *line)
{
    long left = countdown;
    countdown = -1;
    send_text("%s", line);
    countdown = left;
    turn();
}

static void live_through(void)
{
    static const char *const lines[] = {
        "{'id': 1, 'result': {'session': {'session': 'S', 'secret': 's'}, 'limits': {}}}",
        "{'id': 2, 'result': {'dropped': ['" OTHER "']}}",
        "{'id': 1, 'method': 'broker.ping', 'params': {'payload': [1, 'x']}}",
        "{'id': 2, 'method': 'provider.perform', 'params': {'action': 'a', 'kind': 'answer'}}",
        "{'id': 3, 'method': 'provider.perform', 'params': {'action': 'b', 'kind': 'end'}}",
        "{'id': 4, 'method': 'provider.perform', 'params': {'action': 'a', 'kind': 'answer'}}",
        "{'id': 5, 'method': 'provider.execute', 'params': {}}", "{'id': 6, 'method': 'x'}",
        "{'id': 'x', 'method': 'x'}", "{'method': 'event', 'params': {'topic': 'call.added'}}",
        "{'method': 'broker.cancel', 'params': {'request': 2}}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        play(lines[i]);
    cb_report_incoming(client, CALL, cb_phone("+15550100"), NULL, NULL, NULL);
    cb_report_missed(client, CALL, cb_generic("x"), "unanswered", 1, NULL, NULL, NULL);
    cb_report_group(client, CALL, NULL, 5, NULL, NULL);
    cb_report_external(client, CALL, false, 5, NULL, NULL, NULL);
    cb_update_registration(client, json_pack("{s:s}", "icon", "x"), NULL, NULL);
    cb_request_authorization(client, NULL, NULL);
    cb_report_progress(client, "a", "x", 1, "x", 1);
    cb_deliver_push(client, "a.b", "voip", json_object(), 1, true, NULL, NULL);
    cb_set_push_token(client, "a.b", "voip", NULL, NULL, NULL);
    cb_issue_grant(client, "x", json_pack("{s:s}", "calls", "own"), NULL, NULL);
    cb_cancel(client, cb_request(client, "call.list", NULL, NULL, NULL));
    turn();
}

/* Memory is short after this many allocations. Returns whether there were so many. */
static bool fails_after(long count)
{
    cb_options wanted = options();
    has_failed = false;
    countdown = count;
    cb_client *made = cb_new(&wanted);
    if (!made) {
        countdown = -1;
        return true;
    }
    cb_free(made);
    countdown = -1;
    start(options());
    accept_client();
    countdown = count;
    live_through();
    countdown = -1;
    if (!cb_is_open(client)) {
        lose();
        accept_client();
        greet();
    }
    CHECK(cb_is_open(client));
    stop();
    return has_failed;
}

static void memory_runs_out_at_every_point(void)
{
    for (int lasting = 0; lasting < 2; lasting++) {
        long count = 0;
        is_lasting = lasting;
        while (fails_after(count))
            count++;
        CHECK(count > 100);
        printf("%ld allocations\n", count);
    }
}

void memory_tests(void)
{
    json_set_alloc_funcs(allocate, free);
    memory_runs_out_at_every_point();
    json_set_alloc_funcs(malloc, free);
}
