#include "sip_code.h"

cb_end_reason end_by_code(int code, bool has_rung, const char **word)
{
    if (has_rung && (code == 408 || code == 480)) {
        *word = "no_answer";
        return CB_UNANSWERED;
    }
    if (code == 487)
        return CB_UNANSWERED;
    bool is_refusal = code / 100 == 3 || code == 486 || code == 600 || code == 603;
    return is_refusal ? CB_REMOTE_ENDED : CB_FAILED;
}
