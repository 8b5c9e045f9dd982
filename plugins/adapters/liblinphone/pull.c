/* Bringing a call here from another device: an INVITE to its remote party with `Replaces` (RFC
 * 3891), which leaves the other device. */
#include "phone.h"

#include <stdio.h>
#include <string.h>

static void invite(struct phone *phone, struct leg *leg, const char *target, const char *header)
{
    LinphoneAddress *address = linphone_core_interpret_url(phone->core, target);
    LinphoneCallParams *params = linphone_core_create_call_params(phone->core, NULL);
    choose_media(params, VIDEO_OFF, false);
    linphone_call_params_add_custom_header(params, "Replaces", header);
    linphone_call_params_add_custom_header(params, "Require", "replaces");
    phone->dialing = leg;
    LinphoneCall *call =
        address ? linphone_core_invite_address_with_params(phone->core, address, params) : NULL;
    phone->dialing = NULL;
    linphone_call_params_unref(params);
    if (address)
        linphone_address_unref(address);
    if (call || leg->doing != ANSWER)
        return;
    refuse(phone, leg, "app_refused", "liblinphone could not call the remote party");
    leg_free(leg);
}

void pull(struct phone *phone, const struct external *external, const cb_action *action)
{
    char header[600];
    bool is_possible = replacement(&external->dialog, header, sizeof header);
    struct leg *leg = is_possible ? new_leg(phone->legs, external->id) : NULL;
    if (!leg) {
        cb_fail(phone->client, action->id, CB_BROKER_ERROR,
                is_possible ? "too_many_calls" : "not_supported",
                is_possible ? NULL : "the other device does not say enough about its call");
        return;
    }
    strcpy(leg->address, external->dialog.address);
    strcpy(leg->name, external->dialog.name);
    leg->is_pulled = true;
    begin(leg, ANSWER, action);
    invite(phone, leg, external->dialog.target, header);
}
