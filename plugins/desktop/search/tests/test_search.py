"""The searches of GNOME Shell and KRunner, with the broker and a session bus."""
import os
import signal
import unittest
from unittest import mock

from gi.repository import Gio, GLib

from searching import CEILING, KRUNNER, NAME, PATH, PLUGIN, PROGRAM, Searching, wait_until

from callbroker import new_id, phone  # noqa: E402

ADA, BOB = "+15550100", "+15550101"
SAVER = """<node><interface name="org.freedesktop.ScreenSaver">
<method name="GetActive"><arg type="b" direction="out"/></method>
<signal name="ActiveChanged"><arg type="b"/></signal></interface></node>"""


class SearchTests(unittest.TestCase):
    def setUp(self):
        self.place = Searching(self)
        self.place.app()
        self.place.contact("Ada Lovelace", ADA)
        self.place.contact("Adam Smith", BOB, favorite=True)

    def test_gnome_shell_finds_a_contact_shows_it_and_calls_it(self):
        self.place.start_search()
        first = ["call tel:" + BOB, "call tel:" + ADA]      # the favorite first
        self.place.wait_for_found("ad", *first)
        ids = wait_until("fewer", lambda: self.place.shell(
            "GetSubsearchResultSet", "(asas)", first, ["love", "ada"])[0])
        self.assertEqual(ids, ["call tel:" + ADA])
        (meta,), = self.place.shell("GetResultMetas", "(as)", ids)
        self.assertEqual(meta, {"id": ids[0], "name": "Ada Lovelace", "description": ADA,
                                "gicon": "call-start"})
        self.place.shell("ActivateResult", "(sasu)", ids[0], ["ada"], 0)
        self.place.wait_for_dialed(ADA)

    def test_krunner_finds_the_same_and_runs_it(self):
        self.place.start_search()
        self.assertEqual(self.place.call(KRUNNER, "Actions"), ([],))
        (id, text, icon, kind, relevance, properties), = self.place.wait_for_match("lovelace")
        self.assertEqual((text, icon, kind, properties),
                         ("Ada Lovelace", "call-start", 100, {"subtext": ADA}))
        self.assertTrue(0.0 < relevance <= 1.0)
        self.place.call(KRUNNER, "Run", "(ss)", id, "")
        self.place.wait_for_dialed(ADA)

    def test_a_typed_number_or_address_is_called_if_an_app_can(self):
        self.place.start_search()
        id, = self.place.wait_for_found("+1 (555) 0102-03")
        self.assertEqual(id, "call tel:+1555010203")
        self.place.shell("ActivateResult", "(sasu)", id, [], 0)
        self.place.wait_for_dialed("+1555010203")
        self.assertEqual(self.place.found("bob@example.org"), [])
        self.place.app("org.example.sip", url_schemes=["sip", "room"], handle_types=["generic"])
        self.place.wait_for_found("bob@example.org", "call sip:bob@example.org")
        self.place.wait_for_found("room:blue", "call room:blue")
        self.assertEqual(self.place.found("door:blue"), [])

    def test_sentences_are_understood(self):
        self.place.start_search()
        self.place.wait_for_found("call lovelace", "call tel:" + ADA)
        self.place.wait_for_found("video call lovelace", "video tel:" + ADA)
        self.assertEqual(self.place.found("hang up"), [])       # there is no call
        call = new_id()
        self.place.user.start(phone(BOB), call=call, wait="completed").result(CEILING)
        id, = self.place.wait_for_found("hang up")
        self.place.shell("ActivateResult", "(sasu)", id, ["hang", "up"], 0)
        wait_until("the call was ended", lambda: "end" in [kind for kind, _ in self.place.performed])

    def test_what_was_never_found_is_not_called(self):
        self.place.start_search()
        self.place.shell("ActivateResult", "(sasu)", "call tel:" + ADA, [], 0)
        self.place.call(KRUNNER, "Run", "(ss)", "call tel:" + ADA, "")
        self.assertEqual(self.place.shell("GetResultMetas", "(as)", ["call tel:" + ADA]), ([],))
        id, = self.place.wait_for_found("smith")
        self.place.shell("ActivateResult", "(sasu)", id, [], 0)
        self.place.wait_for_dialed(BOB)

    def test_results_are_bounded_and_odd_searches_find_nothing(self):
        for number in range(30):
            self.place.contact(f"Eve {number}", f"+1555020{number:02}")
        self.place.start_search()
        self.assertEqual(len(self.place.wait_for_found("eve")), 10)
        self.assertEqual(len(self.place.wait_for_match("eve")), 10)
        for words in ("", "a", "x" * 5000, "\u202e", "--help", "tel:", "%s", "'; end"):
            self.assertEqual(self.place.found(words), [], words)
            self.assertEqual(self.place.matches(words), [], words)
        self.assertEqual(len(self.place.wait_for_found("eve")), 10)

    def test_a_call_with_another_signature_is_refused(self):
        self.place.start_search()
        with self.assertRaisesRegex(GLib.Error, "InvalidArgs"):
            self.place.shell("GetInitialResultSet", "(s)", "ada")

    def test_while_the_session_is_locked_nothing_is_found_and_nothing_done(self):
        is_locked = [True]
        self.place.bus.register_object(
            "/org/freedesktop/ScreenSaver", Gio.DBusNodeInfo.new_for_xml(SAVER).interfaces[0],
            lambda *call: call[-1].return_value(GLib.Variant("(b)", (is_locked[0],))), None, None)
        self.place.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                 "org.freedesktop.DBus", "RequestName",
                                 GLib.Variant("(su)", ("org.freedesktop.ScreenSaver", 0)), None,
                                 Gio.DBusCallFlags.NONE, -1, None)
        self.place.search = self.place.program("search", PROGRAM, "--verbose")
        context = GLib.MainContext.default()

        def said(words):
            while context.pending():
                context.iteration(False)        # the screen saver answers
            return self.place.search.said().count(words)
        wait_until(lambda: self.place.search.said(), said, "following")
        wait_until(lambda: self.place.search.said(), said, "searching")
        self.assertEqual(self.place.found("ada"), [])
        is_locked[0] = False
        self.place.bus.emit_signal(None, "/org/freedesktop/ScreenSaver",
                                   "org.freedesktop.ScreenSaver", "ActiveChanged",
                                   GLib.Variant("(b)", (False,)))
        wait_until(lambda: self.place.search.said(), said, "is not locked")
        id, = self.place.wait_for_found("lovelace")
        is_locked[0], before = True, said("is locked")
        self.place.bus.emit_signal(None, "/org/freedesktop/ScreenSaver",
                                   "org.freedesktop.ScreenSaver", "ActiveChanged",
                                   GLib.Variant("(b)", (True,)))
        wait_until(lambda: self.place.search.said(), lambda: said("is locked") > before)
        self.assertEqual(self.place.shell("GetResultMetas", "(as)", [id]), ([],))
        self.place.shell("ActivateResult", "(sasu)", id, [], 0)
        self.assertEqual(self.place.matches("ada"), [])
        self.assertEqual(self.place.dialed(), [])

    def test_a_broker_that_hangs_or_is_away_gives_no_results_and_comes_back(self):
        self.place.start_search()
        self.place.broker.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.place.broker.process.send_signal, signal.SIGCONT)
        self.assertEqual(self.place.found("ada"), [])
        self.place.broker.process.send_signal(signal.SIGCONT)
        self.place.broker.kill()
        self.assertEqual(self.place.matches("ada"), [])
        self.place.broker.start()
        wait_until("results", lambda: self.place.found("lovelace"))

    def test_the_files_of_the_desktops_name_this_program(self):
        file = GLib.KeyFile()
        file.load_from_file(os.path.join(PLUGIN, "org.callbroker.search.ini"), GLib.KeyFileFlags.NONE)
        for key, value in (("BusName", NAME), ("ObjectPath", PATH), ("Version", "2"),
                           ("DesktopId", "callbroker.desktop"), ("AutoStart", "false")):
            self.assertEqual(file.get_string("Shell Search Provider", key), value)
        file.load_from_file(os.path.join(PLUGIN, "org.callbroker.search.desktop"),
                            GLib.KeyFileFlags.NONE)
        for key, value in (("Service", NAME), ("Path", PATH)):
            self.assertEqual(file.get_string("Desktop Entry", "X-Plasma-DBusRunner-" + key), value)

    def test_it_runs_as_a_plugin_that_the_broker_starts(self):
        self.place.broker.kill()
        self.place.broker.arguments = ("--plugin-dir", PLUGIN)
        with mock.patch.dict(os.environ, {name: self.place.environment[name] for name in (
                "DBUS_SESSION_BUS_ADDRESS", "HOME", "XDG_RUNTIME_DIR")}):
            self.place.broker.start()

        def results():
            try:
                return self.place.found("lovelace")
            except GLib.Error:
                return []                       # the name is not there yet
        wait_until("results", results)

    def test_nobody_is_named_in_the_log(self):
        self.place.start_search()
        for words in ("lovelace", ADA, "call lovelace"):
            for id in self.place.wait_for_found(words):
                self.place.shell("ActivateResult", "(sasu)", id, words.split(), 0)
            wait_until("it is dialed, the first time", lambda: [
                each["state"] for each in self.place.user.list_calls().result(CEILING)["calls"]
            ] == ["dialing"])
        self.place.wait_for_dialed(ADA)
        self.assertNotRegex(self.place.search.said(), "(?i)lovelace|5550100")

    def test_the_name_is_free_again_when_it_ends(self):
        self.place.start_search()
        self.place.search.stop()
        with self.assertRaisesRegex(GLib.Error, "NameHasNoOwner"):
            self.place.found("ada")


if __name__ == "__main__":
    unittest.main()
