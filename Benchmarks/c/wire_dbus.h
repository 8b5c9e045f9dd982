/* D-Bus connections, for pings and for transactions. */
#ifndef WIRE_DBUS_H
#define WIRE_DBUS_H

#include "dbus_message.h"
#include "wire.h"

void dbus_hello(struct conn *c);

/* Begins a call to the bus itself; the buffer must hold WIRE_REQUEST_MAX. */
void dbus_begin_bus_call(struct dbus_message *m, char *bytes, uint32_t serial, const char *interface,
                         const char *member);

/* Ends a call to the bus, sends it, and waits for its answer. */
void dbus_ask(struct conn *c, struct dbus_message *m);

#endif
