"""Encrypted messages: the example of RFC 8291, and what is none."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "..", "sdk", "python", "tests"), HERE]

from web_push_server import ec, encrypt  # noqa: E402

from web_push import Keys, Undecipherable, decoded  # noqa: E402

# RFC 8291, section 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
KEPT = {"private": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
PUBLIC = ("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIA"
          "iw4")
SERVER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
MESSAGE = ("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
           "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV"
           "WGNWQexSgSxsj_Qulcy4a-fN")


class WebPushTests(unittest.TestCase):
    def setUp(self):
        self.keys, self.message = Keys.restored(KEPT), decoded(MESSAGE)

    def test_the_example_of_the_rfc_is_read(self):
        self.assertEqual(self.keys.published(), {"p256dh": PUBLIC, "auth": KEPT["auth"]})
        self.assertEqual(self.keys.decrypt(self.message), TEXT)

    def test_the_server_of_these_tests_writes_the_example_of_the_rfc(self):
        private = ec.derive_private_key(int.from_bytes(decoded(SERVER), "big"), ec.SECP256R1())
        self.assertEqual(encrypt(self.keys.published(), TEXT, private, self.message[:16]),
                         self.message)

    def test_keys_survive_and_no_two_are_alike(self):
        made = Keys.made()
        message = encrypt(made.published(), TEXT, padding=1_000)
        self.assertEqual(Keys.restored(made.kept()).decrypt(message), TEXT)
        self.assertNotEqual(made.published(), Keys.made().published())

    def test_what_is_for_other_keys_or_was_changed_is_refused(self):
        changed = self.message[:-1] + bytes([self.message[-1] ^ 1])
        for keys, message in ((Keys.made(), self.message), (self.keys, changed)):
            with self.assertRaisesRegex(Undecipherable, "not encrypted for this address"):
                keys.decrypt(message)

    def test_every_beginning_and_other_bytes_are_refused(self):
        for length in range(len(self.message)):
            with self.assertRaises(Undecipherable):
                self.keys.decrypt(self.message[:length])
        for message in (bytes(4_096), b"\xff" * 4_096, b'{"call":1}'):
            with self.assertRaises(Undecipherable):
                self.keys.decrypt(message)

    def test_a_message_of_several_records_or_without_an_end_is_refused(self):
        small = self.message[:16] + (32).to_bytes(4, "big") + self.message[20:]
        with self.assertRaisesRegex(Undecipherable, "not one record"):
            self.keys.decrypt(small)

    def test_damaged_keys_are_an_error(self):
        for damaged in ({}, {**KEPT, "auth": "AA"}, {**KEPT, "private": "="},
                        {**KEPT, "private": "AAAA"}, {**KEPT, "auth": None}):
            with self.assertRaises((KeyError, ValueError)):
                Keys.restored(damaged)


if __name__ == "__main__":
    unittest.main()
