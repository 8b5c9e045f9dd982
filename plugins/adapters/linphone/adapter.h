/* One life of linphone-daemon as a provider of the broker: reports what happens there, and does
 * there what the broker asks. Every action ends by an event of the app. */
#ifndef LINPHONE_ADAPTER_H
#define LINPHONE_ADAPTER_H

#include "accounts.h"
#include "app.h"
#include "app_log.h"
#include "legs.h"
#include "sip_account.h"

#include <callbroker.h>

struct options {
    const char *pipe, *identity, *display_name, *broker;
    char memory[4096];
    int calls;
    bool verbose;
    /* For an app that this program starts. */
    bool start;
    const char *address, *user, *rtp;
    char folder[4096];
    struct account account;
    const char *gateway; /* of numbers, or NULL: it takes none */
};

struct adapter {
    const struct options *options;
    struct app app;
    struct app_log app_log;
    cb_client *client; /* NULL until the calls of the app are known */
    struct leg legs[LEGS];
    json_t *accounts; /* the lines that are registered; NULL until they are known */
    int64_t accounts_at; /* when they are asked for again */
    json_t *known; /* ids of an earlier life of this program */
    int probing, probed; /* the id that is asked about, and the highest that was */
    int highest; /* id of a call so far */
    int64_t ring_ms; /* after which the app gives an incoming call up */
    int seen; /* the same when the survey began: up to it only calls that are known go on */
    struct over {
        char call[37];
        cb_end_reason reason;
        bool has_detail;
        const char *word; /* of the detail, which lives for ever; or NULL */
        char text[PHRASE_BYTES + 1], code[16]; /* empty: there is none */
    } over[LEGS]; /* to be told */
    size_t over_count;
    bool is_surveyed, is_muted, is_over, is_leaving;
};

void adapter_init(struct adapter *adapter, const struct options *options);

/* Connects, and begins to find out which calls there are. 0, or a negative errno. */
int adapter_attach(struct adapter *adapter, const char *path, int64_t now);

/* Does whatever is due. False when the app is gone. */
bool adapter_process(struct adapter *adapter, int64_t now);

int64_t adapter_deadline(const struct adapter *adapter);

/* Tells the broker that there is no such provider any more, or (resumable) that it comes back. */
void adapter_leave(struct adapter *adapter, bool resumable);

void adapter_free(struct adapter *adapter);

/* ---- Its parts */

void say(const struct adapter *adapter, const char *text);

/* perform.c: what the broker asks for. */
void adapter_perform(cb_client *client, const cb_action *action, void *context);
void adapter_withdrawn(cb_client *client, const char *action, void *context);
void next_digit(struct adapter *adapter, struct leg *leg, int64_t now);
void send_hold(struct adapter *adapter, struct leg *leg);
void send_answer(struct adapter *adapter, struct leg *leg);

/* Answers what is not done before the broker gives up. */
void expire(struct adapter *adapter, struct leg *leg, int64_t now);

/* Remembers that a hold or resume which nobody waits for any more is not to last. */
void plan_undo(struct leg *leg);

/* Does the opposite, which nobody hears of. */
void send_undo(struct adapter *adapter, struct leg *leg);
void hang_up(struct adapter *adapter, struct leg *leg);
void done(struct adapter *adapter, struct leg *leg);
void failed(struct adapter *adapter, struct leg *leg, const char *reason, const char *message);
void failed_because(struct adapter *adapter, struct leg *leg, const cb_end_detail *why);

/* Two calls that were being joined are no pair any more. */
void separate(struct adapter *adapter, struct leg *leg);

/* One microphone for all calls: it is muted while the call that talks is. */
void follow_microphone(struct adapter *adapter);

/* events.c: what happens in the app. */
void adapter_event(void *context, const char *block);
/* The reason of the detail, if there is one, lives for ever. */
void leg_closed(struct adapter *adapter, struct leg *leg, cb_end_reason reason,
                const cb_end_detail *detail);
void keep(struct adapter *adapter);

/* Tells the broker what it does not know of the call yet, if there is a session. */
void tell(struct adapter *adapter, struct leg *leg);

/* Tells of all calls what has changed since they were listed. */
void tell_rest(struct adapter *adapter);

#endif
