"""A session bus with a notification server, as desktops have it: it keeps what programs show, and presses it."""
import os
import queue
import threading

from jeepney import (DBusAddress, HeaderFields, MessageType, message_bus, new_method_call, new_method_return,
                     new_signal)
from jeepney.io.blocking import open_dbus_connection

from browser import CEILING, Program, wait_until

ABILITIES = ["actions", "body", "persistence"]
EMITTER = DBusAddress("/org/freedesktop/Notifications", interface="org.freedesktop.Notifications")


class Desktop:
    """Serves until the test ends. `shown` has summary and body by number, of what is on the screen now: a note
    is there once its program knows the number, without which it cannot take the note away."""

    def __init__(self, test, folder):
        self.address = "unix:path=" + os.path.join(folder, "session-bus")
        Program(test, folder, "bus", ["dbus-daemon", "--session", "--nofork", "--print-address",
                                      "--address=" + self.address]).wait_for("unix:path=")
        self.shown, self.all, self.signals = {}, [], queue.Queue()
        self.told = {}                  # the notes whose programs are being told, by the serials of pings
        self.is_over = threading.Event()
        self.bus = open_dbus_connection(bus=self.address)
        self.bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.Notifications"))
        thread = threading.Thread(target=self.serve)
        thread.start()
        test.addCleanup(lambda: (self.is_over.set(), thread.join(CEILING), self.bus.close()))

    def serve(self):
        while not self.is_over.is_set():
            try:
                message = self.bus.receive(timeout=0.02)
            except TimeoutError:
                message = None
            if message is not None:
                self.take(message)
            while not self.signals.empty():
                self.bus.send(self.signals.get())

    def take(self, message):
        kind, fields = message.header.message_type, message.header.fields
        if kind in (MessageType.method_return, MessageType.error):
            self.shown.update(self.told.pop(fields[HeaderFields.reply_serial], {}))
        elif kind is MessageType.method_call and fields[HeaderFields.member] == "Notify":
            self.notify(message)
        elif kind is MessageType.method_call:
            self.bus.send(self.answer(message))

    def notify(self, message):
        """Tells a program the number of its note, and asks for a sign that it has read that."""
        _, replaced, _, summary, body, *_ = message.body
        self.all.append((summary, body))
        number = replaced or len(self.all)
        self.bus.send(new_method_return(message, "u", (number,)))
        peer = DBusAddress("/", message.header.fields[HeaderFields.sender], "org.freedesktop.DBus.Peer")
        serial = next(self.bus.outgoing_serial)
        self.told[serial] = {number: (summary, body)}
        self.bus.send(new_method_call(peer, "Ping"), serial=serial)

    def answer(self, message):
        method = message.header.fields[HeaderFields.member]
        if method == "GetCapabilities":
            return new_method_return(message, "as", (ABILITIES,))
        if method == "GetServerInformation":
            return new_method_return(message, "ssss", ("desktop", "tests", "1", "1.2"))
        return self.closed(message, *message.body)

    def closed(self, message, number):
        for notes in (self.shown, *self.told.values()):
            notes.pop(number, None)
        self.signals.put(new_signal(EMITTER, "NotificationClosed", "uu", (number, 3)))
        return new_method_return(message)

    def wait_for(self, *words):
        """Waits for a note with these words; returns its number."""
        return wait_until(lambda: f"{words} in {self.shown}", lambda: next(
            (number for number, note in list(self.shown.items())
             if all(word in " ".join(note) for word in words)), None))

    def wait_until_empty(self):
        wait_until(lambda: f"no notes: {self.shown}", lambda: not self.shown)

    def press(self, number):
        """Presses the note itself, none of its buttons."""
        self.signals.put(new_signal(EMITTER, "ActionInvoked", "us", (number, "default")))
