#ifndef CALLBROKER_CNCURSES_H
#define CALLBROKER_CNCURSES_H

#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define _XOPEN_SOURCE_EXTENDED 1
// A library that macros of this name do not disturb.
#define NCURSES_NOMACROS 1
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <term.h>
#include <time.h>

// Of the C library, which declares it for programs of GNU only.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *time,
                 const sigset_t *signals);

// What Swift does not import: macros that compute, and strings that terminfo keeps.
static const int callbroker_button_pressed = (int)BUTTON1_PRESSED;
static const int callbroker_button_clicked = (int)BUTTON1_CLICKED;
static const int callbroker_button_twice = (int)BUTTON1_DOUBLE_CLICKED;
static const int callbroker_button_thrice = (int)BUTTON1_TRIPLE_CLICKED;
static const mmask_t callbroker_mouse = ALL_MOUSE_EVENTS;
static const int callbroker_wheel_up = (int)BUTTON4_PRESSED;
static const int callbroker_wheel_down = (int)BUTTON5_PRESSED;
static const int callbroker_bold = (int)A_BOLD;
static const int callbroker_dim = (int)A_DIM;
static const int callbroker_reverse = (int)A_REVERSE;
static const int callbroker_underline = (int)A_UNDERLINE;

static inline int callbroker_color(int pair) { return (int)COLOR_PAIR(pair); }
static inline WINDOW *callbroker_window(void) { return stdscr; }
static inline bool callbroker_can_move(void) { return cursor_address != 0; }
static inline const char *callbroker_leave_screen(void) { return exit_ca_mode; }
static inline const char *callbroker_show_cursor(void) { return cursor_normal; }
static inline const char *callbroker_plain_text(void) { return exit_attribute_mode; }

#endif
