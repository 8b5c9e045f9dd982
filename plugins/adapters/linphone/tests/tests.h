/* What the tests in C share. */
#ifndef LINPHONE_TESTS_H
#define LINPHONE_TESTS_H

#include <stdbool.h>

#define CHECK(is_true) check(is_true, #is_true, __FILE__, __LINE__)

/* Ends the tests if it is not so. */
void check(bool is_true, const char *what, const char *file, int line);

void claims(void);
void logs(void);

#endif
