"""Programs of the user, run by the plugin with the events of a real broker."""
import json
import os
import re
import signal
import socket
import unittest
from pathlib import Path
from unittest import mock

from hook_bench import APP, CEILING, NAME, NUMBER, PLUGIN, Admin, Bench, wait_until

from folders import Folders  # noqa: E402
from happenings import VARIABLES, Namer  # noqa: E402
from hooks import DEFAULTS  # noqa: E402


class HookTests(unittest.TestCase):
    def setUp(self):
        self.bench = Bench(self)

    def test_a_program_receives_the_event_as_json_and_in_variables(self):
        file = self.bench.recorder("call.added")
        self.bench.start()
        call = self.bench.incoming()
        (words, event, _), = self.bench.received(file, 1)
        self.assertEqual(words["CALL_ID"], call)
        self.assertEqual(
            [words["CALL_" + name] for name in (
                "EVENT", "TOPIC", "STATE", "PROVIDER", "DIRECTION", "REMOTE", "NAME")],
            ["call.added", "call.added", "ringing", APP, "incoming", NUMBER, NAME])
        self.assertEqual((event["event"], event["call"]), ("call.added", call))
        self.assertEqual(event["data"]["remote"], {"type": "phone", "value": NUMBER})

    def test_a_call_has_names_for_people_at_each_turn(self):
        files = [self.bench.recorder("call." + name)
                 for name in ("ringing", "answered", "ended", "missed")]
        self.bench.start()
        call = self.bench.answered()
        self.bench.user.set_held(call, True, wait="completed").result(CEILING)
        self.bench.user.set_held(call, False, wait="completed").result(CEILING)
        self.bench.end(call)
        missed = self.bench.incoming()
        self.bench.app.report_ended(missed, "unanswered").result(CEILING)
        words = [[each[0] for each in self.bench.received(file, count)]
                 for file, count in zip(files, (2, 1, 2, 1))]
        self.assertEqual([[each["CALL_ID"] for each in row] for row in words],
                         [[call, missed], [call], [call, missed], [missed]])
        self.assertEqual(words[2][0]["CALL_REASON"], "local_ended")
        self.assertIn("unanswered", words[3][0]["CALL_MISSED"].split(","))

    def test_a_pattern_gets_every_topic_once_and_no_second_name(self):
        file = self.bench.recorder("call.*")
        last = self.bench.recorder("host.presence")
        self.bench.start()
        self.bench.received(last, 1)            # before the call, that it is free
        call = self.bench.incoming()
        self.bench.app.report_ended(call, "unanswered").result(CEILING)
        self.bench.received(last, 3)
        wait_until(lambda: self.bench.lines(file), lambda: any(
            '"call.removed"' in line for line in self.bench.lines(file)))
        topics = [words["CALL_EVENT"] for words, _, _ in self.bench.received(file, 3)]
        self.assertEqual([topic for topic in topics if topic != "call.allowed_changed"],
                         ["call.added", "call.changed", "call.removed"])

    def test_the_presence_comes_at_the_start_and_when_it_changes(self):
        file = self.bench.recorder("host.presence")
        self.bench.start()
        self.bench.received(file, 1)            # it asks when it begins to follow
        call = self.bench.answered()
        self.bench.end(call)
        states = [words["CALL_STATE"] for words, _, _ in self.bench.received(file, 4)]
        self.assertEqual(states, ["free", "ringing", "in_call", "free"])

    def test_the_programs_of_an_event_start_in_the_order_of_their_names(self):
        for event, name in (("call.added", "30-c"), ("call.*", "10-a"), ("*", "20-b"),
                            ("call.added", ".hidden"), ("host.*", "00-other")):
            self.bench.shell(event, name, "exit 0")
        plugin = self.bench.start()
        self.bench.incoming()
        for name in ("call.added.d/30-c", "call.*.d/10-a", "*.d/20-b"):
            plugin.wait_for(name + " has succeeded")
        added, = Namer().happenings({"topic": "call.added", "data": {}})
        self.assertEqual([path.name for path in Folders(Path(self.bench.hooks)).hooks(added)],
                         ["10-a", "20-b", "30-c"])

    def test_a_new_program_needs_no_restart_and_a_removed_one_does_not_run(self):
        presence = self.bench.recorder("host.presence")
        self.bench.start()
        self.bench.received(presence, 1)
        self.bench.end(self.bench.answered())
        self.bench.received(presence, 4)        # it has seen all of that call
        file = self.bench.recorder("call.ringing")
        first = self.bench.incoming()
        self.bench.received(file, 1)
        os.remove(self.bench.path("call.ringing", "record"))
        witness = self.bench.recorder("call.ended", "witness")
        self.bench.end(first)
        self.bench.incoming()
        self.bench.received(witness, 1)
        self.assertEqual(len(self.bench.lines(file)), 1)

    def test_files_that_others_may_have_written_are_refused_with_a_message_once(self):
        ran = os.path.join(self.bench.folder, "ran")
        open_to_all = self.bench.shell("call.ringing", "open", f"touch {ran}")
        os.chmod(open_to_all, 0o777)
        foreign = self.bench.shell("call.ringing", "foreign", f"touch {ran}")
        os.chown(foreign, 65534, 65534)
        self.bench.write("call.ringing", "plain", "no program", 0o644)
        file = self.bench.recorder("call.ringing", "zz")
        plugin = self.bench.start()
        for count in (1, 2):
            self.bench.app.report_ended(self.bench.incoming(), "unanswered").result(CEILING)
            self.bench.received(file, count)
        self.assertFalse(os.path.exists(ran))
        for words in ("open is refused: everybody may write it; use chmod o-w",
                      "foreign is refused: it belongs to another user",
                      "plain is refused: it is not executable; use chmod +x"):
            self.assertEqual(plugin.said().count(words), 1, plugin.said())

    def test_a_folder_that_others_may_write_is_refused(self):
        file = self.bench.recorder("call.ringing")
        os.chmod(os.path.dirname(self.bench.path("call.ringing", "record")), 0o777)
        plugin = self.bench.start()
        self.bench.incoming()
        plugin.wait_for("call.ringing.d is refused: everybody may write it")
        self.assertEqual(self.bench.lines(file), [])


class EndTests(unittest.TestCase):
    """Programs that fail, hang, or leave something behind."""

    def setUp(self):
        self.bench = Bench(self)

    def test_a_program_that_fails_is_reported_with_its_status_and_its_signal(self):
        self.bench.shell("call.ringing", "fails", "exit 3")
        self.bench.shell("call.ringing", "dies", "kill -SEGV $$")
        self.bench.write("call.ringing", "broken", "#!/no/such/program\n")
        plugin = self.bench.start()
        self.bench.incoming()
        plugin.wait_for("call.ringing.d/fails has failed: exit status 3")
        plugin.wait_for("call.ringing.d/dies was killed by SIGSEGV")
        plugin.wait_for("call.ringing.d/broken cannot be run: No such file or directory")

    def test_a_program_that_hangs_is_stopped_with_its_children_and_holds_up_no_other(self):
        lock = os.path.join(self.bench.folder, "lock")
        self.bench.shell("call.ringing", "10-hangs", f"""
            trap '' TERM
            flock -n {lock} sh -c 'trap "" TERM; sleep 1000' &
            wait; wait""")
        file = self.bench.recorder("call.ringing", "20-record")
        plugin = self.bench.start("--seconds", "5")
        self.bench.incoming()
        self.bench.received(file, 1)
        plugin.wait_for("10-hangs has not ended within 5 s and was stopped")
        wait_until("no child is left", lambda: self.is_free(lock))

    def test_what_a_program_leaves_in_the_background_ends_with_it(self):
        lock = os.path.join(self.bench.folder, "lock")
        self.bench.shell("call.ringing", "forks", f"flock {lock} sleep 1000 & exit 0")
        plugin = self.bench.start()
        self.bench.incoming()
        plugin.wait_for("call.ringing.d/forks has succeeded")
        wait_until("no child is left", lambda: self.is_free(lock))

    def is_free(self, lock):
        return os.system(f"flock -n {lock} true") == 0

    def test_output_is_logged_in_bounds_and_without_people(self):
        self.bench.shell("call.ringing", "talks", "echo \"$CALL_NAME calls from $CALL_REMOTE\"\n"
                         "head -c 3000000 /dev/zero | tr '\\0' x")
        plugin = self.bench.start()
        self.bench.incoming()
        plugin.wait_for("call.ringing.d/talks has succeeded")
        said = plugin.said()
        self.assertIn("call.ringing.d/talks: … calls from …", said)
        self.assertTrue(1_000 < said.count("x") < 8_000, said.count("x"))
        self.assertNotIn(NAME, said)
        self.assertNotIn(NUMBER, said)

    def test_beyond_its_queue_the_oldest_events_are_dropped_and_counted(self):
        gate = os.path.join(self.bench.folder, "gate")
        os.mkfifo(gate)
        done = os.path.join(self.bench.folder, "done")
        self.bench.shell("call.ringing", "slow", f"read go <{gate}; echo $CALL_ID >>{done}")
        witness = self.bench.recorder("call.ended")
        plugin = self.bench.start("--queue", "2", "--seconds", "60")
        calls = []
        for count in range(1, 6):
            calls.append(self.bench.incoming())
            self.bench.app.report_ended(calls[-1], "unanswered").result(CEILING)
            self.bench.received(witness, count)
        plugin.wait_for("slow is slow: more than 2 events wait")
        for count in range(1, 4):
            with open(gate, "w", encoding="utf-8") as go:
                go.write("go\n")
            wait_until("one is done", lambda count=count: len(self.bench.lines(done)) == count)
        plugin.wait_for("call.ringing.d/slow has missed 2 events")
        self.assertEqual(self.bench.lines(done), [calls[0], calls[3], calls[4]])

    def test_the_plugin_ends_with_its_programs(self):
        lock = os.path.join(self.bench.folder, "lock")
        begun = os.path.join(self.bench.folder, "begun")
        self.bench.shell("call.ringing", "long",
                         f"exec flock {lock} sh -c 'touch {begun}; exec sleep 1000'")
        plugin = self.bench.start("--seconds", "1000")
        self.bench.incoming()
        wait_until("it runs", lambda: os.path.exists(begun))
        plugin.process.send_signal(signal.SIGTERM)
        self.assertEqual(plugin.wait(), 0, plugin.said())
        wait_until("it has ended", lambda: self.is_free(lock))


class SettingTests(unittest.TestCase):
    def setUp(self):
        self.bench = Bench(self)

    def test_redacted_events_have_no_people(self):
        file = self.bench.recorder("call.changed")
        self.bench.start("--redacted")
        self.bench.answered()
        words, event, _ = self.bench.received(file, 1)[0]
        self.assertEqual((words["CALL_REMOTE"], words["CALL_NAME"]), ("", ""))
        self.assertEqual(event["data"]["direction"], "incoming")
        for line in self.bench.lines(file):
            self.assertNotIn(NUMBER, line)
            self.assertNotIn(NAME, line)

    def test_programs_get_no_options_and_no_credentials_of_the_plugin(self):
        file = os.path.join(self.bench.folder, "variables")
        self.bench.shell("call.ringing", "env", f"env >{file}~; mv {file}~ {file}")
        self.bench.start(BROKER_OPTIONS="{}", CREDENTIALS_DIRECTORY="/run/x", DISPLAY=":7")
        self.bench.incoming()
        wait_until("its variables", lambda: os.path.exists(file))
        names = {line.split("=")[0] for line in self.bench.lines(file)}
        self.assertFalse(names & {"BROKER_OPTIONS", "CREDENTIALS_DIRECTORY"})
        self.assertLessEqual({"DISPLAY", "HOME", "PATH", "CALL_ID"}, names)

    def test_what_happens_while_the_broker_restarts_is_made_up_for(self):
        file = self.bench.recorder("call.ended")
        plugin = self.bench.start()
        call = self.bench.incoming()
        plugin.process.send_signal(signal.SIGSTOP)
        self.bench.broker.kill()
        self.bench.broker.start()               # the app comes back without its call, which ends
        wait_until("the call is over", self.bench.has_no_calls)
        plugin.process.send_signal(signal.SIGCONT)
        (words, _, _), = self.bench.received(file, 1)
        self.assertEqual(words["CALL_ID"], call)
        self.assertNotIn("events were missed", plugin.said())

    def test_the_broker_is_as_quick_beside_a_program_that_hangs(self):
        self.bench.shell("call.*", "hangs", "exec sleep 1000")
        plugin = self.bench.start()
        for _ in range(20):
            self.bench.app.report_ended(self.bench.incoming(), "unanswered").result(CEILING)
        self.assertIsNone(plugin.process.poll())
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(CEILING)
            connection.connect(self.bench.broker.path)
            connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"broker.ping"}\n')
            self.assertIn(b'"result"', connection.recv(4096))

    def test_the_page_and_the_manifest_have_the_variables_and_options_that_there_are(self):
        with open(os.path.join(PLUGIN, "README.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(re.findall(r"^\| `CALL_(\w+)` \|", page, re.MULTILINE),
                         [name.upper() for name in VARIABLES])
        with open(os.path.join(PLUGIN, "org.callbroker.hooks.plugin.json"), "rb") as file:
            options = {each["option"]: each["default"] for each in json.load(file)["options"]}
        self.assertEqual(options, DEFAULTS)
        for option, value in DEFAULTS.items():
            self.assertRegex(page, rf"\| `{option}` \| `?{str(value).lower()}`? \|")

    def test_as_a_plugin_it_is_started_by_the_broker_with_the_options_of_the_user(self):
        file = self.bench.recorder("call.ringing")
        presence = self.bench.recorder("host.presence")
        with mock.patch.dict(os.environ, HOME=self.bench.folder, XDG_CONFIG_HOME=self.bench.folder):
            self.bench.broker.kill()
            self.bench.broker.arguments = ("--plugin-dir", PLUGIN)
            self.bench.broker.start()
        admin = self.bench.entered(Admin("admin", socket=self.bench.broker.path))
        self.bench.received(presence, 1)
        admin.plugin("set_option", plugin="org.callbroker.hooks", option="redacted",
                     value=True).result(CEILING)
        self.bench.received(presence, 2)        # of the process that has the option
        self.bench.incoming()
        (words, _, _), = self.bench.received(file, 1)
        self.assertEqual((words["CALL_STATE"], words["CALL_REMOTE"]), ("ringing", ""))


if __name__ == "__main__":
    unittest.main()
