/* The direction of the video of a call, as seen from here. */
#ifndef LIBLINPHONE_VIDEO_H
#define LIBLINPHONE_VIDEO_H

/* Bits: what is sent, and what is received. */
enum video { VIDEO_OFF = 0, VIDEO_SEND = 1, VIDEO_RECEIVE = 2, VIDEO_BOTH = 3 };

/* Its word on the wire. */
const char *video_word(enum video video);

#endif
