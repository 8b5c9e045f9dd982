"""The headset of a test: it talks AT commands over a socket in the place of RFCOMM, and has its sound
over one in the place of SCO."""
import math
import os
import socket
import struct
import subprocess
import threading

import lab

FINAL = ("OK", "ERROR", "+CME ERROR")
SAMPLES, TONE = 24, 1000                        # in a packet of sound at 8 kHz; what it speaks
SPOKEN = struct.pack(f"<{SAMPLES}h", *(
    round(8000 * math.sin(2 * math.pi * TONE * sample / 8000)) for sample in range(SAMPLES)))


class Headset:
    """The hands-free unit: sends commands, and collects the result codes.

    Attributes:
        lines: all that it received.
    """

    def __init__(self, link):
        self._link, self._part, self._read = link, "", 0
        self.lines = []
        link.settimeout(lab.CEILING)

    def establish(self):
        """The service level connection, as the Hands-Free Profile has it."""
        for command in ("AT+BRSF=127", "AT+CIND=?", "AT+CIND?", "AT+CMER=3,0,0,1", "AT+CMEE=1",
                        "AT+CLIP=1"):
            if self.result(command) != "OK":
                raise AssertionError(f"{command}: {self.lines}")

    def result(self, command):
        """Sends a command; its result."""
        return self.command(command)[-1]

    def command(self, command):
        """Sends a command; the lines up to its result, with what comes unasked in between."""
        start = end = len(self.lines)
        self._link.sendall(command.encode() + b"\r")
        while True:
            while end < len(self.lines):
                end += 1
                if self.lines[end - 1].startswith(FINAL):
                    return self.lines[start:end]
            self._receive(command)

    def wait_for(self, beginning):
        """The next line that begins so, of those that no such wait has passed."""
        while True:
            for number, line in enumerate(self.lines[self._read:], self._read):
                if line.startswith(beginning):
                    self._read = number + 1
                    return line
            self._receive(beginning)

    def _receive(self, what):
        try:
            data = self._link.recv(4096).decode()
        except socket.timeout:
            raise AssertionError(f"waited for {what!r}: {self.lines}") from None
        if not data:
            raise AssertionError(f"the gateway has gone, waiting for {what!r}: {self.lines}")
        *lines, self._part = (self._part + data).split("\r\n")
        self.lines += [line for line in lines if line]


class Earpiece:
    """The sound of the headset: a socket in the place of SCO, for programs that `preloaded` leads
    to it. It speaks a tone, a packet for each that it gets."""

    def __init__(self, test, folder):
        self.path = os.path.join(folder, "sco")
        self._heard, self._folder, self._test = b"", folder, test
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._door.bind(self.path)
        self._door.listen()
        thread = threading.Thread(target=self._serve)
        thread.start()
        test.addCleanup(self._door.close)
        test.addCleanup(thread.join)
        test.addCleanup(self._door.shutdown, socket.SHUT_RDWR)

    def preloaded(self):
        """The variables of a program that is to have the sound."""
        library = os.path.join(self._folder, "sco_socket.so")
        subprocess.run(["gcc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library,
                        os.path.join(lab.HERE, "sco_socket.c")], check=True)
        return {"LD_PRELOAD": library, "SCO_OF_HEADSET": self.path}

    def heard(self):
        """The last second of sound, as samples at 8 kHz."""
        return samples(self._heard[-16_000:])

    def _serve(self):
        while True:
            try:
                link = self._door.accept()[0]
            except OSError:                     # the test is over
                return
            with link:
                self._talk(link)

    def _talk(self, link):
        try:
            link.sendall(SPOKEN)                # without a first one PipeWire waits for it
            while data := link.recv(1024):
                self._heard += data
                link.sendall(SPOKEN)
        except OSError:                         # the gateway has gone
            pass


def samples(data):
    """Samples of 16 bits."""
    return struct.unpack(f"<{len(data) // 2}h", data[:len(data) // 2 * 2])


def is_tone(sound, frequency):
    """Whether sound at 8 kHz, at least half a second, is mainly a tone of that frequency."""
    if len(sound) < 4000:
        return False
    turns = [2 * math.pi * frequency * number / 8000 for number in range(len(sound))]
    found = math.hypot(sum(each * math.cos(turn) for each, turn in zip(sound, turns)),
                       sum(each * math.sin(turn) for each, turn in zip(sound, turns)))
    whole = sum(each * each for each in sound) * len(sound) / 2
    return whole > 0 and found * found > whole / 2
