"""A program of the session that answers one question with yes or no: the screen saver whether it is
active, logind whether the session is locked, the portal whether the user prefers dark colors.

    session_program.py SESSION|SYSTEM NAME yes|no       SIGUSR1: the other answer from now on

It prints "serves", and who asks.
"""
import signal
import sys

from jeepney import (DBusAddress, HeaderFields, MessageType, message_bus, new_error,
                     new_method_return, new_signal)
from jeepney.io.blocking import open_dbus_connection

SAVER, SESSION = "org.freedesktop.ScreenSaver", "org.freedesktop.login1.Session"


class Answer:
    def __init__(self, bus, is_so):
        self.bus, self.is_so = bus, is_so

    def reply(self, message):
        method = message.header.fields[HeaderFields.member]
        if method == "GetActive":
            return new_method_return(message, "b", (self.is_so,))
        if method == "Get" and message.body == (SESSION, "LockedHint"):
            return new_method_return(message, "v", (("b", self.is_so),))
        if method == "Read":
            return new_method_return(message, "v", (("v", ("u", int(self.is_so))),))
        return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")

    def change(self, *_):
        self.is_so = not self.is_so
        saver = DBusAddress("/org/freedesktop/ScreenSaver", interface=SAVER)
        self.bus.send(new_signal(saver, "ActiveChanged", "b", (self.is_so,)))
        session = DBusAddress("/org/freedesktop/login1/session/_31",
                              interface="org.freedesktop.DBus.Properties")
        self.bus.send(new_signal(session, "PropertiesChanged", "sa{sv}as", (
            SESSION, {"LockedHint": ("b", self.is_so)}, [])))


def main():
    kind, name, word = sys.argv[1:]
    answer = Answer(open_dbus_connection(bus=kind), word == "yes")
    signal.signal(signal.SIGUSR1, answer.change)
    answer.bus.send_and_get_reply(message_bus.RequestName(name))
    print("serves", flush=True)
    while True:
        message = answer.bus.receive()
        if message.header.message_type is MessageType.method_call:
            print("asked by", message.header.fields[HeaderFields.sender], flush=True)
            answer.bus.send(answer.reply(message))


if __name__ == "__main__":
    sys.exit(main())
