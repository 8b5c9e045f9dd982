#include "adapter.h"
#include "deadline.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { DIGIT_MS = 300, LATE_MS = 1500 /* by which the last one may come late */ };

/* ---- Settling */

void done(struct adapter *adapter, struct leg *leg)
{
    leg->doing = NOTHING;
    if (*leg->action && adapter->client)
        cb_fulfil(adapter->client, leg->action, 0);
    *leg->action = '\0';
}

void failed(struct adapter *adapter, struct leg *leg, const char *reason, const char *message)
{
    leg->doing = NOTHING;
    if (*leg->action && adapter->client)
        cb_fail(adapter->client, leg->action, CB_BROKER_ERROR, reason, message);
    *leg->action = '\0';
    separate(adapter, leg);
}

void failed_because(struct adapter *adapter, struct leg *leg, const cb_end_detail *why)
{
    leg->doing = NOTHING;
    if (*leg->action && adapter->client)
        cb_fail_because(adapter->client, leg->action, why);
    *leg->action = '\0';
    separate(adapter, leg);
}

void separate(struct adapter *adapter, struct leg *leg)
{
    struct leg *other = leg_with_call(adapter->legs, leg->with);
    *leg->with = '\0';
    if (other)
        *other->with = '\0';
    if (leg->is_gone)
        leg_closed(adapter, leg, CB_REMOTE_ENDED, NULL);
    if (other && other->is_gone)
        leg_closed(adapter, other, CB_REMOTE_ENDED, NULL);
}

static void begin(struct leg *leg, enum kind kind, const cb_action *action)
{
    leg->doing = kind;
    leg->is_sent = leg->is_under_way = false;
    leg->answer_by = answer_time(cb_now_ms(), action->deadline_ms);
    snprintf(leg->action, sizeof leg->action, "%s", action->id);
}

/* The app said no; that it says yes proves nothing. */
static void taken(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_action(adapter->legs, key);
    char why[256] = "linphone says no";
    if (!leg || block_is_ok(block) || strcmp(leg->action, key) != 0)
        return;
    block_value(block, "Reason", why, sizeof why);
    failed(adapter, leg, "app_refused", why);
}

static void command(struct adapter *adapter, struct leg *leg, const char *verb,
                    const char *argument)
{
    char text[COMMAND_BYTES];
    snprintf(text, sizeof text, "%s %d%s%s", verb, leg->id, *argument ? " " : "", argument);
    leg->is_sent = true;
    if (!app_ask(&adapter->app, text, leg->action, taken))
        failed(adapter, leg, "app_gone", "linphone does not answer");
}

/* ---- Ending */

static void terminated(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, key);
    if (leg && !block_is_ok(block))
        leg_closed(adapter, leg, CB_FAILED, NULL); /* there is no such call any more */
}

void hang_up(struct adapter *adapter, struct leg *leg)
{
    char text[COMMAND_BYTES];
    leg->is_ending = true;
    snprintf(text, sizeof text, "terminate %d", leg->id);
    if (leg->id > 0) /* else the reply to `call` does it */
        app_ask(&adapter->app, text, leg->call, terminated);
}

/* ---- Starting */

static void called(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, key);
    char why[256] = "linphone made no call";
    if (!leg || leg->id > 0)
        return;
    int id = block_is_ok(block) ? block_number(block, "Id") : -1;
    if (id <= 0) {
        block_value(block, "Reason", why, sizeof why);
        failed(adapter, leg, "app_refused", why);
        leg_closed(adapter, leg, CB_FAILED, NULL);
        return;
    }
    leg->id = id;
    if (id > adapter->highest)
        adapter->highest = id;
    keep(adapter);
    if (leg->is_ending)
        hang_up(adapter, leg);
    else if (*leg->action && adapter->client) /* silent until the far end rings */
        cb_report_progress(adapter->client, leg->action, "dialing", -1, NULL, 0);
}

/* The address to call, of a number that at the gateway; or "" if there is none. */
static const char *read_target(struct adapter *adapter, const cb_action *action, const char *member,
                               char address[257])
{
    const char *value = "", *type = "";
    json_unpack((json_t *)action->arguments, "{s:{s:s, s:s}}", member, "value", &value, "type",
                &type);
    if (strcmp(type, "phone") != 0)
        return value;
    return dial_through(adapter->options->gateway, value, address, 257) ? address : "";
}

static void start(struct adapter *adapter, const cb_action *action)
{
    char text[COMMAND_BYTES], dialed[257];
    const char *address = read_target(adapter, action, "remote", dialed);
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
    struct leg *leg = new_leg(adapter->legs, 0, action->call);
    if (!leg) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "too_many_calls", NULL);
        return;
    }
    snprintf(leg->address, sizeof leg->address, "%s", address);
    begin(leg, START, action);
    leg->is_reported = leg->is_found = true;
    snprintf(text, sizeof text, "call %s", address);
    if (app_ask(&adapter->app, text, leg->call, called))
        return;
    failed(adapter, leg, "app_gone", "linphone does not answer");
    leg_closed(adapter, leg, CB_FAILED, NULL);
}

/* ---- Holding */

void send_hold(struct adapter *adapter, struct leg *leg)
{
    command(adapter, leg, leg->doing == HOLD ? "call-pause" : "call-resume", "");
}

void plan_undo(struct leg *leg)
{
    if (!leg->is_sent || (leg->doing != HOLD && leg->doing != RESUME))
        return;
    leg->undoing = leg->doing == HOLD ? RESUME : HOLD;
    leg->is_undo_sent = false;
}

static void undone(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, key);
    if (!leg || leg->undoing == NOTHING || block_is_ok(block))
        return;
    leg->is_held = leg->undoing == RESUME; /* it stays as it is */
    leg->undoing = NOTHING;
    tell(adapter, leg);
}

void send_undo(struct adapter *adapter, struct leg *leg)
{
    char text[COMMAND_BYTES];
    bool is_hold = leg->undoing == HOLD;
    leg->is_undo_sent = true;
    leg->is_under_way = false;
    snprintf(text, sizeof text, "%s %d", is_hold ? "call-pause" : "call-resume", leg->id);
    say(adapter, is_hold ? "undoing a resume" : "undoing a hold");
    app_ask(&adapter->app, text, leg->call, undone);
}

/* The same is asked for again that was to be undone: if that has not begun, it need not. */
static bool is_on_its_way(struct leg *leg, bool held)
{
    bool is_wanted = leg->undoing == (held ? RESUME : HOLD) && !leg->is_undo_sent;
    leg->undoing = NOTHING;
    return is_wanted;
}

static void set_held(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    bool held = json_is_true(json_object_get(action->arguments, "held"));
    bool is_under_way = leg->is_under_way;
    if (leg->doing == TONES)
        failed(adapter, leg, "cancelled", "the call is being held");
    begin(leg, held ? HOLD : RESUME, action);
    if (leg->is_held == held) {
        done(adapter, leg);
        return;
    }
    bool is_undone = leg->undoing != NOTHING;
    leg->is_sent = is_on_its_way(leg, held);
    leg->is_under_way = leg->is_sent && is_under_way;
    if (!leg->is_sent && !is_undone && (!held || leg->is_streaming))
        send_hold(adapter, leg); /* else as soon as it can be held */
}

/* ---- Muting */

/* For the broker it is as it was; the microphone follows. */
static void forget_muting(struct leg *leg)
{
    *leg->muting = '\0';
    leg->is_muted = leg->was_muted;
}

static void muted(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_action(adapter->legs, key);
    if (!leg || !*key || !adapter->client || strcmp(leg->muting, key) != 0)
        return;
    if (strstr(block, leg->is_muted ? "Microphone Muted" : "Microphone Unmuted")) {
        cb_fulfil(adapter->client, key, 0);
        *leg->muting = '\0';
        return;
    }
    cb_fail(adapter->client, key, CB_BROKER_ERROR, "app_refused",
            "linphone does not say that it did it");
    forget_muting(leg);
}

static void switch_microphone(struct adapter *adapter, bool is_muted, const char *action)
{
    adapter->is_muted = is_muted;
    app_ask(&adapter->app, is_muted ? "call-mute 1" : "call-mute 0", action, muted);
}

/* linphone has stopped the sound of a call as soon as it asks the far end to be held. */
static bool has_microphone(const struct leg *leg)
{
    return leg->is_established && !leg->is_held &&
           (leg->undoing == NOTHING || leg->is_streaming);
}

void follow_microphone(struct adapter *adapter)
{
    const struct leg *talking = NULL;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call && has_microphone(leg) && !leg->is_gone)
            talking = leg;
    if (talking && talking->is_muted != adapter->is_muted)
        switch_microphone(adapter, talking->is_muted, "");
}

/* There is no event: the answer tells the state. */
static void set_muted(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    leg->was_muted = leg->is_muted;
    leg->is_muted = json_is_true(json_object_get(action->arguments, "muted"));
    if (!has_microphone(leg)) { /* it counts when the call talks */
        cb_fulfil(adapter->client, action->id, 0);
        return;
    }
    snprintf(leg->muting, sizeof leg->muting, "%s", action->id);
    leg->mute_by = answer_time(cb_now_ms(), action->deadline_ms);
    switch_microphone(adapter, leg->is_muted, action->id);
}

/* ---- Tones: the app plays one at a time, in the call that talks */

void next_digit(struct adapter *adapter, struct leg *leg, int64_t now)
{
    char text[] = "dtmf 0";
    if (!*leg->digits) {
        done(adapter, leg);
        return;
    }
    text[strlen(text) - 1] = *leg->digits;
    memmove(leg->digits, leg->digits + 1, strlen(leg->digits));
    leg->is_sent = true;
    leg->digit_at = now + DIGIT_MS;
    app_ask(&adapter->app, text, leg->action, taken);
}

static void play(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    const char *digits = json_string_value(json_object_get(action->arguments, "digits"));
    if (!digits || strlen(digits) >= sizeof leg->digits ||
        digits[strspn(digits, "0123456789*#ABCDabcd")]) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "invalid_digits",
                "at most 63 of 0123456789*#ABCD are expected");
        return;
    }
    begin(leg, TONES, action);
    strcpy(leg->digits, digits);
    int64_t needed = (int64_t)strlen(digits) * DIGIT_MS + LATE_MS;
    int64_t more = needed - (leg->answer_by - cb_now_ms());
    if (more > 0)
        cb_report_progress(adapter->client, action->id, NULL, -1, NULL,
                           more < action->deadline_ms ? more : action->deadline_ms);
    leg->answer_by += more > action->deadline_ms ? action->deadline_ms : more > 0 ? more : 0;
    next_digit(adapter, leg, cb_now_ms());
}

/* ---- Transferring: what becomes of it is seen in the end of the calls alone */

/* One that begins as a number does is taken for the number of a call. */
static bool is_target(const char *address)
{
    return is_word(address) && !strchr("+0123456789", *address);
}

static void transfer(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    char dialed[257];
    const char *address = read_target(adapter, action, "to", dialed);
    if (!is_target(address)) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "invalid_address",
                "an address with a scheme is expected, such as sip:ann@example.org");
        return;
    }
    begin(leg, TRANSFER, action);
    command(adapter, leg, "call-transfer", address);
}

static void attended_transfer(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    char number[16];
    const char *with = json_string_value(json_object_get(action->arguments, "with"));
    struct leg *other = with ? leg_with_call(adapter->legs, with) : NULL;
    if (!other || other == leg) {
        cb_fail(adapter->client, action->id, CB_BROKER_ERROR, "call_ended",
                "linphone does not have the other call");
        return;
    }
    begin(leg, JOIN, action);
    strcpy(leg->with, other->call);
    strcpy(other->with, leg->call);
    snprintf(number, sizeof number, "%d", other->id);
    command(adapter, leg, "call-transfer", number);
}

/* ---- What the broker asks for */

void send_answer(struct adapter *adapter, struct leg *leg)
{
    command(adapter, leg, "answer", "");
}

static void answer(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    begin(leg, ANSWER, action);
    if (leg->is_established)
        done(adapter, leg);
    else
        send_answer(adapter, leg);
}

static void end(struct adapter *adapter, struct leg *leg, const cb_action *action)
{
    snprintf(leg->ending, sizeof leg->ending, "%s", action->id);
    leg->end_by = answer_time(cb_now_ms(), action->deadline_ms);
    hang_up(adapter, leg);
}

/* ---- Answering in time */

/* The reason and the words for people of what was not done in time. */
static const char *why_late(const struct leg *leg, const char **message)
{
    bool is_hold = leg->doing == HOLD || leg->doing == RESUME;
    if (is_hold ? leg->is_under_way || !leg->is_sent : leg->doing == TRANSFER || leg->doing == JOIN) {
        *message = "the far end did not answer in time";
        return "remote_refused";
    }
    if (leg->doing == START && leg->id > 0) {
        *message = "the far end did not answer in time";
        return "no_answer";
    }
    *message = leg->doing == TONES ? "there was no time for all tones"
                                   : "linphone did not answer in time";
    return leg->doing == TONES ? "cancelled" : "app_gone";
}

/* A call whose start or answer failed is over for the broker. */
static void give_up(struct adapter *adapter, struct leg *leg)
{
    const char *message, *reason = why_late(leg, &message);
    bool is_over = leg->doing == START || leg->doing == ANSWER;
    plan_undo(leg);
    failed(adapter, leg, reason, message);
    if (is_over && *leg->call)
        hang_up(adapter, leg);
}

void expire(struct adapter *adapter, struct leg *leg, int64_t now)
{
    if (*leg->muting && now >= leg->mute_by) {
        cb_fail(adapter->client, leg->muting, CB_BROKER_ERROR, "app_gone",
                "linphone did not answer in time");
        forget_muting(leg);
        follow_microphone(adapter);
    }
    if (*leg->ending && now >= leg->end_by) {
        cb_fail(adapter->client, leg->ending, CB_BROKER_ERROR, "app_gone",
                "linphone did not answer in time; the call ends as soon as it does");
        *leg->ending = '\0';
    }
    if (*leg->action && now >= leg->answer_by)
        give_up(adapter, leg);
}

void adapter_perform(cb_client *client, const cb_action *action, void *context)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, action->call);
    const char *kind = action->kind;
    if (strcmp(kind, "start") == 0 && leg)
        cb_fulfil(client, action->id, 0); /* it began in the app */
    else if (strcmp(kind, "start") == 0)
        start(adapter, action);
    else if (strcmp(kind, "end") == 0 && !leg)
        cb_fulfil(client, action->id, 0); /* it is over, and that is what was asked for */
    else if (!leg)
        cb_fail(client, action->id, CB_BROKER_ERROR, "call_ended",
                "linphone does not have the call");
    else if (strcmp(kind, "end") == 0)
        end(adapter, leg, action);
    else if (strcmp(kind, "answer") == 0)
        answer(adapter, leg, action);
    else if (strcmp(kind, "set_held") == 0)
        set_held(adapter, leg, action);
    else if (strcmp(kind, "set_muted") == 0)
        set_muted(adapter, leg, action);
    else if (strcmp(kind, "play_dtmf") == 0)
        play(adapter, leg, action);
    else if (strcmp(kind, "transfer") == 0)
        transfer(adapter, leg, action);
    else if (strcmp(kind, "attended_transfer") == 0)
        attended_transfer(adapter, leg, action);
    else
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
}

/* Nobody waits any more. A hold or resume that the app has begun is undone when it is done, a call
 * that was being started ends, and all else goes on. */
void adapter_withdrawn(cb_client *client, const char *action, void *context)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_action(adapter->legs, action);
    if (leg && strcmp(leg->ending, action) == 0) {
        *leg->ending = '\0';
    } else if (leg && strcmp(leg->muting, action) == 0) {
        forget_muting(leg);
        follow_microphone(adapter);
    } else if (leg) {
        bool is_start = leg->doing == START;
        plan_undo(leg);
        leg->doing = NOTHING;
        *leg->action = '\0';
        separate(adapter, leg);
        if (is_start)
            hang_up(adapter, leg);
    }
    cb_fail(client, action, CB_CANCELLED, "cancelled", "it was not done in time");
}
