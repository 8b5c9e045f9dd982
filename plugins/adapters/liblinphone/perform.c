/* What the broker asks for. */
#include "phone.h"

#include "deadline.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { DIGIT_MS = 300, LATE_MS = 1500 /* by which the last one may come late */ };

void begin(struct leg *leg, enum deed deed, const cb_action *action)
{
    leg->doing = deed;
    leg->is_sent = leg->is_under_way = false;
    leg->answer_by = answer_time(cb_now_ms(), action->deadline_ms);
    snprintf(leg->action, sizeof leg->action, "%s", action->id);
}

static void refuse_action(cb_client *client, const cb_action *action, const char *reason,
                          const char *message)
{
    cb_fail(client, action->id, CB_BROKER_ERROR, reason, message);
}

/* ---- Starting */

static LinphoneCallParams *start_params(struct phone *phone, const cb_action *action)
{
    LinphoneCallParams *params = linphone_core_create_call_params(phone->core, NULL);
    const char *line = json_string_value(json_object_get(action->arguments, "line"));
    if (line)
        linphone_call_params_set_proxy_config(params, account_of(phone, line));
    bool has_video = json_is_true(json_object_get(action->arguments, "has_video"));
    bool has_text = json_is_true(json_object_get(action->arguments, "has_text"));
    choose_media(params, has_video ? VIDEO_BOTH : VIDEO_OFF, has_text);
    return params;
}

static void dial(struct phone *phone, struct leg *leg, const LinphoneAddress *address,
                 const cb_action *action)
{
    LinphoneCallParams *params = start_params(phone, action);
    char id[37];
    strcpy(id, leg->id);
    phone->dialing = leg;
    LinphoneCall *call = linphone_core_invite_address_with_params(phone->core, address, params);
    phone->dialing = NULL;
    linphone_call_params_unref(params);
    if (call || strcmp(leg->id, id) != 0)
        return; /* or it is over already */
    refuse(phone, leg, "app_refused", "liblinphone could not place the call");
    leg_free(leg);
}

LinphoneAddress *read_target(struct phone *phone, const cb_action *action, const char *member)
{
    const char *text = "", *type = "";
    char dialed[257];
    json_unpack((json_t *)action->arguments, "{s:{s:s, s:s}}", member, "value", &text, "type", &type);
    if (strcmp(type, "phone") == 0)
        text = dial_through(phone->options->gateway, text, dialed, sizeof dialed) ? dialed : "";
    return is_word(text) ? linphone_core_interpret_url(phone->core, text) : NULL;
}

static void start(struct phone *phone, const cb_action *action)
{
    const char *text = "";
    json_unpack((json_t *)action->arguments, "{s:{s:s}}", "remote", "value", &text);
    const char *line = json_string_value(json_object_get(action->arguments, "line"));
    LinphoneAddress *address = read_target(phone, action, "remote");
    struct leg *leg = address ? new_leg(phone->legs, action->call) : NULL;
    if (!address) {
        refuse_action(phone->client, action, "invalid_address",
                      "an address without blanks is expected, such as sip:ann@example.org");
    } else if (line && !account_of(phone, line)) {
        refuse_action(phone->client, action, "unknown_line", "there is no such account");
        if (leg)
            leg_free(leg);
    } else if (!leg) {
        refuse_action(phone->client, action, "too_many_calls", NULL);
    } else {
        snprintf(leg->address, sizeof leg->address, "%s", text);
        if (json_is_true(json_object_get(action->arguments, "has_video")))
            leg->video = VIDEO_BOTH;
        leg->has_text = json_is_true(json_object_get(action->arguments, "has_text"));
        begin(leg, START, action);
        dial(phone, leg, address, action);
    }
    if (address)
        linphone_address_unref(address);
}

/* A call that the far end has asked for, by a transfer, may have gone on while the broker held
 * another one for it. */
static void confirm_start(struct phone *phone, struct leg *leg, const cb_action *action)
{
    cb_fulfil(phone->client, action->id, 0);
    if (leg->has_rung && !leg->is_established)
        cb_report_alerting(phone->client, leg->id, leg->has_early_media, 0, NULL, NULL);
    if (leg->is_established)
        cb_report_connected(phone->client, leg->id, 0, NULL, NULL);
}

/* ---- Answering and ending */

static void answer(struct phone *phone, struct leg *leg, const cb_action *action)
{
    begin(leg, ANSWER, action);
    if (leg->is_established) {
        fulfill(phone, leg);
        return;
    }
    LinphoneCallParams *params = linphone_core_create_call_params(phone->core, leg->call);
    choose_media(params, leg->video, leg->has_text);
    int status = linphone_call_accept_with_params(leg->call, params);
    linphone_call_params_unref(params);
    if (status != 0 && leg->doing == ANSWER)
        refuse(phone, leg, "app_refused", "liblinphone could not answer the call");
}

void hang_up(struct phone *phone, struct leg *leg, LinphoneReason reason)
{
    (void)phone;
    leg->is_ending = true;
    if (!leg->call)
        return;
    if (leg->is_incoming && !leg->is_established)
        linphone_call_decline(leg->call, reason);
    else
        linphone_call_terminate(leg->call);
}

static bool has_other(const struct phone *phone, const struct leg *leg)
{
    for (const struct leg *other = phone->legs; other < phone->legs + LEGS; other++)
        if (other != leg && *other->id && other->is_established && !other->is_gone)
            return true;
    return false;
}

/* The user of a telephone that is in a call is busy. */
static void end(struct phone *phone, struct leg *leg, const cb_action *action)
{
    snprintf(leg->ending, sizeof leg->ending, "%s", action->id);
    hang_up(phone, leg, has_other(phone, leg) ? LinphoneReasonBusy : LinphoneReasonDeclined);
}

/* ---- Holding and muting */

/* The camera stops too. With the setting on at other times it would also stay off after a hold of
 * the far end. */
static int pause_call(struct phone *phone, struct leg *leg)
{
    LinphoneConfig *config = linphone_core_get_config(phone->core);
    linphone_config_set_bool(config, "sip", "inactive_video_on_pause", true);
    int status = linphone_call_pause(leg->call);
    linphone_config_set_bool(config, "sip", "inactive_video_on_pause", false);
    return status;
}

static void send_hold(struct phone *phone, struct leg *leg)
{
    bool is_hold = leg->doing == HOLD;
    leg->is_sent = true;
    int status = is_hold ? pause_call(phone, leg) : linphone_call_resume(leg->call);
    if (status != 0 && leg->doing == (is_hold ? HOLD : RESUME))
        refuse(phone, leg, "app_refused", "liblinphone cannot do it now");
}

/* Remembers that a hold or resume which nobody waits for any more is not to last. */
static void plan_undo(struct leg *leg)
{
    if (!leg->is_sent || (leg->doing != HOLD && leg->doing != RESUME))
        return;
    leg->undoing = leg->doing == HOLD ? RESUME : HOLD;
    leg->is_undo_sent = false;
}

/* Does the opposite, of which the broker gets no report. */
static void send_undo(struct phone *phone, struct leg *leg)
{
    bool is_hold = leg->undoing == HOLD;
    leg->is_undo_sent = true;
    leg->is_under_way = false;
    report(phone, is_hold ? "undoing a resume" : "undoing a hold");
    int status = is_hold ? pause_call(phone, leg) : linphone_call_resume(leg->call);
    if (status == 0 || leg->undoing == NOTHING)
        return;
    leg->undoing = NOTHING; /* it stays as it is */
    leg->is_held = !is_hold;
    if (phone->client)
        cb_report_held(phone->client, leg->id, leg->is_held, 0, NULL, NULL);
}

/* The same is requested again that was to be undone: if that has not begun, it need not. */
static bool is_on_its_way(struct leg *leg, bool held)
{
    bool is_wanted = leg->undoing == (held ? RESUME : HOLD) && !leg->is_undo_sent;
    leg->undoing = NOTHING;
    return is_wanted;
}

static void set_held(struct phone *phone, struct leg *leg, const cb_action *action)
{
    bool held = json_is_true(json_object_get(action->arguments, "held"));
    bool is_under_way = leg->is_under_way;
    if (leg->doing == TONES)
        refuse(phone, leg, "cancelled", "the call is being held");
    if (leg->is_deferred)
        send_media(phone, leg); /* which declines what the far end asks for */
    begin(leg, held ? HOLD : RESUME, action);
    if (leg->is_held == held) {
        fulfill(phone, leg);
        return;
    }
    bool is_undone = leg->undoing != NOTHING;
    leg->is_sent = is_on_its_way(leg, held);
    leg->is_under_way = leg->is_sent && is_under_way;
    if (!leg->is_sent && !is_undone && (!held || leg->is_streaming))
        send_hold(phone, leg); /* else as soon as it can be done */
}

static void set_muted(struct phone *phone, struct leg *leg, const cb_action *action)
{
    leg->is_muted = json_is_true(json_object_get(action->arguments, "muted"));
    linphone_call_set_microphone_muted(leg->call, leg->is_muted);
    cb_fulfil(phone->client, action->id, 0);
}

/* ---- Tones */

static void play_next(struct phone *phone, struct leg *leg, int64_t now)
{
    if (!*leg->digits) {
        fulfill(phone, leg);
        return;
    }
    linphone_call_send_dtmf(leg->call, *leg->digits);
    memmove(leg->digits, leg->digits + 1, strlen(leg->digits));
    leg->digit_at = now + DIGIT_MS;
}

static void play(struct phone *phone, struct leg *leg, const cb_action *action)
{
    const char *digits = json_string_value(json_object_get(action->arguments, "digits"));
    if (!digits || strlen(digits) >= sizeof leg->digits ||
        digits[strspn(digits, "0123456789*#ABCDabcd")]) {
        refuse_action(phone->client, action, "invalid_digits",
                      "at most 63 of 0123456789*#ABCD are expected");
        return;
    }
    begin(leg, TONES, action);
    strcpy(leg->digits, digits);
    int64_t needed = (int64_t)strlen(digits) * DIGIT_MS + LATE_MS;
    int64_t more = needed - (leg->answer_by - cb_now_ms());
    more = more > action->deadline_ms ? action->deadline_ms : more;
    if (more > 0) {
        cb_report_progress(phone->client, action->id, NULL, -1, NULL, more);
        leg->answer_by += more;
    }
    play_next(phone, leg, cb_now_ms());
}

/* The reason and the words for people of what was not done in time. */
static const char *why_late(const struct leg *leg, const char **message)
{
    *message = "the far end did not answer in time";
    switch (leg->doing) {
    case START:
        return "no_answer";
    case TONES:
        *message = "there was no time for all tones";
        return "cancelled";
    case ENDPOINT:
        *message = "liblinphone did not do it in time";
        return "app_refused";
    default:
        return "remote_refused";
    }
}

/* A call whose start or answer failed is over for the broker. */
static void expire(struct phone *phone, struct leg *leg)
{
    const char *message, *reason = why_late(leg, &message);
    bool is_over = leg->doing == START || leg->doing == ANSWER;
    plan_undo(leg);
    refuse(phone, leg, reason, message);
    if (is_over && *leg->id)
        hang_up(phone, leg, LinphoneReasonDeclined);
}

void perform_due(struct phone *phone, int64_t now)
{
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++) {
        if (*leg->id && *leg->action && now >= leg->answer_by)
            expire(phone, leg);
        if (!*leg->id || !leg->call)
            continue;
        if (leg->is_streaming)
            subscribe_to_focus(phone, leg);
        bool is_paused = linphone_call_get_state(leg->call) == LinphoneCallStatePaused;
        if (!leg->is_sent && ((leg->doing == HOLD && leg->is_streaming) ||
                              (leg->doing == RESUME && is_paused)))
            send_hold(phone, leg);
        if (leg->doing == NOTHING && !leg->is_undo_sent &&
            ((leg->undoing == HOLD && leg->is_streaming) || (leg->undoing == RESUME && is_paused)))
            send_undo(phone, leg);
        bool is_media = leg->doing == VIDEO || leg->doing == TEXT;
        if (is_media && !leg->is_sent && leg->is_streaming)
            send_media(phone, leg);
        if (leg->is_deferred && now >= leg->decide_by)
            send_media(phone, leg); /* which declines what the far end asks for */
        if (leg->doing == TONES && now >= leg->digit_at)
            play_next(phone, leg, now);
    }
}

/* ---- All of them */

typedef void perform_kind(struct phone *phone, struct leg *leg, const cb_action *action);

/* NULL: a kind that is newer than this program. */
static perform_kind *function_of(const char *kind)
{
    static const struct {
        const char *kind;
        perform_kind *perform;
    } deeds[] = {{"answer", answer}, {"end", end}, {"set_held", set_held},
                 {"set_muted", set_muted}, {"play_dtmf", play}, {"transfer", transfer},
                 {"attended_transfer", attended_transfer}, {"deflect", deflect},
                 {"set_video", set_video}, {"set_text", set_text}, {"set_endpoint", set_endpoint}};
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(kind, deeds[i].kind) == 0)
            return deeds[i].perform;
    return NULL;
}

void perform(cb_client *client, const cb_action *action, void *context)
{
    struct phone *phone = context;
    struct leg *leg = leg_with_id(phone->legs, action->call);
    struct external *external = leg ? NULL : external_with_id(phone, action->call);
    bool is_start = strcmp(action->kind, "start") == 0;
    perform_kind *function = function_of(action->kind);
    if (is_start && !leg)
        start(phone, action);
    else if (is_start)
        confirm_start(phone, leg, action);
    else if (!function)
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
    else if (function == end && (!leg || leg->is_gone))
        cb_fulfil(client, action->id, 0); /* it is over */
    else if (external && function == answer)
        pull(phone, external, action);
    else if (!leg || leg->is_gone)
        refuse_action(client, action, "call_ended", "liblinphone does not have the call");
    else
        function(phone, leg, action);
}

/* A hold or resume that liblinphone has begun is undone when it is done, a call that was being
 * started ends, and all else goes on. */
void withdraw(cb_client *client, const char *action, void *context)
{
    struct phone *phone = context;
    struct leg *leg = leg_with_action(phone->legs, action);
    if (leg && strcmp(leg->ending, action) == 0) {
        *leg->ending = '\0';
    } else if (leg) {
        bool is_start = leg->doing == START || (leg->is_pulled && !leg->is_established);
        plan_undo(leg);
        leg->doing = NOTHING;
        *leg->action = '\0';
        separate(phone, leg);
        if (is_start)
            hang_up(phone, leg, LinphoneReasonNone);
    }
    cb_fail(client, action, CB_CANCELLED, "cancelled", "it was not done in time");
}
