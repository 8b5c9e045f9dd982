"""A client of the broker's socket, as raw as it gets: lines of JSON out, lines of JSON in, nothing
waits. Nothing here is shared with the SDK: what both got wrong would look right."""
import json
import socket


class Meter:
    """Counts the frames that pass, in both directions, and rings when it is time."""

    def __init__(self):
        self.count = 0
        self.alarm_at = None
        self.alarm = None

    def set(self, frames, alarm):
        """Calls `alarm` when so many more frames have passed."""
        self.alarm_at, self.alarm = self.count + frames, alarm

    def tick(self):
        self.count += 1
        if self.count == self.alarm_at:
            self.alarm_at = None
            self.alarm()


class Link:
    """One connection. Frames that had come before its end are read still."""

    def __init__(self, path, meter=None):
        self.meter = meter or Meter()
        self.socket = socket.socket(socket.AF_UNIX)
        self.rest = bytearray()
        self.backlog = bytearray()
        self.is_over = False
        try:
            self.socket.connect(path)
        except OSError:
            self.is_over = True
        self.socket.setblocking(False)

    def fileno(self):
        return self.socket.fileno()

    def send(self, **members):
        frame = json.dumps({"jsonrpc": "2.0", **members}, separators=(",", ":")) + "\n"
        self.backlog += frame.encode()
        self.flush()
        self.meter.tick()

    def flush(self):
        """Writes what the socket takes; what the other end does not hear any more is dropped."""
        try:
            while self.backlog and not self.is_over:
                del self.backlog[:self.socket.send(self.backlog)]
        except BlockingIOError:
            pass
        except OSError:
            self.backlog.clear()

    def receive(self):
        """The frames that are there."""
        self.flush()
        frames = []
        while not self.is_over:
            try:
                data = self.socket.recv(262_144)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.is_over = not data
            self.rest += data
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            frames.append(json.loads(line))
            self.meter.tick()
        return frames

    def close(self):
        self.is_over = True
        self.socket.close()
