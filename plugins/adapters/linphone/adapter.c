#include "adapter.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MISSES = 64, /* ids without a call, one after the other, until there is none any more */
    LEAVING_MS = 1000,
    ACCOUNTS_MS = 1000 /* between two questions for accounts: nothing is reported of them */
};

static const char *const roles[] = {"provider", "controller", NULL};
static const char *const features[] = {"alerting", "tone", NULL};

void say(const struct adapter *adapter, const char *text)
{
    if (adapter->options->verbose)
        fprintf(stderr, "linphone_provider: %s\n", text);
}

void adapter_init(struct adapter *adapter, const struct options *options)
{
    memset(adapter, 0, sizeof *adapter);
    adapter->options = options;
    adapter->app.descriptor = adapter->app_log.descriptor = -1;
    adapter->app.event = adapter_event;
    adapter->app.context = adapter;
}

/* ---- The broker */

static void opened(cb_client *client, void *context)
{
    struct adapter *adapter = context;
    (void)client;
    say(adapter, "registered");
    tell_rest(adapter);
}

static void lost(cb_client *client, const cb_error *why, bool over, void *context)
{
    struct adapter *adapter = context;
    (void)client;
    adapter->is_over = over;
    if (over)
        fprintf(stderr, "linphone_provider: the broker does not take it: %s (%s)\n", why->message,
                why->reason);
    else
        say(adapter, "no broker; trying again");
}

static json_t *live_calls(cb_client *client, void *context)
{
    struct adapter *adapter = context;
    json_t *calls = json_array();
    (void)client;
    adapter->over_count = 0;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call && *leg->address && !leg->is_gone &&
            !(leg->is_ending && !*leg->ending)) {
            json_array_append_new(calls, leg_live(leg));
            leg->is_reported = true;
            leg_told(leg);
        }
    return calls;
}

static void dropped(cb_client *client, const char *call, void *context)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, call);
    (void)client;
    if (leg)
        hang_up(adapter, leg);
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    struct adapter *adapter = context;
    (void)client;
    (void)params;
    if (strcmp(method, "provider.reset") != 0)
        return;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call)
            hang_up(adapter, leg);
}

static void join(struct adapter *adapter)
{
    const struct options *options = adapter->options;
    json_t *about = json_pack("{s:s, s:[s], s:[s,s], s:s, s:s, s:i, s:i}", "display_name",
                              options->display_name, "handle_types", "generic", "url_schemes",
                              "sip", "sips", "app_process", "separate", "kind", "adapter",
                              "max_call_groups", options->calls, "max_calls_per_group", 1);
    if (options->gateway) {
        json_array_append_new(json_object_get(about, "handle_types"), json_string("phone"));
        json_array_append_new(json_object_get(about, "url_schemes"), json_string("tel"));
    }
    if (json_array_size(adapter->accounts) > 0)
        json_object_set(about, "lines", adapter->accounts);
    adapter->client = cb_new(&(cb_options){
        .name = "linphone_provider", .version = "0.1.0", .identity = options->identity,
        .features = features,
        .roles = roles, .registration = about, .socket = options->broker,
        .handlers = {.opened = opened, .lost = lost, .live_calls = live_calls, .dropped = dropped,
                     .perform = adapter_perform, .withdrawn = adapter_withdrawn, .told = told},
        .context = adapter});
    json_decref(about);
    if (!adapter->client) {
        perror("linphone_provider");
        adapter->is_over = true;
    }
}

/* ---- Accounts */

static void listed(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    json_t *accounts = read_accounts(block, adapter->options->account.address);
    log_read(&adapter->app_log);
    log_add_reasons(&adapter->app_log, accounts);
    (void)key;
    if (adapter->client && !json_equal(accounts, adapter->accounts))
        cb_update_registration(adapter->client, json_pack("{s:O}", "lines", accounts), NULL, NULL);
    json_decref(adapter->accounts);
    adapter->accounts = accounts;
}

/* Which one is the default is not asked for: the app ends at `config-get` of what is not set. */
static void look_for_accounts(struct adapter *adapter, int64_t now)
{
    app_ask(&adapter->app, "register-info ALL", "", listed);
    adapter->accounts_at = now + ACCOUNTS_MS;
}

/* ---- Finding out which calls there are: the app has no list, and numbers them upwards */

static void surveyed(struct adapter *adapter)
{
    adapter->is_surveyed = true;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call && !leg->is_found)
            leg_closed(adapter, leg, CB_FAILED, NULL); /* nobody saw why */
    keep(adapter);
    follow_microphone(adapter);
    say(adapter, "attached");
    if (!adapter->client)
        join(adapter);
    else if (cb_is_open(adapter->client))
        tell_rest(adapter);
}

/* Nobody saw whether what was to be undone has happened. */
static void settle_undo(struct adapter *adapter, struct leg *leg)
{
    bool has_happened = leg->undoing == RESUME ? leg->is_held : leg->is_streaming;
    if (has_happened || leg->is_under_way)
        leg->is_held = leg->undoing == HOLD; /* for the broker */
    if (has_happened && !leg->is_under_way)
        send_undo(adapter, leg);
    else if (!leg->is_under_way)
        leg->undoing = NOTHING;
}

static bool is_repeatable(const struct leg *leg)
{
    return leg->doing == HOLD || leg->doing == RESUME || leg->doing == ANSWER;
}

/* The app may never have got it. Time is left: else it would have been answered. */
static void repeat(struct adapter *adapter, struct leg *leg)
{
    leg->is_sent = leg->is_under_way && leg->doing == (leg->is_held ? RESUME : HOLD);
    if (leg->is_under_way && leg->doing != ANSWER) {
        leg->is_held = leg->doing == RESUME; /* until it is done */
        leg->is_under_way = leg->is_sent;
        return;
    }
    if (leg->doing == ANSWER)
        send_answer(adapter, leg);
    else if (leg->doing == RESUME || leg->is_streaming)
        send_hold(adapter, leg);
}

/* What was asked for while the app was away may have been done, or never heard of. */
static void settle(struct adapter *adapter, struct leg *leg)
{
    bool is_done = (leg->doing == HOLD && leg->is_held && !leg->is_under_way) ||
                   (leg->doing == RESUME && !leg->is_held && leg->is_streaming) ||
                   (leg->doing == ANSWER && leg->is_established);
    if (is_done) {
        leg->told_held = leg->is_held;
        leg->told_established = leg->is_established;
        done(adapter, leg);
    } else if (*leg->action && is_repeatable(leg)) {
        repeat(adapter, leg);
    } else if (*leg->action && leg->doing != START) {
        failed(adapter, leg, "app_gone", "linphone did not answer");
    }
    if (leg->undoing != NOTHING)
        settle_undo(adapter, leg);
    if (leg->is_ending)
        hang_up(adapter, leg);
}

static void found(struct adapter *adapter, const char *block)
{
    char name[64] = "", direction[16] = "", from[512] = "", call[37];
    block_value(block, "State", name, sizeof name);
    block_value(block, "Direction", direction, sizeof direction);
    block_value(block, "From", from, sizeof from);
    enum state state = state_named(name);
    if (state == ENDED || state == FAILED)
        return;
    struct leg *leg = leg_with_id(adapter->legs, adapter->probing);
    if (!leg)
        leg = recall(adapter->legs, adapter->known, adapter->probing);
    if (!leg) {
        cb_new_id(call);
        leg = new_leg(adapter->legs, adapter->probing, call);
        if (!leg)
            return;
        /* Only some states have a direction. */
        leg->is_incoming = *direction ? strcmp(direction, "in") == 0 : state == INCOMING;
    }
    if (*from)
        read_address(from, leg->address, sizeof leg->address, leg->name, sizeof leg->name);
    else if (!*leg->address)
        strcpy(leg->address, "unknown"); /* while it is being held, it has none */
    leg->is_found = true;
    leg->has_rung = state == FAR_END_RINGS || state == FAR_END_SOUNDS;
    leg->has_early_media = state == FAR_END_SOUNDS;
    leg->is_established = state >= CONNECTED && state <= PAUSED_BY_REMOTE;
    leg->is_streaming = state == STREAMING || state == PAUSED_BY_REMOTE;
    leg->is_held = state == PAUSED || state == RESUMING;
    leg->is_held_by_remote = state == PAUSED_BY_REMOTE;
    leg->is_under_way = state == PAUSING || state == RESUMING;
    settle(adapter, leg);
    tell(adapter, leg);
}

static void probe(struct adapter *adapter);

static void probed(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    (void)key;
    if (block_is_ok(block)) {
        found(adapter, block);
        if (adapter->probing > adapter->highest)
            adapter->highest = adapter->probing;
    }
    adapter->probing++;
    probe(adapter);
}

static bool is_known(struct adapter *adapter, int id)
{
    char key[16];
    snprintf(key, sizeof key, "%d", id);
    return leg_with_id(adapter->legs, id) || json_object_get(adapter->known, key);
}

static void probe(struct adapter *adapter)
{
    char text[32];
    while (adapter->probing <= adapter->seen && !is_known(adapter, adapter->probing))
        adapter->probing++;
    if (adapter->probing > adapter->highest + MISSES) {
        surveyed(adapter);
        return;
    }
    snprintf(text, sizeof text, "call-status %d", adapter->probing);
    app_ask(&adapter->app, text, "", probed);
}

int adapter_attach(struct adapter *adapter, const char *path, int64_t now)
{
    char before[sizeof adapter->app.instance];
    int highest;
    strcpy(before, adapter->app.instance);
    int status = app_open(&adapter->app, path, now);
    if (status < 0)
        return status;
    if (strcmp(before, adapter->app.instance) != 0) {
        for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
            if (*leg->call)
                leg_closed(adapter, leg, CB_FAILED, NULL);
        adapter->highest = 0;
        log_open(&adapter->app_log, atoi(adapter->app.instance));
    }
    json_decref(adapter->known);
    adapter->known = remembered(adapter->options->memory, adapter->app.instance, &highest);
    if (highest > adapter->highest)
        adapter->highest = highest;
    adapter->seen = adapter->highest;
    adapter->ring_ms = app_ring_ms(&adapter->app);
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++) {
        leg->is_found = false;
        if (*leg->call && leg->id == 0)
            leg_closed(adapter, leg, CB_FAILED, NULL); /* it was being dialled; nobody knows */
    }
    adapter->is_surveyed = false;
    adapter->is_muted = true; /* unknown: it is set to what it shall be */
    adapter->probing = 1;
    look_for_accounts(adapter, now);
    probe(adapter);
    return 0;
}

/* ---- Its place in the loop */

bool adapter_process(struct adapter *adapter, int64_t now)
{
    if (!app_process(&adapter->app, now))
        return false;
    if (adapter->client && !cb_process(adapter->client, now))
        adapter->is_over = true;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++) {
        if (*leg->call && adapter->client)
            expire(adapter, leg, now);
        if (*leg->call && leg->doing == TONES && leg->is_sent && now >= leg->digit_at)
            next_digit(adapter, leg, now);
    }
    if (now >= adapter->accounts_at)
        look_for_accounts(adapter, now);
    return true;
}

int64_t adapter_deadline(const struct adapter *adapter)
{
    int64_t first = app_deadline(&adapter->app);
    if (adapter->client && cb_deadline_ms(adapter->client) < first)
        first = cb_deadline_ms(adapter->client);
    for (const struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call && leg_answer_by(leg) < first)
            first = leg_answer_by(leg);
    return first; /* tones wait longer than it takes to ask what has happened */
}

static void left(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    (void)client, (void)result, (void)error;
    *(bool *)context = true;
}

void adapter_leave(struct adapter *adapter, bool resumable)
{
    bool is_left = false;
    cb_client *client = adapter->client;
    if (!client)
        return;
    adapter->is_leaving = true; /* they may come again, when an app that hung goes on */
    for (struct leg *leg = adapter->legs; !resumable && leg < adapter->legs + LEGS; leg++)
        if (*leg->call)
            leg_closed(adapter, leg, CB_FAILED, NULL);
    int64_t until = cb_now_ms() + LEAVING_MS;
    if (!resumable && cb_is_open(client))
        cb_request(client, "provider.unregister", NULL, left, &is_left);
    while (!resumable && cb_is_open(client) && !is_left && cb_now_ms() < until) {
        struct pollfd wait = {cb_descriptor(client), cb_events(client), 0};
        poll(&wait, 1, 10);
        cb_process(client, cb_now_ms());
    }
    cb_close(client, resumable);
    cb_free(client);
    adapter->client = NULL;
}

void adapter_free(struct adapter *adapter)
{
    app_close(&adapter->app);
    log_close(&adapter->app_log);
    cb_free(adapter->client);
    json_decref(adapter->known);
    json_decref(adapter->accounts);
}
