/* The calls of the telephone, each by its id at the broker. */
#ifndef LIBLINPHONE_LEGS_H
#define LIBLINPHONE_LEGS_H

#include "video.h"

#include <jansson.h>
#include <linphone/core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEGS 64
#define ID_BYTES 64 /* of an action */

/* What the broker has asked for. */
enum deed {
    NOTHING, START, ANSWER, HOLD, RESUME, TONES, TRANSFER, JOIN, DEFLECT, VIDEO, TEXT, ENDPOINT
};

struct leg {
    char id[37]; /* empty if the place is free */
    LinphoneCall *call;
    char address[257], name[129];
    char forwarded_from[257]; /* the address of who did that last, or empty */
    const char *verification, *priority; /* as the INVITE said, or NULL */
    bool is_incoming, is_established;
    bool is_streaming; /* only then can it be held, or its video changed */
    bool is_held;      /* by us, and the far end agreed */
    bool is_held_by_remote, is_muted;
    bool has_rung, has_early_media; /* at the far end */
    bool is_pulled; /* from another device, where it goes on until it is connected here */
    bool is_ending;                 /* by the broker's wish, or because it must not be */
    enum deed doing;                /* and not done yet */
    char action[ID_BYTES];
    int64_t answer_by;              /* or the broker gives up */
    enum deed undoing; /* what to send once the opposite has happened, which nobody waits for */
    bool is_undo_sent;
    bool is_sent;          /* to liblinphone */
    bool is_under_way;     /* liblinphone has begun */
    char ending[ID_BYTES]; /* the action that ends it, or empty */
    char with[37];         /* the call whose far end is being joined with this one's, or empty */
    bool is_gone;          /* it ended while it was being joined, and that is not decided yet */
    char digits[64];       /* still to be played */
    int64_t digit_at;
    enum video video;      /* as agreed, or as it is to be answered with */
    enum video wanted;     /* by the user, while that is being done */
    enum video requested;  /* by the far end, and not decided yet */
    bool has_text, wants_text, text_requested; /* the same for real-time text */
    bool is_deferred;     /* the far end's offer waits for a decision, or until then: */
    int64_t decide_by;
    char typed[1025];     /* by the far end, and not reported yet */
    size_t typed_bytes;
    int64_t typed_by;
    LinphoneEvent *conference; /* the subscription to its participants, if the far end has some */
    json_t *participants;      /* as reported, by their ids; NULL: none was */
    int64_t lost, got; /* packets of sound, when the quality was reported */
};

struct leg *leg_with_call(struct leg *legs, const LinphoneCall *call);
struct leg *leg_with_id(struct leg *legs, const char *id);
struct leg *leg_with_action(struct leg *legs, const char *action);

/* A free place, or NULL. */
struct leg *new_leg(struct leg *legs, const char *id);

/* Makes it the leg of that call, which it keeps a reference to. */
void leg_attach(struct leg *leg, LinphoneCall *call);

/* Makes its place free. */
void leg_free(struct leg *leg);

/* The members of a report about it, beside the address. */
json_t *leg_update(const struct leg *leg);

/* Its entry in the list of live calls, without those. */
json_t *leg_live(const struct leg *leg);

#endif
