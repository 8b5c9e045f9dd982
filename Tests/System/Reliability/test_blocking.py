"""The loop never waits for anything but events: strace writes down what its thread calls, while
everything happens that could make it wait, and nothing of it may be a call that blocks."""
import json
import os
import re
import select
import shutil
import signal
import tempfile
import unittest
import uuid

import faults
from broker import Broker
from clients import PROTOCOL
from wire import Link

REMOTE = {"type": "phone", "value": "+15550100"}
PATIENCE_SECONDS = 60
# Changes of a call: more than the journal takes before it begins anew, which it does when it has grown by 1 MiB.
TURNS_MAX = 40_000

# Calls that wait for a disk, for a time, or for somebody. A thread that makes another one waits for it
# in `futex` and `clone3`, and only as long as that takes to begin.
ALWAYS = {"fsync", "fdatasync", "sync", "syncfs", "sync_file_range", "msync", "nanosleep",
          "clock_nanosleep", "pause", "rt_sigsuspend", "rt_sigtimedwait", "connect", "fallocate", "ftruncate",
          "rename", "renameat", "renameat2", "unlink", "unlinkat", "pwritev", "writev"}
# With these arguments only.
UNLESS = {
    "poll": r", 0\)", "ppoll": r"tv_sec=0, tv_nsec=0", "select": r"tv_sec=0, tv_usec=0",
    "pselect6": r"tv_sec=0, tv_nsec=0",
    "wait4": r"WNOHANG", "waitid": r"WNOHANG", "flock": r"LOCK_NB|LOCK_UN",
}
WHEN = {"fcntl": r"F_SETLKW|F_OFD_SETLKW", "openat": r"O_SYNC|O_DSYNC"}
CALL = re.compile(r"(\w+)\((.*)$")

PLUGIN = {"manifest": 1, "identity": "org.example.plugin", "roles": ["provider"], "start": "boot",
          "transport": "stdio", "handshake": "implicit", "exec": ["/bin/cat"],
          "provider": {"handle_types": ["phone"]}, "stop_timeout_ms": 500,
          "options": [{"option": "volume", "type": "int", "default": 1, "description": "how loud"}]}


def blocks(name, rest):
    """Whether a call that strace has written down may have waited."""
    if name in UNLESS:
        return not re.search(UNLESS[name], rest)
    return name in ALWAYS or bool(name in WHEN and re.search(WHEN[name], rest))


def blocking_calls(lines, thread):
    """What a thread called, between being ready and the end, that may have waited."""
    found, serves = [], False
    for one, line, is_over in faults.calls(lines):
        call = CALL.match(line)
        if one != str(thread) or not call or not is_over:
            continue
        if "READY=1" in line:
            serves = True
        elif "STOPPING=1" in line:
            break
        elif serves and blocks(call[1], call[2]):
            found.append(f"{one} {line}"[:200])
    return serves, found


class Client(Link):
    """Asks, and waits for the reply."""

    def __init__(self, path, *roles, identity=None):
        super().__init__(path)
        self.last_id = 0
        self.ask("broker.hello", protocol=PROTOCOL, roles=roles,
                 client={"name": "blocking", "version": "1"},
                 **({"identity": identity} if identity else {}))

    def ask(self, method, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        while True:
            if not select.select([self], [self] if self.backlog else [], [], PATIENCE_SECONDS)[0]:
                if not self.backlog:
                    raise AssertionError(f"{method} is not answered")
            self.flush()
            for frame in self.receive():
                if frame.get("method") == "provider.perform":
                    self.send(id=frame["id"], result={})
                elif frame.get("id") == self.last_id and "method" not in frame:
                    return frame
            if self.is_over:
                raise AssertionError("the connection was closed")

    def result(self, method, **params):
        reply = self.ask(method, **params)
        if "result" not in reply:
            raise AssertionError(f"{method} is answered {reply}")
        return reply["result"]


class RecognitionTests(unittest.TestCase):
    """The test can fail."""

    def found(self, *lines):
        return blocking_calls(
            ['7 sendto(3, "READY=1", 7, 0, NULL, 0) = 7', *lines], 7)[1]

    def test_a_sync_of_the_loop_is_found(self):
        self.assertEqual(self.found("7 fdatasync(9) = 0"), ["7 fdatasync(9) = 0"])

    def test_that_of_another_thread_is_none(self):
        self.assertEqual(self.found("8 fdatasync(9) = 0"), [])

    def test_waits_are_found_by_their_arguments(self):
        self.assertEqual(len(self.found(
            "7 poll([{fd=3, events=POLLIN}], 1, -1) = 1", "7 flock(5, LOCK_EX) = 0",
            "7 wait4(9, NULL, 0, NULL) = 9")), 3)
        self.assertEqual(self.found(
            "7 poll([{fd=3, events=POLLIN}], 1, 0) = 0", "7 flock(5, LOCK_EX|LOCK_NB) = 0",
            "7 wait4(9, NULL, WNOHANG, NULL) = 0"), [])

    def test_a_call_in_two_lines_is_one(self):
        self.assertEqual(self.found(
            "7 wait4(9, NULL,  <unfinished ...>", "8 fsync(4) = 0", "7 <... wait4 resumed>WNOHANG, NULL) = 9",
            "7 fsync( <unfinished ...>", "8 read(4) = 0", "7 <... fsync resumed>4) = 0"), ["7 fsync(4) = 0"])

    def test_what_comes_before_or_after_it_serves_is_none(self):
        serves, found = blocking_calls(["7 fsync(4) = 0"], 7)
        self.assertFalse(serves)
        self.assertEqual(found, [])
        self.assertEqual(self.found('7 sendto(3, "STOPPING=1", 10, 0, NULL, 0) = 10',
                                    "7 fsync(4) = 0"), [])


class BlockingTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="callbroker-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        plugins = os.path.join(self.folder, "plugins")
        os.makedirs(plugins)
        with open(os.path.join(plugins, PLUGIN["identity"] + ".plugin.json"), "w", encoding="ascii") as file:
            json.dump(PLUGIN, file)
        self.broker = Broker(self.folder, "--plugin-dir", plugins, environment={
            "XDG_CONFIG_HOME": os.path.join(self.folder, "config")})
        self.broker.wrapper = faults.strace(self.folder, "-s", "64", "-e", "signal=none")
        self.broker.start()
        self.addCleanup(self.broker.stop)

    def client(self, *roles, **more):
        client = Client(self.broker.path, *roles, **more)
        self.addCleanup(client.close)
        return client

    def test_no_call_of_the_loop_blocks(self):
        app = self.client("provider", "controller", identity="org.example.app")
        app.result("provider.register", display_name="App", handle_types=["phone"])
        user = self.client("controller", "observer", "admin")
        user.result("events.subscribe", topics=["*"])
        self.live(app)
        self.choose(user)
        self.keep(user)
        self.assertTrue(self.fill(app, user), "the journal has not begun anew")
        self.assertEqual(self.broker.kill(signal.SIGTERM), 0)
        with open(os.path.join(self.folder, "trace"), encoding="utf-8", errors="replace") as file:
            serves, found = blocking_calls(file, self.broker.pid)
        self.assertTrue(serves)
        self.assertEqual(found, [])

    def live(self, app):
        """Calls come, talk and go."""
        for _ in range(50):
            call = str(uuid.uuid4())
            app.result("call.report_incoming", call=call, remote=REMOTE)
            app.ask("call.answer", call=call)
            app.result("call.report_ended", call=call, reason="remote_ended")

    def choose(self, user):
        """What the user chooses is on the disk when that is said."""
        for number in range(20):
            user.result("policy.set", button_active=("end", "mute")[number % 2])
            user.result("plugin.set_option", plugin=PLUGIN["identity"], option="volume", value=number)
        for method in ("disable", "enable", "restart"):
            user.result(f"plugin.{method}", plugin=PLUGIN["identity"])
        user.result("plugin.rescan")

    def keep(self, user):
        """What is kept in the store."""
        user.result("block.add", handle=REMOTE)
        user.result("history.list")
        user.result("block.remove", handle=REMOTE)

    def fill(self, app, user):
        """Changes a call until the journal has begun anew, with long names; whether it has."""
        call, size = str(uuid.uuid4()), 0
        app.result("call.report_incoming", call=call, remote=REMOTE)
        for number in range(TURNS_MAX):
            app.result("call.report_update", call=call, display_name=f"{number} " + "x" * 100)
            if number % 100 == 0:
                former, size = size, user.result("broker.info")["journal"]["bytes"]
                if size < former:
                    app.result("call.report_ended", call=call, reason="failed")
                    return True
        return False


if __name__ == "__main__":
    unittest.main()
