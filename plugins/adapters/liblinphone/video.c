/* Video: what a call begins with, changes of it, and requests of the far end (rule 45). */
#include "phone.h"

#include <string.h>

enum { DECISION_MS = 28000 /* before the transaction of the far end is over, after 32 s */ };

static const char *const words[] = {"off", "send", "receive", "both"};

const char *video_word(enum video video)
{
    return words[video];
}

static enum video video_named(const char *word)
{
    for (int video = VIDEO_SEND; word && video <= VIDEO_BOTH; video++)
        if (strcmp(word, words[video]) == 0)
            return (enum video)video;
    return VIDEO_OFF;
}

/* ---- What has been offered and agreed */

enum video video_offered(LinphoneCall *call)
{
    const LinphoneCallParams *params = linphone_call_get_remote_params(call);
    if (!params || !linphone_call_params_video_enabled(params))
        return VIDEO_OFF;
    switch (linphone_call_params_get_video_direction(params)) { /* as seen from there */
    case LinphoneMediaDirectionSendOnly: return VIDEO_RECEIVE;
    case LinphoneMediaDirectionRecvOnly: return VIDEO_SEND;
    case LinphoneMediaDirectionSendRecv: return VIDEO_BOTH;
    default: return VIDEO_OFF;
    }
}

static enum video video_agreed(LinphoneCall *call)
{
    const LinphoneCallParams *params = linphone_call_get_current_params(call);
    if (!params || !linphone_call_params_video_enabled(params))
        return VIDEO_OFF;
    switch (linphone_call_params_get_video_direction(params)) {
    case LinphoneMediaDirectionSendOnly: return VIDEO_SEND;
    case LinphoneMediaDirectionRecvOnly: return VIDEO_RECEIVE;
    case LinphoneMediaDirectionSendRecv: return VIDEO_BOTH;
    default: return VIDEO_OFF;
    }
}

void choose_media(LinphoneCallParams *params, enum video video, bool has_text)
{
    static const LinphoneMediaDirection directions[] = {
        LinphoneMediaDirectionInactive, LinphoneMediaDirectionSendOnly,
        LinphoneMediaDirectionRecvOnly, LinphoneMediaDirectionSendRecv};
    linphone_call_params_enable_video(params, video != VIDEO_OFF);
    linphone_call_params_set_video_direction(params, directions[video]);
    linphone_call_params_enable_realtime_text(params, has_text);
}

/* ---- What the user wants */

/* What the far end has asked for and is not answered by the action is declined. */
static void withdraw_requests(struct phone *phone, struct leg *leg)
{
    if (leg->requested != VIDEO_OFF && leg->doing != VIDEO && phone->client)
        cb_report_video_request(phone->client, leg->id, NULL, 0, NULL, NULL);
    if (leg->text_requested && leg->doing != TEXT && phone->client)
        cb_report_text_request(phone->client, leg->id, false, 0, NULL, NULL);
    leg->requested = VIDEO_OFF;
    leg->text_requested = false;
}

void send_media(struct phone *phone, struct leg *leg)
{
    LinphoneCallParams *params = linphone_core_create_call_params(phone->core, leg->call);
    choose_media(params, leg->doing == VIDEO ? leg->wanted : leg->video,
                 leg->doing == TEXT ? leg->wants_text : leg->has_text);
    bool is_answer = leg->is_deferred;
    leg->is_sent = true;
    leg->is_under_way = is_answer;
    leg->is_deferred = false;
    withdraw_requests(phone, leg);
    int status = is_answer ? linphone_call_accept_update(leg->call, params)
                           : linphone_call_update(leg->call, params);
    linphone_call_params_unref(params);
    if (status != 0 && (leg->doing == VIDEO || leg->doing == TEXT))
        refuse(phone, leg, "app_refused", "liblinphone cannot change the call now");
}

static void choose_before_answer(struct phone *phone, struct leg *leg)
{
    if (leg->wanted & ~video_offered(leg->call)) {
        refuse(phone, leg, "not_offered", "the caller does not offer this video");
        return;
    }
    leg->video = leg->wanted;
    fulfill(phone, leg);
}

void set_video(struct phone *phone, struct leg *leg, const cb_action *action)
{
    begin(leg, VIDEO, action);
    leg->wanted = video_named(json_string_value(json_object_get(action->arguments, "video")));
    if (!leg->is_established)
        choose_before_answer(phone, leg);
    else if (leg->is_deferred)
        send_media(phone, leg);
    else if (leg->wanted == leg->video)
        fulfill(phone, leg);
    else if (leg->is_held)
        refuse(phone, leg, "call_held", "the far end cannot be asked while the call is held");
    else if (leg->is_streaming)
        send_media(phone, leg); /* else as soon as it can be changed */
}

/* ---- What the far end wants */

static void report_video(struct phone *phone, struct leg *leg)
{
    if (phone->client)
        cb_report_update(phone->client, leg->id, json_pack("{s:s}", "video",
                                                           video_word(leg->video)), NULL, NULL);
}

void consider_update(struct phone *phone, struct leg *leg)
{
    enum video offered = video_offered(leg->call);
    bool more_video = offered & ~leg->video, more_text = !leg->has_text && text_offered(leg->call);
    leg->is_streaming = false;
    if ((!more_video && !more_text) || linphone_call_defer_update(leg->call) != 0)
        return; /* liblinphone agrees by itself */
    leg->is_deferred = true;
    leg->requested = more_video ? offered : VIDEO_OFF;
    leg->text_requested = more_text;
    leg->decide_by = cb_now_ms() + DECISION_MS;
    if (more_video && phone->client)
        cb_report_video_request(phone->client, leg->id, video_word(offered), 0, NULL, NULL);
    if (more_text && phone->client)
        cb_report_text_request(phone->client, leg->id, true, 0, NULL, NULL);
}

/* ---- What became of it */

static void complete(struct phone *phone, struct leg *leg, enum video agreed)
{
    enum video former = leg->video, wanted = leg->wanted;
    leg->video = agreed;
    if (agreed == former && agreed != wanted) {
        refuse(phone, leg, "remote_refused", "the far end did not agree");
        return;
    }
    fulfill(phone, leg);
    if (agreed != wanted)
        report_video(phone, leg);
}

void settle_video(struct phone *phone, struct leg *leg)
{
    enum video agreed = video_agreed(leg->call);
    if (leg->is_deferred)
        withdraw_requests(phone, leg); /* the far end has given up */
    leg->is_deferred = false;
    if (leg->doing == VIDEO && leg->is_under_way) {
        complete(phone, leg, agreed);
    } else if (agreed != leg->video) {
        leg->video = agreed;
        report_video(phone, leg);
    }
}
