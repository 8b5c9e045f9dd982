"""A linphone-daemon that does what the test says: its socket, without calls behind it."""
import collections
import os
import queue
import socket
import threading

NO_CALL = "Status: Error\nReason: No call with such id.\n"
NOTHING = "Status: Ok\n\nSize: 0\n\n"


class FakeLinphone:
    """`states` are its calls: what `call-status` says. `answers` are what it says to commands, "Ok"
    if nothing else; None: nothing at all."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "linphone")
        self.states, self.answers = {}, {}
        self.accounts = ""                      # what `register-info` says
        self.events = collections.deque()
        self.commands = queue.Queue()
        self.connection = None
        self.next_id = 1
        self.connections = self.polls = self.questions = 0
        self.listen()

    def listen(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self._serve, args=(self.listener,), daemon=True).start()

    def _serve(self, listener):
        while True:
            try:
                if self.connection is not None:
                    self.connection.close()
                self.connection = listener.accept()[0]
                self.connections += 1
                while command := self.connection.recv(4096).decode().strip():
                    reply = self._reply(command)
                    if reply is not None:
                        self.connection.sendall(reply.encode())
            except OSError:
                if listener.fileno() < 0:
                    return

    def _reply(self, command):
        verb, _, words = command.partition(" ")
        if verb == "pop-event":
            self.polls += 1
            if not self.events:
                return NOTHING
            text = self.events.popleft()
            return f"Status: Ok\n\nSize: {len(self.events)}\n{text}\n\n"
        if verb == "call-status":
            self.questions += 1
            state = self.states.get(int(words))
            return NO_CALL if state is None else "Status: Ok\n\n" + state
        if verb == "register-info":
            return "Status: Ok\n" + self.accounts + "\n"
        self.commands.put(command)
        if command in self.answers:
            return self.answers[command]
        if verb == "call":
            self.next_id += 1
            return f"Status: Ok\n\nId: {self.next_id - 1}\n\n"
        if verb == "call-mute":
            return f"Status: Ok\n\nMicrophone {'Muted' if words == '1' else 'Unmuted'}\n"
        return "Status: Ok\n"

    def happens(self, state, id=1, origin='"carol" <sip:carol@127.0.0.1:27000>'):
        self.events.append(f"Event-type: call-state-changed\n\nEvent: LinphoneCall{state}\n"
                           f"From: {origin}\nId: {id}\n")

    def is_told(self, ceiling):
        """The next command that is not a question."""
        return self.commands.get(timeout=ceiling)

    def hang_up(self):
        """The connection is lost, and another one is taken."""
        connection = self.connection            # another one may take its place at once
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        if os.path.exists(self.path):
            os.unlink(self.path)
        if self.connection is not None and self.connection.fileno() >= 0:
            self.hang_up()
