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
    adapter->app.descriptor = -1;
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
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
        if (*line->call && *line->address && !(line->is_ending && !*line->ending)) {
            json_array_append_new(calls, line_live(line));
            line->is_reported = true;
            line_told(line);
        }
    return calls;
}

static void dropped(cb_client *client, const char *call, void *context)
{
    struct adapter *adapter = context;
    struct line *line = line_with_call(adapter->lines, call);
    (void)client;
    if (line)
        hang_up(adapter, line);
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    struct adapter *adapter = context;
    (void)client;
    (void)params;
    if (strcmp(method, "provider.reset") != 0)
        return;
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
        if (*line->call)
            hang_up(adapter, line);
}

static void join(struct adapter *adapter)
{
    const struct options *options = adapter->options;
    json_t *about = json_pack("{s:s, s:[s,s], s:[s,s], s:s, s:i, s:i}", "display_name",
                              options->display_name, "handle_types", "generic", "phone",
                              "url_schemes", "sip", "sips", "app_process", "separate",
                              "max_call_groups", options->calls, "max_calls_per_group", 1);
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
    json_t *accounts = read_accounts(block);
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
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
        if (*line->call && !line->is_found)
            line_closed(adapter, line, CB_FAILED, NULL); /* nobody saw why */
    keep(adapter);
    follow_microphone(adapter);
    say(adapter, "attached");
    if (!adapter->client)
        join(adapter);
    else if (cb_is_open(adapter->client))
        tell_rest(adapter);
}

/* What was asked for while the app was away may have been done, or never heard of. */
static void settle(struct adapter *adapter, struct line *line)
{
    bool is_done = (line->doing == HOLD && line->is_held) ||
                   (line->doing == RESUME && !line->is_held) ||
                   (line->doing == ANSWER && line->is_established);
    if (is_done) {
        line->told_held = line->is_held;
        line->told_established = line->is_established;
        done(adapter, line);
    } else if (*line->action && line->doing != START) {
        failed(adapter, line, "app_gone", "linphone did not answer");
    }
    if (line->is_ending)
        hang_up(adapter, line);
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
    struct line *line = line_with_id(adapter->lines, adapter->probing);
    if (!line)
        line = recall(adapter->lines, adapter->known, adapter->probing);
    if (!line) {
        cb_new_id(call);
        line = new_line(adapter->lines, adapter->probing, call);
        if (!line)
            return;
        /* Only some states have a direction. */
        line->is_incoming = *direction ? strcmp(direction, "in") == 0 : state == INCOMING;
    }
    if (*from)
        read_address(from, line->address, sizeof line->address, line->name, sizeof line->name);
    else if (!*line->address)
        strcpy(line->address, "unknown"); /* while it is being held, it has none */
    line->is_found = true;
    line->has_rung = state == FAR_END_RINGS || state == FAR_END_SOUNDS;
    line->has_early_media = state == FAR_END_SOUNDS;
    line->is_established = state >= CONNECTED && state <= PAUSED_BY_REMOTE;
    line->is_streaming = state == STREAMING || state == PAUSED_BY_REMOTE;
    line->is_held = state == PAUSED || state == RESUMING;
    line->is_held_by_remote = state == PAUSED_BY_REMOTE;
    settle(adapter, line);
    tell(adapter, line);
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
    return line_with_id(adapter->lines, id) || json_object_get(adapter->known, key);
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
        for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
            if (*line->call)
                line_closed(adapter, line, CB_FAILED, NULL);
        adapter->highest = 0;
    }
    json_decref(adapter->known);
    adapter->known = remembered(adapter->options->memory, adapter->app.instance, &highest);
    if (highest > adapter->highest)
        adapter->highest = highest;
    adapter->seen = adapter->highest;
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++) {
        line->is_found = false;
        if (*line->call && line->id == 0)
            line_closed(adapter, line, CB_FAILED, NULL); /* it was being dialled; nobody knows */
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
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
        if (*line->call && line->doing == TONES && line->is_sent && now >= line->digit_at)
            next_digit(adapter, line, now);
    if (now >= adapter->accounts_at)
        look_for_accounts(adapter, now);
    return true;
}

int64_t adapter_deadline(const struct adapter *adapter)
{
    int64_t first = app_deadline(&adapter->app);
    if (adapter->client && cb_deadline_ms(adapter->client) < first)
        first = cb_deadline_ms(adapter->client);
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
    for (struct line *line = adapter->lines; !resumable && line < adapter->lines + LINES; line++)
        if (*line->call)
            line_closed(adapter, line, CB_FAILED, NULL);
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
    cb_free(adapter->client);
    json_decref(adapter->known);
    json_decref(adapter->accounts);
}
