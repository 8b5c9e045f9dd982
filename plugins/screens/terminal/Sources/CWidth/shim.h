#ifndef CALLBROKER_CWIDTH_H
#define CALLBROKER_CWIDTH_H

#include <stddef.h>

// Of the C library; Swift's module of it leaves wchar.h out.
extern int wcwidth(wchar_t character);

#endif
