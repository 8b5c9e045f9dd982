"""The parser of report descriptors: published ones, constructed ones, and hostile ones."""
import random
import unittest

import headsets
from place import PLUGIN  # noqa: F401 (the path of the modules)

from hid.descriptor import (INPUT, MOST_BYTES, MOST_USAGES, OUTPUT, Descriptor, Malformed,  # noqa: E402
                            parsed)
from hid.usages import (DROP, FLASH, HOOK_SWITCH, LED_HOLD, LED_MICROPHONE, LED_MUTE, LED_OFF_HOOK,
                        LED_ON_LINE, LED_RING, PHONE_MUTE, REJECT)

SEED = 20261127

# Of each headset: the report and the bit of each control and lamp.
CONTROLS = {
    "Dell": {HOOK_SWITCH: (5, 0), PHONE_MUTE: (5, 1), FLASH: (5, 3), REJECT: (5, 7)},
    "Logitech": {PHONE_MUTE: (8, 0), HOOK_SWITCH: (8, 1)},
    "Anker": {HOOK_SWITCH: (2, 0), PHONE_MUTE: (2, 2), FLASH: (2, 3)},
    "Plantronics": {PHONE_MUTE: (8, 0), HOOK_SWITCH: (8, 1), FLASH: (8, 2)},
    "Jabra": {HOOK_SWITCH: (2, 0), PHONE_MUTE: (2, 2), FLASH: (2, 3), REJECT: (2, 6)},
    "Sennheiser": {HOOK_SWITCH: (1, 0), PHONE_MUTE: (1, 1)},
    "Yealink": {HOOK_SWITCH: (4, 0), PHONE_MUTE: (4, 1), FLASH: (4, 2), DROP: (4, 3),
                REJECT: (4, 4)}}
LAMPS = {
    "Dell": {LED_OFF_HOOK: (5, 0), LED_MUTE: (5, 1), LED_RING: (5, 2), LED_HOLD: (5, 3),
             LED_MICROPHONE: (5, 4), LED_ON_LINE: (5, 5)},
    "Logitech": {LED_MUTE: (8, 0)},
    "Anker": {LED_OFF_HOOK: (2, 0), LED_MUTE: (2, 1), LED_RING: (2, 2), LED_HOLD: (2, 3),
              LED_MICROPHONE: (2, 4)},
    "Plantronics": {LED_MUTE: (9, 0), LED_OFF_HOOK: (23, 0), LED_RING: (24, 0)},
    "Jabra": {LED_OFF_HOOK: (2, 0), LED_MUTE: (2, 1), LED_RING: (2, 2), LED_HOLD: (2, 3),
              LED_MICROPHONE: (2, 4)},
    "Sennheiser": {LED_OFF_HOOK: (1, 0), LED_ON_LINE: (1, 1), LED_MUTE: (1, 2)},
    "Yealink": {LED_OFF_HOOK: (4, 0), LED_MUTE: (4, 1), LED_RING: (4, 2), LED_HOLD: (4, 3)}}


def places(data: Descriptor, kind, usages):
    return {field.usages[0]: (field.report, field.offset) for field in data.fields
            if field.kind == kind and field.usages[0] in usages}


class DescriptorTests(unittest.TestCase):
    def test_each_headset_has_its_controls_and_lamps_where_they_are(self):
        usages = set().union(*CONTROLS.values(), *LAMPS.values())
        for name, data in headsets.ALL.items():
            with self.subTest(name):
                found = parsed(data)
                self.assertTrue(found.is_numbered)
                self.assertEqual(places(found, INPUT, usages), CONTROLS[name])
                self.assertEqual(places(found, OUTPUT, usages), LAMPS[name])

    def test_one_shot_and_switch_are_told_apart(self):
        by_usage = {field.usages[0]: field for field in parsed(headsets.DELL).fields}
        self.assertFalse(by_usage[HOOK_SWITCH].is_relative)
        self.assertFalse(by_usage[HOOK_SWITCH].has_preferred_state)
        self.assertTrue(by_usage[PHONE_MUTE].is_relative)

    def test_a_report_is_read_by_its_number(self):
        data = parsed(headsets.DELL)
        values = {}
        for _, each in data.values(bytes([5, 0b00001001])):
            values.update(each)
        self.assertEqual((values[HOOK_SWITCH], values[FLASH], values[PHONE_MUTE]), (1, 1, 0))
        self.assertEqual([each for _, each in data.values(bytes([99, 255]))], [])

    def test_lamps_that_share_a_report_are_written_together(self):
        lit = {LED_OFF_HOOK: True, LED_MUTE: False, LED_RING: True}
        self.assertEqual(parsed(headsets.DELL).outputs(lit), {5: bytes([5, 0b101])})
        self.assertEqual(parsed(headsets.PLANTRONICS).outputs(lit), {
            9: bytes([9, 0]), 23: bytes([23, 1]), 24: bytes([24, 1])})
        self.assertEqual(parsed(headsets.JABRA).outputs(lit), {2: bytes([2, 0b101, 0])})

    def test_a_device_without_numbers_has_report_0(self):
        data = parsed(bytes.fromhex("050b0905a101150025010920092f75019502810295068101050809179501"
                                    "910295079101c0"))
        self.assertFalse(data.is_numbered)
        self.assertEqual(data.values(b"\x02")[1][1], {PHONE_MUTE: 1})
        self.assertEqual(data.outputs({LED_OFF_HOOK: True}), {0: bytes([0, 1])})

    def test_an_array_names_the_key_by_its_index(self):
        data = parsed(bytes.fromhex("050b0905a1011501250275089501 0920092f8100c0"))
        (_, values), = data.values(b"\x02")
        self.assertEqual(values, {HOOK_SWITCH: 0, PHONE_MUTE: 1})

    def test_ranges_of_usages_and_pushed_states_count(self):
        data = parsed(bytes.fromhex("050b0905a1011500250175019502 a4 050819171918 b4 1920292181 02c0"))
        self.assertEqual([field.usages[0] for field in data.fields], [HOOK_SWITCH, FLASH])

    def test_the_page_at_the_main_item_counts(self):
        reject = [field for field in parsed(headsets.JABRA).fields if field.usages[0] == REJECT]
        self.assertEqual(len(reject), 1)

    # ---- Hostile ones

    def test_what_is_no_descriptor_is_refused_with_the_reason(self):
        for name, data, why in (
                ("truncated", b"\x05", "ends in the item"), ("giant", bytes(MOST_BYTES + 1), "bytes"),
                ("no number", b"\x85\x00", "number of a report"), ("popped", b"\xb4", "not pushed"),
                ("pushed for ever", b"\xa4" * 100, "states are pushed"),
                ("a giant report", b"\x77\xff\xff\xff\xff\x97\xff\xff\xff\xff\x09\x20\x81\x02", "bits"),
                ("many reports", b"\x86\x00\x01", "number of a report")):
            with self.subTest(name), self.assertRaisesRegex(Malformed, why):
                parsed(data)

    def test_nothing_grows_with_what_a_descriptor_claims(self):
        endless = b"\x05\x0b\x1b\x00\x00\x00\x00\x2b\xff\xff\xff\xff\x75\x01\x96\xff\xff\x81\x02"
        for data in (endless, endless * 100, b"\x75\x00\x97\xff\xff\xff\xff\x09\x20\x81\x02",
                     b"\x75\x01\x96\xff\x7f\x19\x00\x2a\xff\xff\x81\x00" * 4):
            try:
                self.assertLessEqual(len(parsed(data).fields), MOST_USAGES)
            except Malformed:
                pass                            # as good

    def test_every_beginning_of_a_headset_is_read_or_refused(self):
        for data in headsets.ALL.values():
            for length in range(len(data)):
                self.read(data[:length])

    def test_random_bytes_and_damaged_headsets_are_read_or_refused(self):
        chance = random.Random(SEED)
        whole = list(headsets.ALL.values())
        for _ in range(4000):
            data = bytearray(chance.choice(whole))
            for _ in range(chance.randrange(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            self.read(bytes(data))
            self.read(chance.randbytes(chance.randrange(200)))

    def read(self, data):
        """Whatever it is, it is a descriptor whose reports can be read and written, or refused."""
        try:
            found = parsed(data)
        except Malformed:
            return
        for report in (b"", b"\x00", bytes(range(64)), bytes([255] * 64)):
            found.values(report)
        for report in found.outputs(dict.fromkeys((LED_MUTE, LED_OFF_HOOK), True)).values():
            self.assertGreaterEqual(len(report), 1)


if __name__ == "__main__":
    unittest.main()
