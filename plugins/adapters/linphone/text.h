/* What linphone-daemon says: blocks of lines that begin with "Status: Ok" or "Status: Error". */
#ifndef LINPHONE_TEXT_H
#define LINPHONE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The states of a call that make a difference here. */
enum state {
    UNKNOWN, /* one that is newer than this program: nothing follows from it */
    INCOMING,
    DIALING,
    FAR_END_RINGS,
    FAR_END_SOUNDS, /* before its answer */
    CONNECTED,
    STREAMING,
    PAUSING,
    PAUSED,
    RESUMING,
    PAUSED_BY_REMOTE,
    ENDED,
    FAILED
};

bool block_is_ok(const char *block);

/* The value of the first line "name: value", shortened to the room there is. False: none. */
bool block_value(const char *block, const char *name, char *value, size_t size);

/* The number of a line "name: 12"; -1 without one. */
int block_number(const char *block, const char *name);

/* The state with a name such as LinphoneCallPaused. */
enum state state_named(const char *name);

/* Splits `"Ann" <sip:ann@host;x=y>` into address and name, which may be empty. The address is
 * without parameters. Both are cut at whole characters, and are UTF-8 whatever was sent. */
void read_address(const char *text, char *address, size_t address_size, char *name,
                  size_t name_size);

/* Replaces what is no ASCII, unless all of it is UTF-8. */
void make_utf8(char *text);

/* Whether it can be a word of a command: no blank, no control character, not an option. */
bool is_word(const char *text);

#endif
