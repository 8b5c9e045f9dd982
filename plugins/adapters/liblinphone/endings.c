/* Why a call is over, in the words of SIP. */
#include "phone.h"

#include <stdio.h>
#include <string.h>

static void read_code(struct ending *ending, LinphoneCall *call)
{
    const LinphoneErrorInfo *info = linphone_call_get_error_info(call);
    int code = linphone_error_info_get_protocol_code(info);
    if (linphone_error_info_get_reason(info) == LinphoneReasonIOError) {
        ending->detail.reason = "network_error"; /* no far end has said this code */
        ending->detail.text = "the far end cannot be reached";
        return;
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
}

/* The broker knows what the codes mean, but not that the far end has rung. */
static cb_end_reason reason_of(struct ending *ending, const struct leg *leg)
{
    const char *code = ending->code;
    if (leg->has_rung && (strcmp(code, "SIP 408") == 0 || strcmp(code, "SIP 480") == 0)) {
        ending->detail.reason = "no_answer";
        return CB_UNANSWERED;
    }
    if (strcmp(code, "SIP 487") == 0)
        return CB_UNANSWERED;
    return strncmp(code, "SIP 3", 5) == 0 || strcmp(code, "SIP 486") == 0 ||
                   strcmp(code, "SIP 600") == 0 || strcmp(code, "SIP 603") == 0
               ? CB_REMOTE_ENDED
               : CB_FAILED;
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
        read_code(ending, leg->call);
        ending->reason = reason_of(ending, leg);
    } else if (state == LinphoneCallStateError) {
        read_code(ending, leg->call);
        ending->reason = CB_FAILED;
    }
}
