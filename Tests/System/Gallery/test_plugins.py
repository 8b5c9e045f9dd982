"""No provider of this folder, run by the daemon itself, costs a good provider a single call."""
import contextlib
import json
import os
import threading
import time
import unittest

from stage import CEILING, Stage
from test_check import HERE, faulty_providers

from callbroker import BrokerError, new_id, phone

# Of the good provider, between one thing that is done to the others and the next.
CALLS = 40
# What a person may do to a plugin, whatever state it is in.
VERBS = ("restart", "stop", "start", "disable", "enable")


class GoodCalls(threading.Thread):
    """One short call after the other at the good provider, for which the first one is held."""

    def __init__(self, user, good, first):
        super().__init__()
        self.user, self.good, self.first = user, good, first
        self.done, self.lost = 0, []
        self.must_end = False

    def run(self):
        while not self.must_end:
            try:
                self.call_once()
                self.done += 1
            except Exception as error:  # pylint: disable=broad-except
                self.lost.append(error)
                return

    def call_once(self):
        call = new_id()
        self.good.report_incoming(call, phone("+15550101")).result()
        for verb, members in (("call.answer", {"choice": "hold_and_answer"}), ("call.set_muted", {"muted": True}),
                              ("call.end", {})):
            reply = self.user.request(
                verb, {"call": call, "wait": "completed", **members}).result()
            states = [action["state"] for action in reply["actions"]]
            if set(states) != {"fulfilled"}:
                raise AssertionError(f"{verb}: {reply}")
        while self.first_state() != "active":
            pass                                # it comes back from hold: each answer is a turn

    def first_state(self):
        return self.user.request("call.get", {"call": self.first}).result()["state"]

    def go_on(self, count):
        """Waits until there were so many more, or one is lost."""
        goal, end = self.done + count, time.monotonic() + CEILING
        while self.done < goal and not self.lost and time.monotonic() < end:
            time.sleep(0.01)

    def finish(self):
        self.must_end = True
        self.join(CEILING)


class PluginsTests(Stage):
    """All of them at once, under supervision, while calls go on beside them."""

    def options(self):
        plugins = os.path.join(self.folder, "plugins")
        os.mkdir(plugins)
        for name in (*faulty_providers(), "honest"):
            self.describe(name, plugins)
        return "--plugin-dir", plugins, "--state-dir", os.path.join(self.folder, "state")

    def describe(self, name, plugins):
        identity = "org.gallery." + name.replace("_", "-")
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        with open(os.path.join(plugins, identity + ".plugin.json"), "w", encoding="utf-8") as file:
            json.dump({
                "manifest": 1, "identity": identity, "roles": ["provider"],
                "exec": [os.path.join(HERE, name + ".py")], "transport": "connect",
                "start": "boot", "restart": "always", "stop_timeout_ms": 1000,
                "env": {"GALLERY_IDENTITY": identity, "XDG_RUNTIME_DIR": folder}}, file)

    def plugins(self):
        return {one["plugin"]: one for one in self.user.plugin("list").result()["plugins"]}

    def wait_for(self, identity, state, **members):
        """In that state, with these members, and there to stay."""
        end, members = time.monotonic() + CEILING, {"state": state, **members}
        while not members.items() <= (row := self.plugins()[identity]).items() or row.get("stopping"):
            self.assertLess(time.monotonic(), end, f"{identity} is never {state}: {row}")
            time.sleep(0.01)
        return row

    def test_not_one_call_is_lost(self):
        honest = self.wait_for("org.gallery.honest", "ready")
        calls = GoodCalls(self.user, self.good, self.call)
        calls.start()
        self.addCleanup(calls.finish)
        processes = set()
        for verb in VERBS:
            calls.go_on(CALLS)
            for identity, row in self.plugins().items():
                processes.add(self.born(row.get("pid")))
                if identity == "org.gallery.honest":
                    continue
                try:
                    self.user.plugin(verb, plugin=identity).result()
                except BrokerError:
                    pass                        # it is not in a state for that
            self.expect_that_all_is_well()
        os.kill(honest["pid"], 9)
        again = self.wait_for("org.gallery.honest", "ready", starts=honest["starts"] + 1)
        self.assertEqual(again["exit"], {"signal": 9})
        self.wait_for("org.gallery.dies-on-start", "failed")
        self.wait_for("org.gallery.ignores-sigterm", "ready")
        self.user.plugin("stop", plugin="org.gallery.ignores-sigterm").result()
        row = self.wait_for("org.gallery.ignores-sigterm", "stopped")
        self.assertEqual(row["exit"], {"signal": 9})
        calls.go_on(CALLS)
        calls.finish()
        self.assertEqual(calls.lost, [])
        self.assertGreaterEqual(calls.done, CALLS * (len(VERBS) + 1))
        rows = self.plugins()
        self.assertEqual(len(rows), len(faulty_providers()) + 1)
        self.assertGreater(sum(row["starts"] > 1 for row in rows.values()), 40)
        processes |= {self.born(row.get("pid")) for row in rows.values()}
        self.daemon.terminate()
        self.daemon.wait(CEILING)
        for process in processes - {None}:
            self.assertFalse(self.lives(process), f"{process[0]} is left")

    @staticmethod
    def born(pid):
        """A process, by its number, which may come again, and the time of its start; None if it is over or
        only waits for its inheritor."""
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
            return None if fields[0] == "Z" else (pid, fields[19])
        return None

    def lives(self, process):
        """Whether it goes on after a moment."""
        end = time.monotonic() + 10
        while self.born(process[0]) == process:
            if time.monotonic() > end:
                return True
            time.sleep(0.01)
        return False


if __name__ == "__main__":
    unittest.main()
