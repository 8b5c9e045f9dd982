/* The system's libjansson, as it is. */
#include <jansson.h>
