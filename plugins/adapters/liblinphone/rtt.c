/* Real-time text (ITU-T T.140, RFC 4103): whether a call has it (rule 46), and what either side
 * types. */
#include "phone.h"

#include <linphone/api/c-chat-message.h>
#include <linphone/api/c-chat-room.h>
#include <string.h>

enum { TYPING_MS = 300 /* for which characters are collected */ };

/* ---- Whether a call has text */

bool text_offered(LinphoneCall *call)
{
    const LinphoneCallParams *params = linphone_call_get_remote_params(call);
    return params && linphone_call_params_realtime_text_enabled(params);
}

static bool text_agreed(LinphoneCall *call)
{
    const LinphoneCallParams *params = linphone_call_get_current_params(call);
    return params && linphone_call_params_realtime_text_enabled(params);
}

void set_text(struct phone *phone, struct leg *leg, const cb_action *action)
{
    begin(leg, TEXT, action);
    leg->wants_text = json_is_true(json_object_get(action->arguments, "text"));
    if (!leg->is_established && leg->wants_text && !text_offered(leg->call)) {
        refuse(phone, leg, "not_offered", "the caller does not offer text");
    } else if (!leg->is_established) {
        leg->has_text = leg->wants_text;
        fulfill(phone, leg);
    } else if (leg->is_deferred) {
        send_media(phone, leg);
    } else if (leg->wants_text == leg->has_text) {
        fulfill(phone, leg);
    } else if (leg->is_held) {
        refuse(phone, leg, "call_held", "the far end cannot be asked while the call is held");
    } else if (leg->is_streaming) {
        send_media(phone, leg); /* else as soon as it can be changed */
    }
}

void settle_text(struct phone *phone, struct leg *leg)
{
    bool agreed = text_agreed(leg->call), former = leg->has_text;
    bool is_asked = leg->doing == TEXT && leg->is_under_way;
    leg->has_text = agreed;
    if (is_asked && agreed != leg->wants_text)
        refuse(phone, leg, "remote_refused", "the far end did not agree");
    else if (is_asked)
        fulfill(phone, leg);
    else if (agreed != former && phone->client)
        cb_report_update(phone->client, leg->id, json_pack("{s:b}", "has_text", agreed), NULL,
                         NULL);
}

/* ---- What the far end types */

static void send_typed(struct phone *phone, struct leg *leg)
{
    if (leg->typed_bytes > 0 && phone->client)
        cb_report_text(phone->client, leg->id, leg->typed, NULL, NULL);
    leg->typed_bytes = 0;
}

static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0) | c);
    return length;
}

static void append(struct phone *phone, struct leg *leg, uint32_t c)
{
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) || c == 0xfeff)
        return; /* no character, or the mark with which T.140 begins */
    if (leg->typed_bytes + 4 >= sizeof leg->typed)
        send_typed(phone, leg);
    if (leg->typed_bytes == 0)
        leg->typed_by = cb_now_ms() + TYPING_MS;
    leg->typed_bytes += encode(c, leg->typed + leg->typed_bytes);
    leg->typed[leg->typed_bytes] = '\0';
}

void typed(LinphoneCore *core, LinphoneChatRoom *room)
{
    struct phone *phone = linphone_core_get_user_data(core);
    LinphoneCall *call = linphone_chat_room_get_call(room);
    struct leg *leg = call ? leg_with_call(phone->legs, call) : NULL;
    if (!leg)
        return;
    for (uint32_t c; (c = linphone_chat_room_get_char(room)) != 0;)
        append(phone, leg, c);
}

void report_typed(struct phone *phone, int64_t now)
{
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++)
        if (*leg->id && leg->typed_bytes > 0 && now >= leg->typed_by)
            send_typed(phone, leg);
}

/* ---- What the user types */

/* The character that begins at text, which is UTF-8, and how many bytes it has. */
static uint32_t decode(const char *text, size_t *length)
{
    const unsigned char *byte = (const unsigned char *)text;
    *length = *byte < 0x80 ? 1 : *byte < 0xe0 ? 2 : *byte < 0xf0 ? 3 : 4;
    uint32_t c = *length == 1 ? *byte : *byte & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        c = c << 6 | (byte[i] & 0x3f);
    return c;
}

/* Whether they are on their way. */
static bool type(struct leg *leg, const char *text)
{
    LinphoneChatRoom *room = linphone_call_get_chat_room(leg->call);
    if (!room)
        return false;
    LinphoneChatMessage *message = linphone_chat_room_create_empty_message(room);
    bool is_sent = true;
    for (size_t length; *text && is_sent; text += length)
        is_sent = linphone_chat_message_put_char(message, decode(text, &length)) == 0;
    linphone_chat_message_unref(message);
    return is_sent;
}

void answer_request(cb_client *client, cb_token request, const char *method, const json_t *params,
                    void *context)
{
    struct phone *phone = context;
    const char *id = json_string_value(json_object_get(params, "call"));
    const char *text = json_string_value(json_object_get(params, "text"));
    struct leg *leg = id ? leg_with_id(phone->legs, id) : NULL;
    if (strcmp(method, "provider.send_text") != 0)
        cb_refuse(client, request, CB_METHOD_NOT_FOUND, "not_supported", NULL);
    else if (!leg || !leg->call || !leg->has_text || !text)
        cb_refuse(client, request, CB_BROKER_ERROR, "no_text", "the call has no text");
    else if (!type(leg, text))
        cb_refuse(client, request, CB_BROKER_ERROR, "app_refused", "liblinphone did not send it");
    else
        cb_respond(client, request, NULL);
}
