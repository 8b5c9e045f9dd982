"""What is made of baresip's accounts."""
import json
import unittest

import lab  # noqa: F401 (finds the modules below)
from accounts import Account, Accounts, Mailbox, line_id, mailbox


def states(*registrations):
    """The states and reasons of accounts with these registrations."""
    accounts = Accounts()
    accounts.replace(json.dumps({f"sip:{number}@h": {
        "aor": f"sip:{number}@h", "registration": {"interval": 60, **registration}}
        for number, registration in enumerate(registrations)}))
    return [(line["state"], line.get("reason")) for line in accounts.lines()]


class AccountTests(unittest.TestCase):
    def test_message_summaries(self):
        for text, expected in (
                ("Messages-Waiting: yes\r\nMessage-Account: <sip:vm@h>\r\n"
                 "Voice-Message: 2/8 (0/2)\r\n", Mailbox(2, "sip:vm@h")),
                ("Messages-Waiting: no\r\n", Mailbox(0, "")),
                ("messages-waiting : YES", Mailbox(1, "")),
                ("Messages-Waiting: yes\r\nFax-Message: 3/0\r\n", Mailbox(1, "")),
                ("Voice-Message: 99999999999/0", Mailbox(1_000_000, "")),
                ("Voice-Message: many", Mailbox(0, "")), ("", Mailbox(0, ""))):
            with self.subTest(text=text):
                self.assertEqual(mailbox(text), expected)

    def test_ids_are_short_and_differ(self):
        self.assertEqual(line_id("sip:a@h"), "sip:a@h")
        one, other = (line_id("sip:" + "ü" * 40 + end) for end in "ab")
        self.assertNotEqual(one, other)
        self.assertLessEqual(len(one.encode()), 64)

    def test_states_of_registrations(self):
        self.assertEqual(
            states({"interval": 0}, {"state": True, "code": 200}, {"code": 0, "state": False}, {},
                   {"code": 403, "state": False}, {"code": 999, "state": False}),
            [("registered", None), ("registered", None), ("registering", None),
             ("registering", None), ("failed", "403"), ("failed", None)])

    def test_what_is_no_list_of_accounts_has_none(self):
        for text in ("", "no such command", "[1]", "1", '{"a": 1}', '{"a": {"aor": "a"}}',
                     '{"a": {"aor": [], "registration": {"interval": 0}}}'):
            accounts = Accounts()
            accounts.replace(text)
            self.assertEqual((accounts.lines(), accounts.default), ([], None), text)

    def test_an_account_that_is_listed_again_keeps_what_the_list_does_not_have(self):
        listed = {"a": {"aor": "a", "selected_ua": True,
                        "registration": {"interval": 60, "code": 403, "state": False}}}
        accounts = Accounts()
        accounts.replace(json.dumps(listed))
        self.assertTrue(accounts.happened("REGISTER_FAIL", "a", "403 Forbidden"))
        self.assertTrue(accounts.happened("MWI_NOTIFY", "a", "Voice-Message: 1/0"))
        before = accounts.lines()
        accounts.replace(json.dumps(listed))
        self.assertEqual(accounts.lines(), before)
        self.assertEqual((before[0]["reason"], before[0]["messages_waiting"]), ("403 Forbidden", 1))
        listed["a"]["registration"] = {"interval": 60, "code": 503, "state": False}
        accounts.replace(json.dumps(listed))
        self.assertEqual(accounts.lines()[0]["reason"], "503")

    def test_the_broker_gets_no_more_than_it_takes(self):
        accounts = Accounts()
        accounts.replace(json.dumps({f"sip:{number}@h": {
            "aor": f"sip:{number}@h", "registration": {"interval": 0}} for number in range(40)}))
        self.assertEqual(len(accounts.lines()), 32)
        self.assertEqual((accounts.line("sip:31@h"), accounts.line("sip:32@h")), ("sip:31@h", None))
        line = Account("sip:a@h", "n" * 200, "failed", "r" * 200).line(False)
        self.assertEqual((len(line["label"]), len(line["reason"])), (128, 128))

    def test_what_a_server_says_without_a_text_is_left_out(self):
        line = Account("sip:a@h", "", "failed", "\0", Mailbox(1, ";transport=udp")).line(False)
        self.assertNotIn("reason", line)
        self.assertNotIn("voicemail", line)


if __name__ == "__main__":
    unittest.main()
