/* What happens in liblinphone, and how the broker learns of it. */
#include "phone.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

/* The address has no parameters, and is UTF-8 whatever was sent. */
static void read_peer(struct leg *leg)
{
    LinphoneAddress *peer = linphone_address_clone(linphone_call_get_remote_address(leg->call));
    linphone_address_clean(peer);
    char *text = linphone_address_as_string(peer);
    linphone_address_unref(peer);
    read_address(text, leg->address, sizeof leg->address, leg->name, sizeof leg->name);
    bctbx_free(text);
    if (!*leg->address)
        strcpy(leg->address, "unknown");
}

static struct leg *appear(struct phone *phone, LinphoneCall *call)
{
    char id[37];
    cb_new_id(id);
    struct leg *leg = new_leg(phone->legs, id);
    if (!leg)
        return NULL; /* liblinphone has the same limit, and has refused it */
    leg_attach(leg, call);
    read_peer(leg);
    leg->video = leg->is_incoming ? video_offered(call) : VIDEO_OFF;
    leg->has_text = leg->is_incoming && text_offered(call);
    if (leg->is_incoming)
        read_invite(phone, leg);
    announce(phone, leg);
    return leg;
}

/* ---- What is reported unless the broker has asked for it */

static void ring(struct phone *phone, struct leg *leg, bool has_early_media)
{
    if (leg->is_pulled)
        return;
    if (!leg->has_rung && phone->client)
        cb_report_update(phone->client, leg->id, describe(phone, leg), NULL, NULL);
    bool is_news = !leg->has_rung || has_early_media != leg->has_early_media;
    leg->has_rung = true;
    leg->has_early_media = leg->has_early_media || has_early_media;
    if (is_news && phone->client)
        cb_report_alerting(phone->client, leg->id, leg->has_early_media ? 1 : -1, 0, NULL, NULL);
    if (leg->doing == START)
        fulfill(phone, leg);
}

static void connect_leg(struct phone *phone, struct leg *leg)
{
    if (leg->is_established)
        return;
    struct external *external = leg->is_pulled ? external_with_id(phone, leg->id) : NULL;
    leg->is_established = true;
    if (external)
        *external->id = '\0'; /* the same call, which is here now */
    if (!leg->is_incoming && !leg->has_rung && phone->client)
        cb_report_update(phone->client, leg->id, describe(phone, leg), NULL, NULL);
    if (leg->doing == START)
        fulfill(phone, leg);
    if (leg->doing == ANSWER)
        fulfill(phone, leg);
    else if (phone->client)
        cb_report_connected(phone->client, leg->id, 0, NULL, NULL);
}

static void change_hold(struct phone *phone, struct leg *leg, bool held)
{
    bool is_news = leg->is_held != held;
    leg->is_held = held;
    if (leg->doing == (held ? HOLD : RESUME))
        fulfill(phone, leg);
    else if (is_news && phone->client)
        cb_report_held(phone->client, leg->id, held, 0, NULL, NULL);
}

static void change_remote_hold(struct phone *phone, struct leg *leg, bool held)
{
    bool is_news = leg->is_held_by_remote != held;
    leg->is_held_by_remote = held;
    if (is_news && phone->client)
        cb_report_update(phone->client, leg->id, json_pack("{s:b}", "remote_held", held), NULL,
                         NULL);
}

/* What has happened is undone in the next turn. */
static bool waits_for_undo(const struct leg *leg, enum deed undoing)
{
    return leg->undoing == undoing && !leg->is_undo_sent;
}

/* There is sound, in one direction at least. */
static void stream(struct phone *phone, struct leg *leg, bool is_held_by_remote)
{
    connect_leg(phone, leg);
    leg->is_streaming = true;
    change_remote_hold(phone, leg, is_held_by_remote);
    if (leg->doing == HOLD && leg->is_under_way)
        refuse(phone, leg, "remote_refused", "the far end did not agree to be held");
    else if (leg->doing != HOLD && !waits_for_undo(leg, HOLD) &&
             (leg->undoing == NOTHING || leg->is_under_way)) {
        leg->undoing = NOTHING;
        change_hold(phone, leg, false);
    }
    if (leg->doing == ENDPOINT && leg->is_under_way)
        fulfill(phone, leg);
    if (!is_held_by_remote)
        settle_video(phone, leg);
    if (!is_held_by_remote)
        settle_text(phone, leg);
}

static void pause_leg(struct phone *phone, struct leg *leg)
{
    leg->is_streaming = false;
    if (leg->doing == RESUME && leg->is_under_way)
        refuse(phone, leg, "remote_refused", "the far end did not agree to go on");
    else if (leg->doing != RESUME && !waits_for_undo(leg, RESUME)) {
        leg->undoing = NOTHING;
        change_hold(phone, leg, true);
    }
}

static void go_under_way(struct leg *leg)
{
    leg->is_streaming = false;
    leg->is_under_way = true;
}

static void report_ending(struct phone *phone, const struct leg *leg, const struct ending *ending)
{
    if (ending->reason == CB_ANSWERED_ELSEWHERE)
        cb_report_ended_elsewhere(phone->client, leg->id, ending->reason, device_with(phone, leg), 0,
                                  NULL, NULL);
    else
        cb_report_ended_because(phone->client, leg->id, ending->reason, &ending->detail, 0, NULL,
                                NULL);
}

static void end_leg(struct phone *phone, struct leg *leg, LinphoneCallState state)
{
    struct ending ending;
    read_ending(&ending, leg, state);
    if (ends_as_asked(phone, leg))
        ;
    else if ((leg->doing == START || (leg->is_pulled && leg->doing == ANSWER)) && *leg->action &&
             !leg->is_ending)
        fail(phone, leg, &ending.detail);
    else {
        if (*leg->action)
            refuse(phone, leg, "call_ended", "the call is over");
        bool goes_on = leg->is_pulled && !leg->is_established; /* at the other device */
        if (!leg->is_ending && !goes_on && phone->client)
            report_ending(phone, leg, &ending);
    }
    if (*leg->ending && phone->client)
        cb_fulfil(phone->client, leg->ending, 0);
    if (leg->is_gone) {
        linphone_call_unref(leg->call);
        leg->call = NULL;
        return;
    }
    separate(phone, leg);
    leg_free(leg);
}

static void follow(struct phone *phone, struct leg *leg, LinphoneCallState state)
{
    switch (state) {
    case LinphoneCallStateOutgoingProgress:
        if (leg->doing == START && *leg->action && phone->client)
            cb_report_progress(phone->client, leg->action, "dialing", -1, NULL, 0);
        break;
    case LinphoneCallStateOutgoingRinging:
    case LinphoneCallStateOutgoingEarlyMedia:
        ring(phone, leg, state == LinphoneCallStateOutgoingEarlyMedia);
        break;
    case LinphoneCallStateConnected:
        connect_leg(phone, leg);
        break;
    case LinphoneCallStateStreamsRunning:
    case LinphoneCallStatePausedByRemote:
        stream(phone, leg, state == LinphoneCallStatePausedByRemote);
        break;
    case LinphoneCallStatePausing:
    case LinphoneCallStateResuming:
    case LinphoneCallStateUpdating:
        go_under_way(leg);
        break;
    case LinphoneCallStateUpdatedByRemote:
        consider_update(phone, leg);
        break;
    case LinphoneCallStatePaused:
        pause_leg(phone, leg);
        break;
    case LinphoneCallStateEnd:
    case LinphoneCallStateError:
        end_leg(phone, leg, state);
        break;
    default: /* nothing that the broker is interested in */
        break;
    }
}

void call_changed(LinphoneCore *core, LinphoneCall *call, LinphoneCallState state,
                  const char *message)
{
    struct phone *phone = linphone_core_get_user_data(core);
    struct leg *leg = leg_with_call(phone->legs, call);
    (void)message;
    if (!leg && phone->dialing && state == LinphoneCallStateOutgoingInit) {
        leg = phone->dialing;
        leg_attach(leg, call);
    } else if (!leg && (state == LinphoneCallStateIncomingReceived ||
                        state == LinphoneCallStateOutgoingInit)) {
        leg = appear(phone, call);
    }
    if (leg)
        follow(phone, leg, state);
}
