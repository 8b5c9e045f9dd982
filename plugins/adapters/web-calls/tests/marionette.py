"""A Firefox, driven by its Marionette protocol: Debian has no geckodriver."""
import json
import socket


class MarionetteError(Exception):
    """What Firefox answers instead of a result."""


class Marionette:
    """A connection to a Firefox that was started with --marionette."""

    def __init__(self, port, seconds):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.rest, self.number = b"", 0
        self._receive()                         # who it is

    def close(self):
        self.socket.close()

    def _receive(self):
        while b":" not in self.rest:
            self._more()
        length, _, self.rest = self.rest.partition(b":")
        while len(self.rest) < int(length):
            self._more()
        text, self.rest = self.rest[:int(length)], self.rest[int(length):]
        return json.loads(text)

    def _more(self):
        more = self.socket.recv(65_536)
        if not more:
            raise ConnectionError("Firefox has closed the connection")
        self.rest += more

    def send(self, command, **parameters):
        """The result of a command. Raises MarionetteError."""
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._receive()
        if error:
            raise MarionetteError(f"{error['error']}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result
