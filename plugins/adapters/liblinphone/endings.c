/* Why a call is over, in the words of SIP. */
#include "phone.h"
#include "sip_code.h"

#include <stdio.h>
#include <string.h>

/* The code that ended it, or 0. */
static int read_code(struct ending *ending, LinphoneCall *call)
{
    const LinphoneErrorInfo *info = linphone_call_get_error_info(call);
    int code = linphone_error_info_get_protocol_code(info);
    if (linphone_error_info_get_reason(info) == LinphoneReasonIOError) {
        ending->detail.reason = "network_error"; /* no far end has said this code */
        ending->detail.text = "the far end cannot be reached";
        return 0;
    }
    const char *text = linphone_error_info_get_phrase(info);
    if (code >= 300 && code < 700) {
        snprintf(ending->code, sizeof ending->code, "SIP %d", code);
        ending->detail.code = ending->code;
    }
    if (text && *text && strlen(text) < sizeof ending->text && code >= 300) {
        strcpy(ending->text, text);
        ending->detail.text = ending->text;
    }
    return code;
}

void read_ending(struct ending *ending, const struct leg *leg, LinphoneCallState state)
{
    *ending = (struct ending){.reason = CB_REMOTE_ENDED};
    LinphoneCallLog *log = linphone_call_get_call_log(leg->call);
    LinphoneCallStatus status = linphone_call_log_get_status(log);
    if (leg->is_incoming && status == LinphoneCallAcceptedElsewhere) {
        ending->reason = CB_ANSWERED_ELSEWHERE;
    } else if (leg->is_incoming && status == LinphoneCallDeclinedElsewhere) {
        ending->reason = CB_DECLINED_ELSEWHERE;
    } else if (!leg->is_established && !leg->is_incoming) {
        int code = read_code(ending, leg->call);
        ending->reason = end_by_code(code, leg->has_rung, &ending->detail.reason);
    } else if (state == LinphoneCallStateError) {
        read_code(ending, leg->call);
        ending->reason = CB_FAILED;
    }
}
