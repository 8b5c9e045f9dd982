"""What gateways of pushes read, without a gateway."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from push_gateway import (  # noqa: E402
    DEFAULTS, PAYLOAD_BYTES, Refused, caller_of, check_options, read_payload, remaining_ms)

NOW, TTL = 1_763_712_000_000, 30_000


class PayloadTests(unittest.TestCase):
    def test_an_object_is_read(self):
        self.assertEqual(read_payload('{"caller":"Zoë"}'.encode()), {"caller": "Zoë"})

    def test_an_object_of_the_greatest_size_is_read(self):
        text = b'{"a":"' + b"x" * (PAYLOAD_BYTES - 8) + b'"}'
        self.assertEqual(len(text), PAYLOAD_BYTES)
        self.assertEqual(len(read_payload(text)["a"]), PAYLOAD_BYTES - 8)
        with self.assertRaisesRegex(Refused, "more than 5,120 bytes"):
            read_payload(text + b" ")

    def test_everything_else_is_refused(self):
        for text in (b"", b"null", b"[]", b'"a"', b"{", b"\xff", b'{"a":NaN}', b'{"a":Infinity}',
                     '{"a":1}'.encode("utf-16"), b"[" * PAYLOAD_BYTES, b'{"a":' * 1_000,
                     b"9" * PAYLOAD_BYTES):
            with self.assertRaises(Refused, msg=text[:20]):
                read_payload(text)


class AgeTests(unittest.TestCase):
    def left(self, expiry_ms=None, **payload):
        return remaining_ms(payload, TTL, expiry_ms, NOW)

    def test_without_a_time_a_push_is_good_for_its_ttl(self):
        self.assertEqual(self.left(), TTL)

    def test_the_transport_may_know_better(self):
        self.assertEqual(self.left(120_000), 120_000)
        self.assertEqual(self.left(1_000), 1_000)
        self.assertEqual(self.left(10 ** 12), 600_000)

    def test_the_ttl_begins_when_the_server_has_sent_it(self):
        self.assertEqual(self.left(sent_at_ms=NOW - 10_000), 20_000)
        self.assertEqual(self.left(sent_at_ms=NOW - TTL), 0)
        self.assertLess(self.left(sent_at_ms=0), 0)
        self.assertEqual(self.left(5_000, sent_at_ms=NOW - 10_000), 5_000)

    def test_a_clock_that_is_ahead_makes_no_push_live_longer(self):
        self.assertEqual(self.left(sent_at_ms=NOW + 3_600_000), TTL)

    def test_what_is_no_time_makes_no_difference(self):
        for wrong in ("1763712000000", 1.5, True, None, [], {}):
            self.assertEqual(self.left(sent_at_ms=wrong), TTL)


class CallerTests(unittest.TestCase):
    def test_a_caller_is_a_handle(self):
        caller = {"type": "phone", "value": "+15550100"}
        self.assertEqual(caller_of({"caller": caller}), caller)

    def test_what_is_an_apps_own_is_none(self):
        for other in (None, "Ada", 7, [], {}, {"type": "phone"}, {"type": 1, "value": "1"},
                      {"type": "phone", "value": "1", "more": 1}):
            self.assertIsNone(caller_of({"caller": other}))
        self.assertIsNone(caller_of({}))


class OptionTests(unittest.TestCase):
    def test_the_defaults_are_good(self):
        check_options(DEFAULTS)

    def test_wrong_ones_are_named(self):
        for wrong in ({"ttl_ms": 999}, {"ttl_ms": 600_001}, {"ask_first": "maybe"}):
            with self.assertRaisesRegex(ValueError, next(iter(wrong))):
                check_options({**DEFAULTS, **wrong})


if __name__ == "__main__":
    unittest.main()
