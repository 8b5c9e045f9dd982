"""Headsets at the place of hidraw. The machine of the tests has neither hidraw nor uhid: the device is
a terminal whose other end is the test's headset, which reads and writes the same reports."""
import os
import pty
import select
import threading
import tty
import unittest

import headsets
from place import CEILING, PROGRAM, Place, wait_until

from hid.descriptor import INPUT, OUTPUT, parsed  # noqa: E402


class TestHeadset:
    """The far side: it has lamps and sends reports. `follows` is for a hook that follows the lamp, as
    many have it: then the first bit of its report is that of the lamp."""

    __test__ = False

    def __init__(self, room, name, data, number, follows=False):
        self.room, self.name, self.number, self.follows = room, name, number, follows
        self.layout = parsed(data)
        self.lamps, self.hook, self.sent = {}, 0, 0
        self.file, self.terminal = pty.openpty()
        tty.setraw(self.terminal)
        folder = os.path.join(room.descriptions, name, "device")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "report_descriptor"), "wb") as file:
            file.write(data)
        self.end, self.wake = os.pipe()
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()
        room.test.addCleanup(self.unplug)
        os.symlink(os.ttyname(self.terminal), os.path.join(room.devices, name))

    def listen(self):
        """Reads the reports for the lamps, until it is unplugged."""
        while True:
            ready, _, _ = select.select([self.file, self.end], [], [])
            if self.end in ready:
                return
            data = os.read(self.file, 4096)
            while data:
                size = 1 + self.layout.size(OUTPUT, data[0])
                self.lit(data[0], data[1:size])
                data = data[size:]

    def lit(self, number, report):
        is_off_hook = report[0] & 1
        if self.follows and is_off_hook != self.hook:
            self.send(is_off_hook)
        self.lamps[number] = report[0]

    def send(self, bits):
        """A report of the input."""
        self.hook = bits & 1
        size = self.layout.size(INPUT, self.number)
        os.write(self.file, bytes([self.number]) + bits.to_bytes(size, "little"))
        self.sent += 1

    def push(self, bits):
        """Pushes a key and lets go of it; the hook stays as it is."""
        self.send(bits | self.hook)
        self.send(self.hook)

    def wait_for_lamps(self, bits, number=None):
        number = self.number if number is None else number
        wait_until(lambda: f"lamps {bits:b}: {self.lamps} {self.room.keys.said()[-1500:]}",
                   lambda: self.lamps.get(number) == bits)

    def wait_until_read(self):
        """Until the program has read all reports. One that it reads when the calls are others is a
        press."""
        wait_until(lambda: f"{self.sent} reports are read: {self.room.keys.said()[-1500:]}",
                   lambda: self.room.keys.said().count(self.name + " has sent") == self.sent)

    def unplug(self):
        if self.file is None:
            return
        os.unlink(os.path.join(self.room.devices, self.name))
        os.write(self.wake, b"x")
        self.thread.join(CEILING)
        for each in (self.file, self.terminal, self.end, self.wake):
            os.close(each)
        self.file = None


class Room(Place):
    """With a folder of devices, and one of their descriptions."""

    def __init__(self, test):
        super().__init__(test)
        self.devices, self.descriptions = (os.path.join(self.folder, name)
                                           for name in ("dev", "hidraw"))
        os.mkdir(self.devices)
        os.mkdir(self.descriptions)

    def start(self):
        return self.start_keys("--no-shortcuts", "--no-media-keys", "--repeat", "0", "--spring", "0",
                               "--devices", self.devices, "--descriptions", self.descriptions)


OFF_HOOK, MUTE_LAMP, RING, HOLD_LAMP, MICROPHONE = 1, 2, 4, 8, 16
IS_MUTED = OFF_HOOK | MUTE_LAMP | MICROPHONE
MUTE, FLASH, REJECT = 4, 8, 64                  # keys of the Jabra, beside its hook


class HidrawTests(unittest.TestCase):
    def setUp(self):
        self.room = Room(self)

    def jabra(self, name="hidraw0", follows=True):
        return TestHeadset(self.room, name, headsets.JABRA, 2, follows)

    def talks(self, app, number="+15550100"):
        """A call that was answered elsewhere, once the program knows it: before, it drops presses."""
        before = len(self.room.words())
        call = self.room.talks(app, number)
        self.room.wait_for_word("live", after=before)
        return call

    def wait_until_followed(self, headset, call):
        """Until the program has seen all that has happened: a mute of the live call shows it. Before,
        it drops presses, because an app may be busy with an earlier one."""
        for is_muted, lamps in ((True, IS_MUTED), (False, OFF_HOOK)):
            self.room.user.set_muted(call, is_muted, wait="completed").result(CEILING)
            headset.wait_for_lamps(lamps)

    def test_a_call_is_answered_and_ended_with_the_hook_and_the_lamps_follow(self):
        headset = self.jabra()
        self.room.start()
        call = self.room.rings(self.room.app())
        headset.wait_for_lamps(RING)
        headset.send(1)
        self.room.wait_for_state(call, "active")
        headset.wait_for_lamps(OFF_HOOK)
        self.room.wait_for_word("live")         # before, the hook withdraws the answer
        headset.send(0)
        self.room.wait_for_state(call, "")
        headset.wait_for_lamps(0)
        self.assertEqual(self.room.presses(), ["short", "short"])

    def test_what_happens_elsewhere_presses_nothing_although_the_hook_follows(self):
        headset = self.jabra()
        self.room.start()
        app = self.room.app()
        for _ in range(3):
            call = self.talks(app)
            headset.wait_for_lamps(OFF_HOOK)
            headset.wait_until_read()
            self.room.user.set_held(call, True, wait="completed").result(CEILING)
            headset.wait_for_lamps(OFF_HOOK | HOLD_LAMP)
            self.room.user.end(call, wait="completed").result(CEILING)
            headset.wait_for_lamps(0)
            headset.wait_until_read()
        self.assertGreaterEqual(headset.sent, 6)    # the hook has followed each time
        self.assertEqual(self.room.presses(), [])

    def test_mute_follows_in_both_directions(self):
        headset = self.jabra()
        self.room.start()
        call = self.talks(self.room.app())
        headset.wait_for_lamps(OFF_HOOK)
        headset.push(MUTE)
        self.room.wait_for_mute(call, True)
        headset.wait_for_lamps(IS_MUTED)
        self.room.user.set_muted(call, False, wait="completed").result(CEILING)
        headset.wait_for_lamps(OFF_HOOK)
        headset.push(MUTE)
        self.room.wait_for_mute(call, True)
        headset.wait_for_lamps(IS_MUTED)
        headset.push(MUTE)
        self.room.wait_for_mute(call, False)
        headset.wait_for_lamps(OFF_HOOK)

    def test_flash_holds_resumes_and_swaps_and_reject_declines(self):
        headset = self.jabra()
        self.room.start()
        app = self.room.app()
        call = self.talks(app)
        headset.wait_for_lamps(OFF_HOOK)
        headset.push(FLASH)
        self.room.wait_for_state(call, "held")
        headset.wait_for_lamps(OFF_HOOK | HOLD_LAMP)
        headset.push(FLASH)
        self.room.wait_for_state(call, "active")
        other = self.room.rings(app, "+15550101")
        headset.wait_for_lamps(OFF_HOOK | RING)
        headset.push(REJECT)
        self.room.wait_for_state(other, "")
        headset.wait_for_lamps(OFF_HOOK)
        self.assertEqual(self.room.state(call)["state"], "active")
        other = self.room.talks(app, "+15550102")
        self.room.wait_for_state(call, "held")
        self.wait_until_followed(headset, other)
        headset.push(FLASH)
        self.room.wait_for_state(call, "active")
        self.room.wait_for_state(other, "held")

    def test_a_hook_lifted_without_a_call_is_put_down_again(self):
        headset = self.jabra()
        self.room.start()
        wait_until("its lamps are set", lambda: headset.lamps)
        headset.send(1)
        wait_until("the hook follows the lamp", lambda: headset.hook == 0)
        self.assertEqual(self.room.presses(), ["short"])

    def test_a_hook_put_down_for_a_swap_is_lifted_again(self):
        headset = self.jabra()
        self.room.start()
        app = self.room.app()
        first, second = self.room.talks(app), self.room.talks(app, "+15550101")
        self.wait_until_followed(headset, second)
        headset.send(0)
        self.room.wait_for_state(first, "active")
        self.room.wait_for_state(second, "held")
        wait_until("the hook follows the lamp", lambda: headset.hook == 1)

    def test_headsets_come_and_go(self):
        self.room.start()
        app = self.room.app()
        for _ in range(2):
            headset = self.jabra()
            self.room.keys.wait_for("hidraw0 is used")
            call = self.room.rings(app)
            headset.wait_for_lamps(RING)
            headset.unplug()
            self.room.user.end(call, wait="completed").result(CEILING)
            wait_until("it is gone", lambda: self.room.keys.said().count("used")
                       == self.room.keys.said().count("is gone"))
        call = self.talks(app)
        self.jabra().wait_for_lamps(OFF_HOOK)

    def test_two_headsets_show_the_same_and_either_answers(self):
        jabra = self.jabra()
        poly = TestHeadset(self.room, "hidraw1", headsets.PLANTRONICS, 8)
        self.room.start()
        call = self.room.rings(self.room.app())
        jabra.wait_for_lamps(RING)
        poly.wait_for_lamps(1, number=24)
        poly.send(2)                            # its second bit is the hook
        self.room.wait_for_state(call, "active")
        jabra.wait_for_lamps(OFF_HOOK)
        poly.wait_for_lamps(1, number=23)
        self.assertEqual(self.room.presses(), ["short"])

    def test_hostile_devices_are_left_alone_and_a_headset_beside_them_works(self):
        hostile = {"hidraw3": b"\x05", "hidraw4": bytes(5000), "hidraw5": b"\xa4" * 4000,
                   "hidraw6": b"\x77\xff\xff\xff\xff\x97\xff\xff\xff\xff\x09\x20\x81\x02"}
        for name, data in hostile.items():
            TestHeadset(self.room, name, headsets.JABRA, 2)
            path = os.path.join(self.room.descriptions, name, "device", "report_descriptor")
            with open(path, "wb") as file:
                file.write(data)
        os.mkfifo(os.path.join(self.room.devices, "hidraw7"))
        os.mkdir(os.path.join(self.room.devices, "hidraw8"))
        headset = self.jabra()
        self.room.start()
        call = self.room.rings(self.room.app())
        headset.wait_for_lamps(RING)
        os.write(headset.file, b"\xff" * 300)
        self.room.keys.wait_for("a report that it has not declared")
        headset.send(1)
        self.room.wait_for_state(call, "active")
        self.assertEqual(self.room.keys.said().count("is not used"), len(hostile) + 2)

    def test_the_lamps_go_out_with_the_program_and_with_the_broker(self):
        headset = self.jabra()
        self.room.start()
        self.talks(self.room.app())
        headset.wait_for_lamps(OFF_HOOK)
        self.room.keys.stop()
        headset.wait_for_lamps(0)

    def test_the_devices_of_another_user_are_named_with_the_remedy(self):
        headset = self.jabra()
        os.chmod(headset.terminal, 0)
        os.chmod(self.room.folder, 0o755)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        keys = self.room.program(
            "keys", *(other if os.getuid() == 0 else []), PROGRAM, "--no-shortcuts",
            "--no-media-keys", "--devices", self.room.devices, "--descriptions",
            self.room.descriptions)
        keys.wait_for("hidraw0 is not used: it belongs to another user; install 70-callbroker-keys")


if __name__ == "__main__":
    unittest.main()
