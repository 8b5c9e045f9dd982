#include "dbus_message.h"
#include "net.h"

#include <string.h>

enum { BODY_LENGTH_AT = 4, FIELDS_LENGTH_AT = 12 };

static size_t aligned(size_t n, size_t to) { return (n + to - 1) & ~(to - 1); }

uint32_t dbus_read_u32(const char *p) {
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

void dbus_write_u32(char *p, uint32_t value) { memcpy(p, &value, sizeof value); }

/* ---- building */

void dbus_begin(struct dbus_message *m, char *zeroed, int type, uint32_t serial) {
    zeroed[0] = 'l';
    zeroed[1] = (char)type;
    zeroed[2] = type == DBUS_CALL ? 0 : DBUS_NO_REPLY_EXPECTED;
    zeroed[3] = 1;                      /* protocol version */
    dbus_write_u32(zeroed + DBUS_SERIAL_AT, serial);
    *m = (struct dbus_message){ zeroed, DBUS_FIXED_HEADER };
}

static void begin_field(struct dbus_message *m, int code, char type) {
    m->end = aligned(m->end, 8);
    m->bytes[m->end] = (char)code;
    m->bytes[m->end + 1] = 1;           /* the signature: one type, ended by a zero */
    m->bytes[m->end + 2] = type;
    m->end += 4;
}

/* A string ('s'), an object path ('o') or a signature ('g'). */
void dbus_field(struct dbus_message *m, int code, char type, const char *text) {
    begin_field(m, code, type);
    if (type == 'g') m->bytes[m->end++] = (char)strlen(text);
    else {
        dbus_write_u32(m->bytes + m->end, (uint32_t)strlen(text));
        m->end += 4;
    }
    strcpy(m->bytes + m->end, text);
    m->end += strlen(text) + 1;
}

void dbus_field_u32(struct dbus_message *m, int code, uint32_t value) {
    begin_field(m, code, 'u');
    dbus_write_u32(m->bytes + m->end, value);
    m->end += 4;
}

void dbus_end_header(struct dbus_message *m) {
    dbus_write_u32(m->bytes + FIELDS_LENGTH_AT, (uint32_t)(m->end - DBUS_FIXED_HEADER));
    m->end = aligned(m->end, 8);
}

void dbus_body_u32(struct dbus_message *m, uint32_t value) {
    m->end = aligned(m->end, 4);
    dbus_write_u32(m->bytes + m->end, value);
    m->end += 4;
}

void dbus_body_string(struct dbus_message *m, const char *text) {
    dbus_body_u32(m, (uint32_t)strlen(text));
    strcpy(m->bytes + m->end, text);
    m->end += strlen(text) + 1;
}

size_t dbus_finish(struct dbus_message *m) {
    size_t body = aligned(DBUS_FIXED_HEADER + dbus_read_u32(m->bytes + FIELDS_LENGTH_AT), 8);
    dbus_write_u32(m->bytes + BODY_LENGTH_AT, (uint32_t)(m->end - body));
    return m->end;
}

/* ---- parsing */

size_t dbus_length(const char *in, size_t n) {
    if (n < DBUS_FIXED_HEADER) return 0;
    if (in[0] != 'l') fail("dbus: not a little-endian message");
    size_t length = aligned(DBUS_FIXED_HEADER + dbus_read_u32(in + FIELDS_LENGTH_AT), 8) +
                    dbus_read_u32(in + BODY_LENGTH_AT);
    return n < length ? 0 : length;
}

/* The size of the header field's value at p, of the type given. */
static size_t value_size(const char *p, char type) {
    switch (type) {
    case 'u': return 4;
    case 'g': return (size_t)(unsigned char)p[0] + 2;
    default:  return (size_t)dbus_read_u32(p) + 5;
    }
}

const char *dbus_find(const char *in, int code) {
    size_t at = DBUS_FIXED_HEADER, end = DBUS_FIXED_HEADER + dbus_read_u32(in + FIELDS_LENGTH_AT);
    while (at + 8 <= end) {
        if (in[at] == code) return in + at + 4;
        at = aligned(at + 4 + value_size(in + at + 4, in[at + 2]), 8);
    }
    return NULL;
}
