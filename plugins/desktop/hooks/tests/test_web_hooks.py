"""Web hooks, delivered to an HTTPS server of the test's own that fails in every way."""
import asyncio
import hashlib
import hmac
import json
import logging
import os
import re
import shutil
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from hook_bench import NAME, NUMBER, PLUGIN, Bench
from post_office import CEILING, OK, Authority, PostOffice, free_port, status

import delivery  # noqa: E402
from delivery import Patience, deliver, seconds_until  # noqa: E402
from folders import Refused  # noqa: E402
from happenings import Happening  # noqa: E402
from web_hook import read_web_hook  # noqa: E402

EVENT = {"topic": "call.added", "at_ms": 1, "call": "c", "data": {
    "call": "c", "state": "ringing", "direction": "incoming",
    "remote": {"type": "phone", "value": NUMBER}, "display_name": NAME}}
NOW = 1_700_000_000                             # 14 November 2023, 22:13:20
QUICK = Patience(tries=4, first_delay=0.01, total=CEILING)


class WebHookCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.certificates = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.certificates, True)
        cls.authority = Authority(cls.certificates)
        cls.certificate = cls.authority.certify("DNS:localhost", "IP:127.0.0.1")

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)

    def described(self, url, **members):
        """The file of a web hook."""
        path = Path(self.folder, "test.webhook.json")
        path.write_text(json.dumps({
            "url": url, "ca_file": self.authority.certificate, **members}), encoding="utf-8")
        return path

    def secret(self, mode=0o600):
        path = Path(self.folder, "secret")
        path.write_text("s3cret\n", encoding="utf-8")
        path.chmod(mode)
        return path

    def delivered(self, url, patience=QUICK, **members):
        """Delivers an event; what was logged about it."""
        hook = read_web_hook(self.described(url, **members))
        with self.assertLogs("hooks", logging.INFO) as logged:
            asyncio.run(deliver("test", hook, Happening("call.ringing", EVENT), patience))
        return "\n".join(logged.output)

    def office(self, *answers, certificate=None, **options):
        return PostOffice(self, certificate or self.certificate, *answers, **options)


class DeliveryTests(WebHookCase):
    def test_an_event_arrives_signed_with_its_id_and_its_time_and_without_people(self):
        office = self.office(OK)
        with mock.patch.object(time, "time", lambda: NOW + 0.9):
            said = self.delivered(office.url("/a?b=c"), secret_file=str(self.secret()))
        line, fields, body = office.next()
        self.assertIn("delivered, at try 1", said)
        self.assertEqual(line, "POST /a?b=c HTTP/1.1")
        self.assertEqual(fields["X-CallBroker-Event"], "call.ringing")
        signed = (fields["X-CallBroker-Delivery"] + "." + fields["X-CallBroker-Timestamp"]
                  + ".").encode() + body
        self.assertEqual(fields["X-CallBroker-Signature"], "sha256=" + hmac.new(
            b"s3cret", signed, hashlib.sha256).hexdigest())
        self.assertEqual(fields["X-CallBroker-Timestamp"], str(NOW))
        self.assertEqual(json.loads(body)["data"],
                         {"call": "c", "state": "ringing", "direction": "incoming"})

    def test_people_are_named_where_the_file_says_so(self):
        office = self.office(OK)
        self.delivered(office.url(), redacted=False)
        self.assertIn(NUMBER, office.next()[2].decode())

    def test_without_a_secret_there_is_no_signature(self):
        office = self.office(OK)
        self.delivered(office.url())
        self.assertNotIn("X-CallBroker-Signature", office.next()[1])

    def test_it_is_sent_again_with_the_same_id_until_it_is_accepted(self):
        office = self.office(status(500), status(429, "Retry-After: 0"), status(408), OK)
        said = self.delivered(office.url(), secret_file=str(self.secret()))
        ids = {office.next()[1]["X-CallBroker-Delivery"] for _ in range(4)}
        self.assertEqual(len(ids), 1)
        self.assertIn("delivered, at try 4", said)

    def test_a_refusal_is_final(self):
        for number in (400, 401, 404, 410, 422):
            office = self.office(status(number), OK)
            self.assertIn(f"given up: status {number}", self.delivered(office.url()))
            self.assertEqual(office.count, 1)

    def test_redirects_are_not_followed(self):
        elsewhere = self.office(OK)
        office = self.office(status(307, "Location: " + elsewhere.url()))
        self.assertIn("redirects are not followed", self.delivered(office.url()))
        self.assertEqual((office.count, elsewhere.count), (1, 0))

    def test_a_server_that_always_fails_is_given_up_after_the_last_try(self):
        office = self.office(status(503))
        self.assertIn("given up: status 503", self.delivered(office.url()))
        self.assertEqual(office.count, 4)

    def test_a_server_that_is_not_there_is_tried_again(self):
        port = free_port()
        started = []

        async def start_and_wait(_):
            started.append(self.office(OK, port=port))
        with mock.patch.object(delivery.asyncio, "sleep", start_and_wait):
            said = self.delivered(f"https://localhost:{port}/")
        self.assertIn("try 1: no response (", said)
        self.assertEqual(len(started), 1)
        self.assertIn("delivered, at try 2", said)

    def test_a_server_that_does_not_answer_is_tried_again(self):
        office = self.office(None, OK)
        with mock.patch.object(delivery, "REQUEST_SECONDS", 1.0):
            said = self.delivered(office.url())
        self.assertIn("try 1: no response in time", said)
        self.assertRegex(said, "delivered, at try [2-4]")

    def test_everything_together_has_a_time(self):
        office = self.office(status(503, "Retry-After: 3600"))
        said = self.delivered(office.url(), Patience(tries=9, first_delay=0.01, total=5.0))
        self.assertIn("given up: not delivered within 5 s", said)
        self.assertEqual(office.count, 1)

    def test_a_certificate_of_another_authority_or_for_another_host_is_refused(self):
        other = os.path.join(self.folder, "other")
        os.mkdir(other)
        for certificate in (Authority(other).certify("DNS:localhost"),
                            self.authority.certify("DNS:example.org")):
            office = self.office(OK, certificate=certificate)
            self.assertIn("given up: the certificate is not valid", self.delivered(office.url()))
            self.assertEqual(office.count, 0)

    def test_what_is_no_http_is_an_error_of_that_try(self):
        office = self.office(b"220 mail.example.org ESMTP\r\n\r\n", b"HTTP/1.1 2x4\r\n\r\n",
                             b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 100_000, OK)
        self.assertIn("delivered, at try 4", self.delivered(office.url()))

    def test_a_body_of_any_size_is_not_read(self):
        office = self.office(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"
                             b"Content-Length: 1000000000000\r\n\r\n" + b"x" * 10_000)
        self.assertIn("delivered, at try 1", self.delivered(office.url()))

    def test_plain_http_is_for_this_host_only(self):
        office = PostOffice(self, None, OK)
        self.assertIn("delivered", self.delivered(office.url(host="127.0.0.1")))
        with self.assertRaisesRegex(Refused, "must begin with https://"):
            read_web_hook(self.described("http://example.org/"))

    def test_no_log_has_the_url_or_the_people(self):
        office = self.office(status(404))
        said = self.delivered(office.url("/T0KEN"), redacted=False)
        for text in ("T0KEN", NUMBER, NAME):
            self.assertNotIn(text, said)

    def test_the_wait_doubles_and_differs_and_is_at_least_what_was_asked_for(self):
        waits = [delivery.delay(number, delivery.NotNow(""), Patience()) for number in (1, 2, 3)]
        for wait, middle in zip(waits, (1, 2, 4)):
            self.assertTrue(middle / 2 <= wait <= middle * 1.5, waits)
        self.assertGreater(len({delivery.delay(1, delivery.NotNow(""), Patience())
                                for _ in range(9)}), 1)
        self.assertGreaterEqual(delivery.delay(1, delivery.NotNow("", 60), Patience()), 60)

    def test_retry_after_has_seconds_or_a_date(self):
        self.assertEqual(seconds_until("120"), 120)
        with mock.patch.object(time, "time", lambda: NOW):
            self.assertEqual(seconds_until("Wed, 21 Oct 2015 07:28:00 GMT"), 0)
            self.assertEqual(seconds_until("Tue, 14 Nov 2023 22:14:20 GMT"), 60)
        for wrong in ("", "soon", "-1", "²", "Wed, 99 Foo"):
            self.assertIsNone(seconds_until(wrong))


class DescriptionTests(WebHookCase):
    def refused(self, text, words):
        path = Path(self.folder, "wrong.webhook.json")
        path.write_text(text, encoding="utf-8")
        with self.assertRaisesRegex(Refused, words):
            read_web_hook(path)

    def test_what_is_wrong_is_said(self):
        for text, words in (
                ("{", "not JSON"), ("[" * 9_000, "not JSON"), ("[]", "no object"),
                ('{"uri": 1}', "unknown member"), ('{"url": 1}', "url has the wrong type"),
                ("{}", "url is missing"), ('{"url": "ftp://example.org"}', "must begin with https"),
                ('{"url": "https://a b/"}', "blanks"),
                ('{"url": "https://a/\\r\\nX: y"}', "blanks|url is missing"),
                ('{"url": "https://u:p@a/"}', "has a user"),
                ('{"url": "https://a:99999/"}', "read"),
                ('{"url": "https://[a/"}', "cannot be read"),
                ('{"url": "https://a/", "body": {"t": ["{nobody}"]}}', "unknown placeholder"),
                ('{"url": "https://a/", "secret_credential": "x"}', "no such credential"),
                ('{"url": "' + "x" * 70_000 + '"}', "more than 65536 bytes")):
            self.refused(text, words)

    def test_a_secret_that_others_may_read_is_refused(self):
        for mode in (0o644, 0o640, 0o602):
            path = self.described("https://a/", secret_file=str(self.secret(mode)))
            with self.assertRaisesRegex(Refused, "chmod 600"):
                read_web_hook(path)

    def test_the_secret_may_be_a_credential_of_the_service(self):
        Path(self.folder, "hook").write_text("of systemd", encoding="utf-8")
        with mock.patch.dict(os.environ, CREDENTIALS_DIRECTORY=self.folder):
            hook = read_web_hook(self.described("https://a/", secret_credential="hook"))
        self.assertEqual(hook.secret, b"of systemd")

    def test_a_body_is_filled_in_and_nothing_breaks_out_of_it(self):
        hook = read_web_hook(self.described(
            "https://a/", redacted=False, escape_html=True,
            body={"text": "{name}: {state} {event}", "n": [1, "{remote}", None], "{state}": True}))
        nasty = {**EVENT, "data": {
            **EVENT["data"], "display_name": 'A", "x": "<!channel>{state}\n'}}
        body = json.loads(hook.payload(Happening("call.ringing", nasty)))
        self.assertEqual(body, {
            "text": 'A", "x": "&lt;!channel&gt;{state}\n: ringing call.ringing',
            "n": [1, NUMBER, None], "{state}": True})


    def test_the_examples_of_the_page_are_web_hooks(self):
        with open(os.path.join(PLUGIN, "README.md"), encoding="utf-8") as file:
            examples = re.findall(r"```json\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(examples), 2)
        secret = Path(self.folder, ".config", "callbroker", "hooks.secret")
        secret.parent.mkdir(parents=True)
        secret.touch(0o600)
        secret.write_text("s", encoding="utf-8")
        for number, text in enumerate(examples):
            path = Path(self.folder, f"{number}.webhook.json")
            path.write_text(text, encoding="utf-8")
            with mock.patch.dict(os.environ, HOME=self.folder):
                hook = read_web_hook(path)
        body = json.loads(hook.payload(Happening("host.presence", {
            "topic": "host.presence", "data": {"state": "in_call"}})))
        self.assertEqual(body, {"text": "On the phone: in_call"})


class RedactionTests(unittest.TestCase):
    def test_nobody_is_named_in_a_redacted_event_of_whatever_topic(self):
        for data in ({"remote": {"type": "phone", "value": NUMBER}, "display_name": NAME},
                     {"caller": {"name": NAME}, "forwarded_from": {"value": NUMBER}},
                     {"participants": [{"participant": NUMBER, "name": NAME}]},
                     {"uri": "tel:" + NUMBER, "failure": {"message": NAME}}, {"text": NAME},
                     {"remote": NUMBER, "caller": NAME}, {"from": {"value": NUMBER}}):
            happening = Happening("t", {"topic": "t", "data": data})
            for shown in (happening.document(True), happening.words(True)):
                self.assertNotIn(NUMBER, json.dumps(shown))
                self.assertNotIn(NAME, json.dumps(shown))

    def test_the_log_of_a_program_has_no_number_no_name_and_no_text(self):
        data = {"remote": {"type": "phone", "value": NUMBER}, "caller": {"name": NAME},
                "participants": [{"name": "Bo"}], "text": "hello you", "state": "active"}
        happening = Happening("t", {"topic": "t", "data": data})
        self.assertEqual(
            happening.without_people(f"{NAME} {NUMBER} Bo said hello you, active phone"),
            "… … … said …, active phone")


class PluginTests(WebHookCase):
    """The plugin, the broker and the server together."""

    def test_a_web_hook_among_the_programs_of_an_event_is_sent(self):
        bench, office = Bench(self), self.office(status(500), OK)
        bench.write("host.presence", "team.webhook.json", json.dumps({
            "url": office.url(), "ca_file": self.authority.certificate,
            "body": {"text": "{state}"}}), 0o600)
        plugin = bench.start("--first-delay-ms", "10")
        self.assertEqual([json.loads(office.next()[2]) for _ in range(2)], [{"text": "free"}] * 2)
        plugin.wait_for("host.presence.d/team.webhook.json has been delivered, at try 2")
        bench.incoming()
        self.assertEqual(json.loads(office.next()[2]), {"text": "ringing"})

    def test_one_that_is_wrong_is_reported_and_may_be_mended(self):
        bench, office = Bench(self), self.office(OK)
        bench.write("call.ringing", "a.webhook.json", "{}", 0o600)
        plugin = bench.start()
        bench.incoming()
        plugin.wait_for("call.ringing.d/a.webhook.json is refused: its url is missing")
        bench.write("call.ringing", "a.webhook.json", json.dumps({
            "url": office.url(), "ca_file": self.authority.certificate}), 0o600)
        bench.incoming()
        self.assertEqual(json.loads(office.next()[2])["data"]["state"], "waiting")


if __name__ == "__main__":
    unittest.main()
