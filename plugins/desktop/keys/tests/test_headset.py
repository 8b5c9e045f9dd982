"""What the keys of a headset are pressed for, and its lamps: decided from reports and calls alone."""
import unittest

import headsets
from place import PLUGIN  # noqa: F401 (the path of the modules)

from calls import Situation, situation  # noqa: E402
from hid.descriptor import parsed
from hid.headset import Headset, lamps
from hid.usages import LED_HOLD, LED_MUTE, LED_OFF_HOOK, LED_RING
from presses import END, HOLD, MUTE, MUTED, SHORT, UNMUTED

IDLE = Situation()
RINGS = situation([{"call": "1", "state": "ringing"}])
TALKS = situation([{"call": "1", "state": "active"}])
IS_MUTED = situation([{"call": "1", "state": "active", "muted": True}])
HELD = situation([{"call": "1", "state": "held"}])
ANSWERING = situation([{"call": "1", "state": "ringing", "pending_action": "answering"}])
HOOK_JABRA, MUTE_JABRA, FLASH_JABRA, REJECT_JABRA = 1, 4, 8, 64


class HeadsetTests(unittest.TestCase):
    def setUp(self):
        self.now = 100.0
        self.headset = self.of(headsets.JABRA)

    def of(self, data):
        return Headset(parsed(data), lambda: self.now)

    def press(self, bits, calls, number=2):
        """The presses of a report of two bytes."""
        self.now += 1
        return self.headset.receive(bytes([number, bits, 0]), calls)

    def test_a_lifted_hook_answers_and_one_put_down_hangs_up(self):
        self.assertEqual(self.press(HOOK_JABRA, RINGS), [SHORT])
        self.assertEqual(self.press(HOOK_JABRA, TALKS), [])
        self.assertEqual(self.press(0, TALKS), [SHORT])

    def test_a_hook_that_follows_the_lamp_was_not_pressed(self):
        self.assertEqual(self.press(HOOK_JABRA, TALKS), [])
        self.assertEqual(self.press(0, IDLE), [])

    def test_a_hook_put_down_while_the_app_answers_ends_the_call(self):
        self.assertEqual(self.press(HOOK_JABRA, RINGS), [SHORT])
        self.assertEqual(self.press(0, ANSWERING), [END])

    def test_a_hook_that_springs_back_is_a_push_button_from_then_on(self):
        self.assertEqual(self.press(HOOK_JABRA, RINGS), [SHORT])
        self.assertEqual(self.headset.receive(bytes([2, 0, 0]), ANSWERING), [])
        self.assertEqual(self.press(HOOK_JABRA, TALKS), [SHORT])
        self.assertEqual(self.press(0, IDLE), [])

    def test_a_hook_that_follows_a_short_call_is_no_push_button(self):
        self.assertEqual(self.press(HOOK_JABRA, TALKS), [])
        self.assertEqual(self.headset.receive(bytes([2, 0, 0]), IDLE), [])
        self.assertEqual(self.press(HOOK_JABRA, TALKS), [])

    def test_a_report_that_comes_again_is_no_press(self):
        self.assertEqual(self.press(MUTE_JABRA, TALKS), [MUTE])
        self.assertEqual(self.press(MUTE_JABRA, IS_MUTED), [])
        self.assertEqual(self.press(0, IS_MUTED), [])
        self.assertEqual(self.press(MUTE_JABRA, IS_MUTED), [MUTE])

    def test_flash_drop_and_reject_are_presses_of_their_own(self):
        self.assertEqual(self.press(FLASH_JABRA, TALKS), [HOLD])
        self.assertEqual(self.press(REJECT_JABRA, RINGS), [END])
        self.headset = self.of(headsets.YEALINK)
        self.assertEqual(self.press(8, TALKS, number=4), [END])

    def test_a_mute_switch_says_how_it_stands(self):
        self.headset = self.of(bytes.fromhex("050b0905a10115002501092f7501950181229507 8101c0"))
        self.assertEqual(self.headset.receive(b"\x01", TALKS), [MUTED])
        self.assertEqual(self.headset.receive(b"\x00", IS_MUTED), [UNMUTED])

    def test_only_devices_with_keys_of_a_telephone_are_headsets(self):
        for data in headsets.ALL.values():
            self.assertTrue(self.of(data).is_for_telephony)
        gamepad = bytes.fromhex("05010905a10105091901290815002501750195088102c0")
        self.assertFalse(self.of(gamepad).is_for_telephony)

    def test_several_reports_in_one_piece_are_read_one_by_one(self):
        self.assertEqual(list(self.headset.reports(bytes([2, 1, 0, 2, 0, 0, 1, 1, 0]))),
                         [bytes([2, 1, 0]), bytes([2, 0, 0]), bytes([1, 1, 0])])
        self.assertEqual(list(self.headset.reports(bytes([77, 1]))), [])

    def test_a_report_that_is_cut_off_is_read_as_far_as_it_goes(self):
        for report in (b"", b"\x02", b"\x63\xff"):
            self.assertEqual(self.headset.receive(report, RINGS), [])
        self.assertEqual(self.headset.receive(b"\x02\x01", RINGS), [SHORT])

    def test_the_lamps_are_those_of_the_calls(self):
        for calls, lit in ((IDLE, set()), (RINGS, {LED_RING}), (TALKS, {LED_OFF_HOOK}),
                           (IS_MUTED, {LED_OFF_HOOK, LED_MUTE}), (ANSWERING, {LED_OFF_HOOK}),
                           (HELD, {LED_OFF_HOOK, LED_HOLD})):
            found = {lamp for lamp, is_lit in lamps(calls).items() if is_lit}
            self.assertEqual(found & {LED_RING, LED_OFF_HOOK, LED_MUTE, LED_HOLD}, lit)

    def test_only_changed_reports_are_written(self):
        self.headset = self.of(headsets.PLANTRONICS)
        self.assertEqual(self.headset.indicate(RINGS), [b"\x09\0", b"\x17\0", b"\x18\1"])
        self.assertEqual(self.headset.indicate(TALKS), [b"\x17\1", b"\x18\0"])
        self.assertEqual(self.headset.indicate(TALKS), [])
        self.assertEqual(self.headset.indicate(TALKS, anew=True), [b"\x09\0", b"\x17\1", b"\x18\0"])


if __name__ == "__main__":
    unittest.main()
