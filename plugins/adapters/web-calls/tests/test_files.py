"""What needs no browser: the data files of sites, the extension's manifest, native messaging with
anything at all, and what is installed."""
import base64
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
PROGRAM = os.path.join(PLUGIN, "web_calls.py")
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

import installing  # noqa: E402
from browser import MESSAGE_BYTES, packed  # noqa: E402
from callbroker import Admin  # noqa: E402
from roster import Roster  # noqa: E402
from programs import CEILING, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402


def load(*path):
    with open(os.path.join(PLUGIN, *path), encoding="utf-8") as file:
        return json.load(file)


def sites():
    return {os.path.basename(path)[:-len(".json")]: load(path)
            for path in glob.glob(os.path.join(PLUGIN, "extension", "sites", "*.json"))}


class SiteTests(unittest.TestCase):
    def test_each_file_fits_the_schema(self):
        schema = load("sites.schema.json")
        jsonschema.Draft202012Validator.check_schema(schema)
        for name, site in sites().items():
            with self.subTest(name):
                jsonschema.Draft202012Validator(schema).validate(site)

    def test_the_schema_refuses_a_ring_that_cannot_be_answered(self):
        site = {"label": "A", "hosts": ["a.example"], "verified": "no", "ring": [".ring"]}
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(load("sites.schema.json")).validate(site)

    def test_each_file_says_whether_it_was_run_against_the_site(self):
        for name, site in sites().items():
            self.assertIn("not run against the site", site["verified"], name)

    def test_the_manifest_names_the_hosts_of_the_files_and_the_background_the_files(self):
        hosts = sorted(f"https://{host}/*" for site in sites().values() for host in site["hosts"])
        scripts = load("extension", "manifest.json")["content_scripts"]
        known = next(each for each in scripts if "known-site.js" in each["js"])
        self.assertEqual(known["matches"], hosts)
        with open(os.path.join(PLUGIN, "extension", "background.js"), encoding="utf-8") as file:
            line = next(line for line in file if line.startswith("const SITES = "))
        self.assertEqual(json.loads(line[len("const SITES = "):].rstrip(";\n")), sorted(sites()))


class ExtensionTests(unittest.TestCase):
    def test_it_may_do_nothing_but_talk_to_its_program(self):
        manifest = load("extension", "manifest.json")
        self.assertEqual(manifest["permissions"], ["nativeMessaging"])
        for member in ("host_permissions", "optional_permissions", "web_accessible_resources",
                       "externally_connectable"):
            self.assertNotIn(member, manifest)

    def test_the_id_that_may_start_the_program_is_that_of_the_key(self):
        manifest = load("extension", "manifest.json")
        digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
        self.assertEqual("".join(chr(ord("a") + int(digit, 16)) for digit in digest), installing.CHROMIUM_ID)
        self.assertEqual(manifest["browser_specific_settings"]["gecko"]["id"], installing.FIREFOX_ID)

    def test_page_and_frame_have_the_same_flags(self):
        flags = []
        for name in ("page.js", "frame.js"):
            with open(os.path.join(PLUGIN, "extension", name), encoding="utf-8") as file:
                lines = [line.strip() for line in file if line.strip().startswith(
                    ("const TOUCHED", "const HOLD", "const CAMERA_ON"))]
            flags.append([line.replace(", FLAGS = 63", "") for line in lines])
        self.assertEqual(flags[0], flags[1])
        self.assertEqual(len(flags[0]), 3)


class NativeMessagingTests(unittest.TestCase):
    """The program with what no extension would send; there is no broker."""

    def run_with(self, data):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(
                [PROGRAM, "chrome-extension://x/"], input=data, capture_output=True, timeout=60, check=False,
                env={"PATH": os.environ["PATH"], "BROKER_SOCKET": os.path.join(folder, "none.sock")})

    def test_a_browser_that_ends_at_once_is_no_error(self):
        ran = self.run_with(b"")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"", b""))

    def test_a_browser_that_ends_after_its_name_is_no_error(self):
        ran = self.run_with(packed({"browser": "Chromium"}))
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, packed({"ready": True}), b""))

    def test_what_does_not_name_a_browser_is_refused(self):
        for message in ({}, {"browser": 7}, {"browser": "x" * 33}, {"browser": "\n"}, {"tab": 1}):
            ran = self.run_with(packed(message))
            self.assertEqual((ran.returncode, ran.stderr), (
                1, b"web_calls: the first message does not name the browser\n"), message)

    def test_a_message_that_is_too_long_or_no_json_is_refused(self):
        for data, error in ((b"\xff\xff\xff\xff", b"a message of 4294967295 bytes"),
                            (packed({"browser": "x" * MESSAGE_BYTES}), b"bytes; the longest"),
                            (b"\x02\x00\x00\x00{]", b"not JSON"), (b"\x02\x00\x00\x00[]", b"no object")):
            ran = self.run_with(data)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(error, ran.stderr)

    def test_states_of_any_shape_end_with_the_browser_alone(self):
        odd = [{"tab": 1}, {"tab": "1", "live": True}, {"tab": 1, "live": "yes"}, {"done": []},
               {"tab": 2, "live": True, "site": 5, "caller": ["x"], "call": "no", "reason": {}},
               {"tab": 2, "participants": 7, "removed": [[]]}, {"tab": 9, "participants": [{}]},
               {"tab": 2, "live": True, "video": ["both"], "answers_video": 1},
               {"tab": 2, "ringing": True, "site": "\u0000" * 400}, {"tab": True, "live": True}, {"done": 1}]
        ran = self.run_with(packed({"browser": "Firefox"}) + b"".join(map(packed, odd)))
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, packed({"ready": True}), b""))


class RosterTests(unittest.TestCase):
    """What the broker is told of a list, with anything at all in it."""

    def setUp(self):
        self.roster = Roster()

    def told(self, **message):
        self.roster.take(message)
        return list(self.roster.changes())

    def test_the_first_report_replaces_what_the_broker_may_have_and_later_ones_tell_what_has_changed(self):
        ada, bob = {"participant": "a", "name": "Ada"}, {"participant": "b", "muted": False}
        self.assertEqual(self.told(participants=[ada, bob]), [([ada, bob], [], True)])
        self.assertEqual(self.told(participants=[ada]), [])
        bob = {**bob, "muted": True, "changeable": ["muted"]}
        self.assertEqual(self.told(participants=[bob], removed=["a", "unknown"]), [([bob], ["a"], False)])
        self.roster.forget()
        self.assertEqual(self.told(), [([bob], [], True)])

    def test_of_too_many_only_as_many_are_kept_as_the_broker_takes(self):
        many = [{"participant": str(number)} for number in range(5_000)]
        changes = self.told(participants=many)
        self.assertEqual([about for change in changes for about in change.changed], many[:1_000])
        self.assertTrue(all(len(change.changed) <= 128 for change in changes))
        self.assertEqual([change.replaces for change in changes], [True] + [False] * (len(changes) - 1))

    def test_what_is_no_participant_is_left_out(self):
        odd = [None, 7, [], {}, {"participant": 7}, {"participant": ""}, {"participant": "x" * 129},
               {"participant": "a\nb"}]
        fit = {"participant": "a", "name": 7, "muted": "yes", "changeable": ["muted", "name", 7], "x": 1}
        self.assertEqual(self.told(participants=[*odd, fit], removed=[None, [], {}]), [
            ([{"participant": "a", "changeable": ["muted"]}], [], True)])
        self.assertEqual(self.told(participants={"a": 1}, removed="a"), [])


class InstallTests(unittest.TestCase):
    def run_at(self, home, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=True,
                              env={"PATH": os.environ["PATH"], "HOME": home}).stdout

    def test_each_browser_may_start_the_program_and_after_uninstalling_nothing_is_left(self):
        with tempfile.TemporaryDirectory() as home:
            os.makedirs(os.path.join(home, ".config", "chromium", "Default"))
            self.assertEqual(self.run_at(home, "--install").count("\n"), 3)
            for browser in ("chromium", "google-chrome"):
                manifest = load(home, ".config", browser, "NativeMessagingHosts", "org.callbroker.web_calls.json")
                self.assertEqual((manifest["path"], manifest["allowed_origins"]), (
                    PROGRAM, [f"chrome-extension://{installing.CHROMIUM_ID}/"]))
            manifest = load(home, ".mozilla", "native-messaging-hosts", "org.callbroker.web_calls.json")
            self.assertEqual(manifest["allowed_extensions"], [installing.FIREFOX_ID])
            self.run_at(home, "--install")
            self.run_at(home, "--uninstall")
            left = [os.path.relpath(os.path.join(at, name), home)
                    for at, folders, files in os.walk(home) for name in folders + files]
            self.assertEqual(sorted(left), [".config", ".config/chromium", ".config/chromium/Default"])
            self.assertEqual(self.run_at(home, "--uninstall"), "nothing was installed\n")

    def test_a_broker_with_the_plugin_enabled_installs_it_and_is_left_in_peace(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, mock.patch.dict(os.environ, {"HOME": home}):
            broker = RealBroker("--plugin-dir", PLUGIN)
            self.addCleanup(broker.close)
            file = os.path.join(home, ".mozilla", "native-messaging-hosts", "org.callbroker.web_calls.json")
            wait_until("it is installed", os.path.exists, file)
            with Admin("user", socket=broker.path) as user:
                def plugin():
                    return user.request("plugin.list").result(CEILING)["plugins"][0]
                wait_until(lambda: f"it has ended: {plugin()}", lambda: plugin()["state"] in ("stopped", "exited"))
                self.assertEqual(user.plugin("doctor").result(CEILING)["findings"], [])

    def test_the_extension_is_linked_for_all_users_and_unlinked(self):
        with tempfile.TemporaryDirectory() as root:
            root = installing.Path(root)
            for _ in range(2):
                links = installing.install_extension(root)
            self.assertEqual(len(links), 2)
            for link in links:
                self.assertTrue(os.path.exists(os.path.join(link, "manifest.json")), link)
            self.assertEqual(len(installing.uninstall_extension(root)), 2)
            self.assertEqual(installing.uninstall_extension(root), [])


if __name__ == "__main__":
    unittest.main()
