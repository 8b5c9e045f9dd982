/* Providers and observers: processes of their own that answer what they are asked,
 * and read what they are told.
 */
#ifndef CAST_H
#define CAST_H

#include "load.h"

struct cast {
    pid_t providers, observers;
    int events;         /* a pipe: a byte whenever all observers together have got two more events each */
};

/* 16, but more if each would have so many calls that their list fills a frame. */
int providers_for(int calls);

/* Who takes part in a run, as its options say. */
struct scene scene_of(const struct options *o);

/* Starts them and waits until the calls are held and all is subscribed. */
struct cast cast_start(const struct options *o, const struct scene *s);

void cast_stop(const struct cast *c);

#endif
