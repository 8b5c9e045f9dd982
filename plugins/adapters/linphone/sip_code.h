/* What the codes of SIP mean for the end of a call. */
#ifndef LINPHONE_SIP_CODE_H
#define LINPHONE_SIP_CODE_H

#include <callbroker.h>
#include <stdbool.h>

/* How a call of ours ended that a code refused before anybody had answered; 0: there is none. The broker
 * knows what the codes mean, but not that the far end has rung: then *word is what it was. */
cb_end_reason end_by_code(int code, bool has_rung, const char **word);

#endif
