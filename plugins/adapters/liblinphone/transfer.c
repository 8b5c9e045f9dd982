/* Sending calls on: to an address, to another call, and before an answer. */
#include "phone.h"

#include <stdio.h>
#include <string.h>

static LinphoneAddress *target(struct phone *phone, struct leg *leg, const cb_action *action)
{
    LinphoneAddress *address = read_target(phone, action, "to");
    if (!address)
        refuse(phone, leg, "invalid_address",
               "an address without blanks is expected, such as sip:ann@example.org");
    return address;
}

void transfer(struct phone *phone, struct leg *leg, const cb_action *action)
{
    begin(leg, TRANSFER, action);
    LinphoneAddress *address = target(phone, leg, action);
    if (!address)
        return;
    if (linphone_call_transfer_to(leg->call, address) != 0 && leg->doing == TRANSFER)
        refuse(phone, leg, "app_refused", "liblinphone cannot transfer the call now");
    linphone_address_unref(address);
}

void attended_transfer(struct phone *phone, struct leg *leg, const cb_action *action)
{
    const char *with = json_string_value(json_object_get(action->arguments, "with"));
    struct leg *other = with ? leg_with_id(phone->legs, with) : NULL;
    begin(leg, JOIN, action);
    if (!other || other == leg) {
        refuse(phone, leg, "call_ended", "liblinphone does not have the other call");
        return;
    }
    strcpy(leg->with, other->id);
    strcpy(other->with, leg->id);
    if (linphone_call_transfer_to_another(leg->call, other->call) != 0 && leg->doing == JOIN)
        refuse(phone, leg, "app_refused", "liblinphone cannot join the calls now");
}

void deflect(struct phone *phone, struct leg *leg, const cb_action *action)
{
    begin(leg, DEFLECT, action);
    LinphoneAddress *address = target(phone, leg, action);
    if (!address)
        return;
    if (linphone_call_redirect_to(leg->call, address) != 0 && leg->doing == DEFLECT)
        refuse(phone, leg, "app_refused", "liblinphone cannot deflect the call now");
    linphone_address_unref(address);
}

void separate(struct phone *phone, struct leg *leg)
{
    struct leg *other = leg_with_id(phone->legs, leg->with);
    *leg->with = '\0';
    if (!other)
        return;
    *other->with = '\0';
    if (other->doing == JOIN)
        refuse(phone, other, "call_ended", "the other call is over");
    if (other->is_gone && phone->client)
        cb_report_ended(phone->client, other->id, CB_REMOTE_ENDED, 0, NULL, NULL);
    if (other->is_gone)
        leg_free(other);
}

/* The far ends talk with each other. */
static void complete(struct phone *phone, struct leg *leg)
{
    struct leg *other = leg_with_id(phone->legs, leg->with);
    fulfill(phone, leg);
    *leg->with = '\0';
    if (!other)
        return;
    *other->with = '\0';
    if (other->is_gone)
        leg_free(other);
    else
        hang_up(phone, other, LinphoneReasonNone);
}

/* The far end reports what became of the new call: once that talks, ours are over for the broker,
 * and are hung up. */
void transfer_changed(LinphoneCore *core, LinphoneCall *call, LinphoneCallState state)
{
    struct phone *phone = linphone_core_get_user_data(core);
    struct leg *leg = leg_with_call(phone->legs, call);
    if (!leg || (leg->doing != TRANSFER && leg->doing != JOIN))
        return;
    if (state == LinphoneCallStateError || state == LinphoneCallStateEnd) {
        refuse(phone, leg, "remote_refused", "the far end did not reach the new party");
    } else if (state == LinphoneCallStateConnected) {
        leg->is_ending = true; /* liblinphone hangs up by itself */
        complete(phone, leg);
    }
}

/* Of two calls that are joined, the far end of the other one hangs up for the new call, perhaps
 * before that is reported. */
bool ends_as_asked(struct phone *phone, struct leg *leg)
{
    struct leg *other = leg_with_id(phone->legs, leg->with);
    if (leg->is_ending)
        return false;
    if (leg->doing == DEFLECT)
        fulfill(phone, leg);
    else if (leg->doing == JOIN && other && other->is_gone)
        complete(phone, leg);
    else if (other && other->doing == JOIN)
        leg->is_gone = true;
    else
        return false;
    return true;
}
