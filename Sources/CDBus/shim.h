/* The system's libdbus, as it is. */
#include <dbus/dbus.h>
