/* The telephone: the calls of liblinphone are those of a provider of the broker. One thread runs
 * both. */
#ifndef LIBLINPHONE_PHONE_H
#define LIBLINPHONE_PHONE_H

#include "legs.h"
#include "options.h"
#include "watch.h"

#include <callbroker.h>

struct phone {
    const struct options *options;
    LinphoneCore *core;
    LinphoneCoreCbs *callbacks;
    cb_client *client;
    json_t *lines;
    struct leg legs[LEGS];
    struct watch watches[WATCHES_MAX];
    size_t watch_count;
    struct external externals[EXTERNALS_MAX];
    struct leg *dialing; /* whose call liblinphone is about to make */
    int64_t quality_at;  /* when the quality of calls is reported again */
    int64_t participants_at; /* the same for who takes part in conferences */
    bool is_over;
};

/* Starts liblinphone, and opens its port. False after reporting what stands in the way. */
bool phone_open(struct phone *phone, struct options *options);

/* Does whatever is due. */
void phone_process(struct phone *phone, int64_t now);

/* Ends all calls, and the registrations of accounts. */
void phone_close(struct phone *phone);

void report(const struct phone *phone, const char *text);

/* ---- broker.c: the session */

bool broker_join(struct phone *phone);

/* Reports that there is no such provider any more. */
void broker_leave(struct phone *phone);

/* What the broker learns of a call: that of the leg, its line, and its endpoints. */
json_t *describe(const struct phone *phone, const struct leg *leg);

/* Completes what the broker has asked for. */
void fulfill(struct phone *phone, struct leg *leg);
void fail(struct phone *phone, struct leg *leg, const cb_end_detail *why);
void refuse(struct phone *phone, struct leg *leg, const char *reason, const char *message);

/* Reports a call that the broker does not know yet. */
void announce(struct phone *phone, struct leg *leg);

/* ---- perform.c: what the broker asks for */

void perform(cb_client *client, const cb_action *action, void *context);
void withdraw(cb_client *client, const char *action, void *context);
void begin(struct leg *leg, enum deed deed, const cb_action *action);
void hang_up(struct phone *phone, struct leg *leg, LinphoneReason reason);

/* The address to call that a member of the arguments names, of a number that at the gateway. The
 * caller releases it. NULL: there is none. */
LinphoneAddress *read_target(struct phone *phone, const cb_action *action, const char *member);

/* Does what had to wait: a hold until there is sound, the next tone. Answers what is not done before
 * the broker gives up. */
void perform_due(struct phone *phone, int64_t now);

/* ---- transfer.c */

void transfer(struct phone *phone, struct leg *leg, const cb_action *action);
void attended_transfer(struct phone *phone, struct leg *leg, const cb_action *action);
void deflect(struct phone *phone, struct leg *leg, const cb_action *action);
void separate(struct phone *phone, struct leg *leg);
void transfer_changed(LinphoneCore *core, LinphoneCall *call, LinphoneCallState state);

/* Whether the end of a call completes an action. */
bool ends_as_asked(struct phone *phone, struct leg *leg);

/* ---- events.c: what happens in liblinphone */

void call_changed(LinphoneCore *core, LinphoneCall *call, LinphoneCallState state,
                  const char *message);

/* ---- callers.c */

/* What the INVITE of an incoming call says besides the address of the caller. */
void read_invite(const struct phone *phone, struct leg *leg);
/* ---- video.c */

void set_video(struct phone *phone, struct leg *leg, const cb_action *action);

/* Offers what is wanted to the far end, or answers the far end's offer. */
void send_media(struct phone *phone, struct leg *leg);

/* What a call has beside sound. */
void choose_media(LinphoneCallParams *params, enum video video, bool has_text);
enum video video_offered(LinphoneCall *call);

/* The far end has made an offer in the call. Asks the user if it is for more than there is. */
void consider_update(struct phone *phone, struct leg *leg);

/* Both ends have agreed on something. */
void settle_video(struct phone *phone, struct leg *leg);

/* ---- rtt.c: real-time text */

bool text_offered(LinphoneCall *call);
void set_text(struct phone *phone, struct leg *leg, const cb_action *action);
void settle_text(struct phone *phone, struct leg *leg);
void typed(LinphoneCore *core, LinphoneChatRoom *room);
void report_typed(struct phone *phone, int64_t now);

/* Requests that are no actions. */
void answer_request(cb_client *client, cb_token request, const char *method, const json_t *params,
                    void *context);

/* ---- endpoints.c */

json_t *read_endpoints(const struct phone *phone, const LinphoneCall *call);
void set_endpoint(struct phone *phone, struct leg *leg, const cb_action *action);
void devices_changed(LinphoneCore *core);

/* ---- watch.c: calls on other devices */

void watch_open(struct phone *phone);
void watch_close(struct phone *phone);
void watch_due(struct phone *phone, int64_t now);
struct external *external_with_id(struct phone *phone, const char *id);
json_t *describe_external(const struct external *external);

/* The name of the watched device that has the call which rings here; NULL if none says so. */
const char *device_with(const struct phone *phone, const struct leg *leg);
void notified(LinphoneCore *core, LinphoneEvent *event, const char *name,
              const LinphoneContent *content);
void subscription_changed(LinphoneCore *core, LinphoneEvent *event,
                          LinphoneSubscriptionState state);

/* ---- participants.c: of conferences of the far ends */

/* Asks a far end that is a conference, once. */
void subscribe_to_focus(struct phone *phone, struct leg *leg);
void report_participants(struct phone *phone, int64_t now);

/* All are reported again. */
void forget_participants(struct phone *phone);

/* ---- pull.c */

void pull(struct phone *phone, const struct external *external, const cb_action *action);

/* ---- endings.c: why a call is over */

struct ending {
    cb_end_reason reason;
    cb_end_detail detail;
    char code[16], text[257];
};

void read_ending(struct ending *ending, const struct leg *leg, LinphoneCallState state);

/* ---- lines.c: accounts */

json_t *read_lines(const struct phone *phone);
void registration_changed(LinphoneCore *core, LinphoneProxyConfig *account,
                          LinphoneRegistrationState state, const char *message);

/* The line of a call as an id, or NULL. */
json_t *line_of(const struct phone *phone, LinphoneCall *call);

/* The account with that id; NULL if there is none. */
LinphoneProxyConfig *account_of(const struct phone *phone, const char *line);

/* ---- quality.c */

void report_quality(struct phone *phone, int64_t now);

#endif
