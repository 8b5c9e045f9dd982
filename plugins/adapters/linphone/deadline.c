#include "deadline.h"

enum { SPARE_MS = 500 };

int64_t answer_time(int64_t now, int64_t deadline_ms)
{
    return now + (deadline_ms > 2 * SPARE_MS ? deadline_ms - SPARE_MS : deadline_ms / 2);
}
