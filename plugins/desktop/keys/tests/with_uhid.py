"""The program with a device of the kernel in the place of the terminal: a headset at /dev/uhid, which
comes to the program as /dev/hidrawN. For a machine that has uhid (`modprobe uhid`), as root:

    /usr/bin/python3 plugins/desktop/keys/tests/with_uhid.py
"""
import os
import struct
import threading
import unittest

import headsets
from place import CEILING, wait_until
from test_hidraw import MUTE, OFF_HOOK, RING, IS_MUTED, Room

DESTROY, OUTPUT, CREATE, INPUT = 1, 6, 11, 12   # events of uhid.h
EVENT_BYTES = 4380
USB, MAKER = 3, 0x16C0                        # one for which the kernel has no driver of its own


class KernelHeadset:
    """A headset whose hook follows its lamp."""

    def __init__(self, test):
        self.lamps, self.hook = None, 0
        self.file = os.open("/dev/uhid", os.O_RDWR)
        data = headsets.JABRA
        self.write(struct.pack("<I128s64s64sHHIIII", CREATE, b"Test headset", b"", b"", len(data),
                               USB, MAKER, 1, 0, 0) + data)
        threading.Thread(target=self.listen, daemon=True).start()
        test.addCleanup(self.unplug)

    def write(self, event):
        os.write(self.file, event.ljust(EVENT_BYTES, b"\0"))

    def listen(self):
        file = self.file                        # stays open: the kernel ends with the process
        while True:
            event = os.read(file, EVENT_BYTES)
            if struct.unpack_from("<I", event)[0] == OUTPUT:
                self.lamps = event[5]           # behind the number of the report
                if self.lamps & 1 != self.hook:
                    self.send(self.lamps & 1)

    def send(self, bits):
        self.hook = bits & 1
        self.write(struct.pack("<IH", INPUT, 3) + bytes([2, bits, 0]))

    def unplug(self):
        if self.file is not None:
            self.write(struct.pack("<I", DESTROY))
            self.file = None


class UhidTests(unittest.TestCase):
    def setUp(self):
        self.room = Room(self)

    def start(self):
        self.room.start_keys("--no-shortcuts", "--no-media-keys", "--repeat", "0", "--spring", "0")
        return KernelHeadset(self)

    def wait_for_lamps(self, headset, bits):
        wait_until(lambda: f"lamps {bits:b}: {headset.lamps} {self.room.keys.said()}",
                   lambda: headset.lamps == bits)

    def test_the_kernel_passes_keys_and_lamps_on(self):
        headset = self.start()
        self.room.keys.wait_for("is used")
        call = self.room.rings(self.room.app())
        self.wait_for_lamps(headset, RING)
        headset.send(1)
        self.room.wait_for_state(call, "active")
        self.wait_for_lamps(headset, OFF_HOOK)
        headset.send(1 | MUTE)
        headset.send(1)
        self.room.wait_for_mute(call, True)
        self.wait_for_lamps(headset, IS_MUTED)
        self.room.user.set_muted(call, False, wait="completed").result(CEILING)
        self.wait_for_lamps(headset, OFF_HOOK)
        headset.send(0)
        self.room.wait_for_state(call, "")
        self.wait_for_lamps(headset, 0)
        self.assertEqual(self.room.presses(), ["short", "mute", "short"])

    def test_it_is_unplugged_and_another_one_is_used(self):
        headset = self.start()
        self.room.keys.wait_for("is used")
        headset.unplug()
        self.room.keys.wait_for("is gone")
        call = self.room.rings(self.room.app())
        other = KernelHeadset(self)
        self.wait_for_lamps(other, RING)
        other.send(1)
        self.room.wait_for_state(call, "active")


if __name__ == "__main__":
    unittest.main()
