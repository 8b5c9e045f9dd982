/* What CallBroker's protocol and the floor's have in common: lines with an id of
 * ten digits in the same place. */
#ifndef WIRE_LINE_H
#define WIRE_LINE_H

#include "wire.h"

#define LINE_HEAD "{\"jsonrpc\":\"2.0\",\"id\":"

enum { ID_AT = sizeof LINE_HEAD - 1, ID_DIGITS = 10 };

void line_hello(struct conn *c);
size_t line_ping(char *out, uint32_t id);
size_t line_next(const char *in, size_t n, uint32_t *id);

/* Writes an id over the ten digits of a template. */
void line_put_id(char *line, uint32_t id);

/* Sends one line whose id is 1 and waits for the answer to it. */
void line_ask(struct conn *c, const char *line, size_t n);

#endif
