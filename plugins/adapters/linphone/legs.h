/* The calls of linphone, and what of them has to be remembered. */
#ifndef LINPHONE_LEGS_H
#define LINPHONE_LEGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEGS 64
#define ID_BYTES 64 /* of an action */

enum kind { NOTHING, START, ANSWER, HOLD, RESUME, TONES, TRANSFER, JOIN };

struct leg {
    int id; /* the app's; 0 while it is being dialled */
    char call[37]; /* the broker's; empty if the place is free */
    char address[257], name[129];
    bool is_incoming, is_established;
    bool is_streaming; /* only then can it be held */
    bool is_held; /* by us, and the far end agreed */
    bool is_held_by_remote, is_muted, was_muted;
    bool has_rung, has_early_media; /* at the far end */
    bool is_reported; /* to the broker, or it was its wish; and what of it: */
    bool told_abilities;
    bool told_established, told_held, told_held_by_remote, told_rung, told_early_media;
    bool is_ending; /* by the broker's wish, or because it must not be */
    bool is_found; /* in the survey that is going on */
    enum kind doing; /* what the broker asked for and is not done */
    char action[ID_BYTES];
    int64_t answer_by; /* the broker, or it gives up */
    bool is_sent; /* the command */
    bool is_under_way; /* the app has begun */
    enum kind undoing; /* what to send once the opposite has happened, which nobody waits for */
    bool is_undo_sent;
    char ending[ID_BYTES]; /* the action that ends it, or empty */
    int64_t end_by;
    char muting[ID_BYTES]; /* the action that switches its microphone, or empty */
    int64_t mute_by;
    int64_t rings_since;
    char with[37]; /* the call whose far end is being joined with this one's, or empty */
    bool is_gone; /* it ended while it was being joined, and the other one has not yet */
    char digits[64]; /* still to be played */
    int64_t digit_at;
};

struct leg *leg_with_id(struct leg *legs, int id);
struct leg *leg_with_call(struct leg *legs, const char *call);
struct leg *leg_with_action(struct leg *legs, const char *action);

/* When the first of its actions has to be answered; INT64_MAX if there is none. */
int64_t leg_answer_by(const struct leg *leg);

/* A free place, or NULL. */
struct leg *new_leg(struct leg *legs, int id, const char *call);

/* All that is known of it the broker has been told. */
void leg_told(struct leg *leg);

/* How the broker learns of it after a pause. */
json_t *leg_live(const struct leg *leg);

/* What the app can do with each call, and what it cannot. */
json_t *leg_abilities(void);

/* What the broker is told besides the address; the abilities are among it. */
json_t *leg_update(const struct leg *leg);

/* Which call of the broker is which of the app's, in a file, what the app does not tell of each at
 * any time, and the highest id of a call so far. */
void remember(const char *path, const char *instance, int highest, const struct leg *legs);

/* The calls by their ids in that life of the app; an empty object, and 0, if it was another. */
json_t *remembered(const char *path, const char *instance, int *highest);

/* The call with that id among them in a free place, with what is known of it; NULL if it is not
 * among them, or there is no place. */
struct leg *recall(struct leg *legs, const json_t *known, int id);

/* Makes the folders above a file or folder, for the user alone. */
void make_parents(const char *path);

#endif
