/* D-Bus messages, little-endian, built by hand. */
#ifndef DBUS_MESSAGE_H
#define DBUS_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

enum {
    DBUS_FIXED_HEADER = 16,
    DBUS_CALL = 1, DBUS_RETURN = 2, DBUS_ERROR = 3, DBUS_SIGNAL = 4,
    DBUS_NO_REPLY_EXPECTED = 1,
    FIELD_PATH = 1, FIELD_INTERFACE = 2, FIELD_MEMBER = 3, FIELD_REPLY_SERIAL = 5, FIELD_DESTINATION = 6,
    FIELD_SENDER = 7, FIELD_SIGNATURE = 8,
    DBUS_SERIAL_AT = 8,
};

/* A message under construction; the buffer is zero beforehand. */
struct dbus_message { char *bytes; size_t end; };

uint32_t dbus_read_u32(const char *p);
void dbus_write_u32(char *p, uint32_t value);

void dbus_begin(struct dbus_message *m, char *zeroed, int type, uint32_t serial);
void dbus_field(struct dbus_message *m, int code, char type, const char *text);
void dbus_field_u32(struct dbus_message *m, int code, uint32_t value);

/* Ends the header; what follows is the body. */
void dbus_end_header(struct dbus_message *m);
void dbus_body_u32(struct dbus_message *m, uint32_t value);
void dbus_body_string(struct dbus_message *m, const char *text);

/* Ends the message; returns its length. */
size_t dbus_finish(struct dbus_message *m);

/* The length of the message that begins here; 0 if it is not all there. */
size_t dbus_length(const char *in, size_t n);

/* Where the value of a header field stands, or NULL. */
const char *dbus_find(const char *in, int code);

#endif
