#include "adapter.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { DIGIT_MS = 300 };

/* ---- Settling */

void done(struct adapter *adapter, struct line *line)
{
    line->doing = NOTHING;
    if (*line->action && adapter->client)
        cb_fulfil(adapter->client, line->action, 0);
    *line->action = '\0';
}

void failed(struct adapter *adapter, struct line *line, const char *reason, const char *message)
{
    line->doing = NOTHING;
    if (*line->action && adapter->client)
        cb_fail(adapter->client, line->action, CB_BROKER_ERROR, reason, message);
    *line->action = '\0';
}

static void begin(struct line *line, enum kind kind, const char *action)
{
    line->doing = kind;
    line->is_sent = line->is_under_way = false;
    snprintf(line->action, sizeof line->action, "%s", action);
}

/* The app said no; that it says yes proves nothing. */
static void taken(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct line *line = line_with_action(adapter->lines, key);
    char why[256] = "linphone says no";
    if (!line || block_is_ok(block) || strcmp(line->action, key) != 0)
        return;
    block_value(block, "Reason", why, sizeof why);
    failed(adapter, line, "app_refused", why);
}

static void command(struct adapter *adapter, struct line *line, const char *verb)
{
    char text[COMMAND_BYTES];
    snprintf(text, sizeof text, "%s %d", verb, line->id);
    line->is_sent = true;
    if (!app_ask(&adapter->app, text, line->action, taken))
        failed(adapter, line, "app_gone", "linphone does not answer");
}

/* ---- Ending */

static void terminated(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct line *line = line_with_call(adapter->lines, key);
    if (line && !block_is_ok(block))
        line_closed(adapter, line, CB_FAILED, NULL); /* there is no such call any more */
}

void hang_up(struct adapter *adapter, struct line *line)
{
    char text[COMMAND_BYTES];
    line->is_ending = true;
    snprintf(text, sizeof text, "terminate %d", line->id);
    if (line->id > 0) /* else the reply to `call` does it */
        app_ask(&adapter->app, text, line->call, terminated);
}

/* ---- Starting */

static void called(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct line *line = line_with_call(adapter->lines, key);
    char why[256] = "linphone made no call";
    if (!line || line->id > 0)
        return;
    int id = block_is_ok(block) ? block_number(block, "Id") : -1;
    if (id <= 0) {
        block_value(block, "Reason", why, sizeof why);
        failed(adapter, line, "app_refused", why);
        line_closed(adapter, line, CB_FAILED, NULL);
        return;
    }
    line->id = id;
    if (id > adapter->highest)
        adapter->highest = id;
    keep(adapter);
    if (line->is_ending)
        hang_up(adapter, line);
    else if (*line->action && adapter->client) /* silent until the far end rings */
        cb_report_progress(adapter->client, line->action, "dialing", -1, NULL, 0);
}

static void start(struct adapter *adapter, const cb_action *action)
{
    const char *address = "";
    char text[COMMAND_BYTES];
    json_unpack((json_t *)action->arguments, "{s:{s:s}}", "remote", "value", &address);
    if (json_object_get(action->arguments, "line")) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "line_not_selectable",
                "linphone-daemon calls from its default account only; name no line");
        return;
    }
    if (!is_word(address)) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "invalid_address",
                "an address without blanks is expected, such as sip:ann@example.org");
        return;
    }
    struct line *line = new_line(adapter->lines, 0, action->call);
    if (!line) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "too_many_calls", NULL);
        return;
    }
    snprintf(line->address, sizeof line->address, "%s", address);
    begin(line, START, action->id);
    line->is_reported = line->is_found = true;
    snprintf(text, sizeof text, "call %s", address);
    if (app_ask(&adapter->app, text, line->call, called))
        return;
    failed(adapter, line, "app_gone", "linphone does not answer");
    line_closed(adapter, line, CB_FAILED, NULL);
}

/* ---- Holding */

void send_hold(struct adapter *adapter, struct line *line)
{
    command(adapter, line, line->doing == HOLD ? "call-pause" : "call-resume");
}

static void set_held(struct adapter *adapter, struct line *line, const cb_action *action)
{
    bool held = json_is_true(json_object_get(action->arguments, "held"));
    if (line->doing == TONES)
        failed(adapter, line, "cancelled", "the call is being held");
    begin(line, held ? HOLD : RESUME, action->id);
    if (line->is_held == held)
        done(adapter, line);
    else if (!held || line->is_streaming)
        send_hold(adapter, line); /* else as soon as it can be held */
}

/* ---- Muting */

static void muted(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct line *line = line_with_action(adapter->lines, key);
    if (!line || !*key)
        return;
    if (strstr(block, line->is_muted ? "Microphone Muted" : "Microphone Unmuted"))
        done(adapter, line);
    else
        failed(adapter, line, "app_refused", "linphone does not say that it did it");
}

static void switch_microphone(struct adapter *adapter, bool is_muted, const char *action)
{
    adapter->is_muted = is_muted;
    app_ask(&adapter->app, is_muted ? "call-mute 1" : "call-mute 0", action, muted);
}

void follow_microphone(struct adapter *adapter)
{
    const struct line *talking = NULL;
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++)
        if (*line->call && line->is_established && !line->is_held)
            talking = line;
    if (talking && talking->is_muted != adapter->is_muted)
        switch_microphone(adapter, talking->is_muted, "");
}

/* There is no event: the answer tells the state. */
static void set_muted(struct adapter *adapter, struct line *line, const cb_action *action)
{
    line->is_muted = json_is_true(json_object_get(action->arguments, "muted"));
    if (!line->is_established || line->is_held) { /* it counts when the call talks */
        cb_fulfil(adapter->client, action->id, 0);
        return;
    }
    snprintf(line->action, sizeof line->action, "%s", action->id);
    switch_microphone(adapter, line->is_muted, action->id);
}

/* ---- Tones: the app plays one at a time, in the call that talks */

void next_digit(struct adapter *adapter, struct line *line, int64_t now)
{
    char text[] = "dtmf 0";
    if (!*line->digits) {
        done(adapter, line);
        return;
    }
    text[strlen(text) - 1] = *line->digits;
    memmove(line->digits, line->digits + 1, strlen(line->digits));
    line->is_sent = true;
    line->digit_at = now + DIGIT_MS;
    app_ask(&adapter->app, text, line->action, taken);
}

static void play(struct adapter *adapter, struct line *line, const cb_action *action)
{
    const char *digits = json_string_value(json_object_get(action->arguments, "digits"));
    if (!digits || strlen(digits) >= sizeof line->digits ||
        digits[strspn(digits, "0123456789*#ABCDabcd")]) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "invalid_digits",
                "at most 63 of 0123456789*#ABCD are expected");
        return;
    }
    begin(line, TONES, action->id);
    strcpy(line->digits, digits);
    next_digit(adapter, line, cb_now_ms());
}

/* ---- What the broker asks for */

static void answer(struct adapter *adapter, struct line *line, const cb_action *action)
{
    begin(line, ANSWER, action->id);
    if (line->is_established)
        done(adapter, line);
    else
        command(adapter, line, "answer");
}

static void end(struct adapter *adapter, struct line *line, const cb_action *action)
{
    snprintf(line->ending, sizeof line->ending, "%s", action->id);
    hang_up(adapter, line);
}

void adapter_perform(cb_client *client, const cb_action *action, void *context)
{
    struct adapter *adapter = context;
    struct line *line = line_with_call(adapter->lines, action->call);
    const char *kind = action->kind;
    if (strcmp(kind, "start") == 0 && line)
        cb_fulfil(client, action->id, 0); /* it began in the app */
    else if (strcmp(kind, "start") == 0)
        start(adapter, action);
    else if (strcmp(kind, "end") == 0 && !line)
        cb_fulfil(client, action->id, 0); /* it is over, and that is what was asked for */
    else if (!line)
        cb_fail(client, action->id, CB_BROKER_ERROR, "call_ended",
                "linphone does not have the call");
    else if (strcmp(kind, "end") == 0)
        end(adapter, line, action);
    else if (strcmp(kind, "answer") == 0)
        answer(adapter, line, action);
    else if (strcmp(kind, "set_held") == 0)
        set_held(adapter, line, action);
    else if (strcmp(kind, "set_muted") == 0)
        set_muted(adapter, line, action);
    else if (strcmp(kind, "play_dtmf") == 0)
        play(adapter, line, action);
    else
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
}

/* Nobody waits any more. What the app has begun goes on, and is reported when it is done. */
void adapter_withdrawn(cb_client *client, const char *action, void *context)
{
    struct adapter *adapter = context;
    struct line *line = line_with_action(adapter->lines, action);
    if (line && strcmp(line->ending, action) == 0) {
        *line->ending = '\0';
    } else if (line) {
        line->doing = NOTHING;
        *line->action = '\0';
    }
    cb_fail(client, action, CB_CANCELLED, "cancelled", "it was not done in time");
}
