"""A day of two hundred calls of three apps, on the virtual clock: who may ring changes, the broker is
killed in the middle, and at the end the history is what the day was, entry by entry."""
import random
import select
import shutil
import tempfile
import unittest
import uuid

from broker import CEILING, Broker
from wire import Link

CALLS = 200
# Where every manual clock begins.
START_MS = 1_767_225_600_000
REPEATED_MS = 180_000
SHORT_RING_MS = 5_000

ADA, BOB, ADVERTISER = "+15550101", "+15550102", "+19005550"
STRANGERS = ["+155502%02d" % n for n in range(40)]
APPS = ["org.example.desk", "org.example.door", "org.example.web"]


class Client:
    """A connection that asks and waits. Meanwhile every app does at once what it is asked to."""

    def __init__(self, path, others, *roles, identity=None, resume=None):
        self.link = Link(path)
        self.others = others
        others.append(self)
        self.last = 0
        members = {"protocol": {"min": 1, "max": 1}, "roles": list(roles),
                   "client": {"name": "day", "version": "1"}}
        if identity:
            members["identity"] = identity
        if resume:
            members["resume"] = resume
        self.hello = self.ask("broker.hello", **members)

    def ask(self, method, **params):
        """The result; Refused for an error."""
        self.last += 1
        self.link.send(id=self.last, method=method, params=params)
        while True:
            for client, frame in self.take():
                if client is self and frame.get("id") == self.last and "method" not in frame:
                    if "error" in frame:
                        raise Refused(frame["error"]["data"]["reason"])
                    return frame["result"]

    def take(self):
        """The frames that come next, without those that an app has answered."""
        links = {other.link: other for other in self.others}
        ready = select.select(list(links), [], [], CEILING)[0]
        if not ready:
            raise TimeoutError("the broker says nothing")
        frames = [(links[link], frame) for link in ready for frame in link.receive()]
        if self.link.is_over and not frames:
            raise ConnectionError("the broker is gone")
        return [(client, frame) for client, frame in frames if not client.perform(frame)]

    def perform(self, frame):
        if frame.get("method") != "provider.perform":
            return False
        self.link.send(id=frame["id"], result={})
        return True


class Refused(Exception):
    """The broker says no."""


class Day:
    """What happens, and what the history must say of it."""

    def __init__(self, broker, seed):
        self.broker, self.chance = broker, random.Random(seed)
        self.expected = []
        self.now_ms = START_MS
        self.tried = {}
        self.quiet = self.silent = False
        self.denied = set()
        self.apps = {}

    # MARK: The host

    def begin(self):
        self.broker.start()
        self.connect()
        # An app here reads only when it is its turn, and is silent for as long as a call lasts.
        self.user.ask("policy.set", heartbeat_ms=0)
        self.user.ask("contact.put", name="Ada", handles=[handle(ADA)], breakthrough=True)
        self.user.ask("contact.put", name="Bob", handles=[handle(BOB)])
        self.user.ask("block.add", prefix=handle("+1900"), reason="advertising")

    def connect(self, live=()):
        """Everybody comes, or comes back with the calls that they have."""
        everybody = []
        self.user = Client(self.broker.path, everybody, "controller", "admin")
        for app in APPS:
            former = self.apps.get(app)
            session = former.hello["session"] if former else None
            resume = session and {"session": session["session"], "secret": session["secret"]}
            client = Client(
                self.broker.path, everybody, "provider", identity=app, resume=resume)
            calls = [call for owner, call in live if owner == app]
            client.ask("provider.register", display_name=app[12:], handle_types=["phone"],
                       **({"calls": calls} if former else {}))
            self.apps[app] = client

    def crash(self, live):
        self.broker.kill()
        self.close()
        self.broker.start()
        self.connect(live)

    def close(self):
        for client in self.user.others:
            client.link.close()

    def wait(self, milliseconds):
        self.user.ask("test.settle", ignore=[])
        reply = self.user.ask("test.advance", ms=milliseconds)
        self.now_ms = START_MS + reply["now_ms"]

    # MARK: Calls

    def call(self):
        app = self.chance.choice(APPS)
        kinds = [self.answered] * 4 + [self.given_up] * 3 + [
            self.declined, self.missed, self.dialled, self.dialled, self.cancelled]
        self.chance.choice(kinds)(app)
        self.wait(self.chance.choice([1_000, 20_000, 100_000, 400_000]))

    def caller(self):
        return self.chance.choice([ADA, BOB, ADVERTISER, *STRANGERS[:8]])

    def ring(self, app):
        """The call, or nothing if it may not ring; who calls, and since when."""
        call, who, since = str(uuid.UUID(int=self.chance.getrandbits(128))), self.caller(), self.now_ms
        try:
            reply = self.apps[app].ask("call.report_incoming", call=call, remote=handle(who))
        except Refused as refusal:
            self.note_refused(app, who, since, str(refusal))
            return None, who, since
        self.assert_rings(app, who, since, reply["presentation"])
        return call, who, since

    def verdict(self, app, who, at_ms):
        """What must become of a call, in the order of rule 32."""
        if app in self.denied:
            return "unentitled"
        if who.startswith("+1900"):
            return "block_list"
        if who == ADA:
            return "ring"
        if self.quiet and at_ms - self.tried.get(who, -10 ** 12) > REPEATED_MS:
            return "do_not_disturb"
        return "silent" if self.silent and who != BOB else "ring"

    def note_refused(self, app, who, since, reason):
        if self.verdict(app, who, since) != reason:
            raise AssertionError(f"{app} {who}: {reason}, not {self.verdict(app, who, since)}")
        if reason == "unentitled":
            return
        missed = ["do_not_disturb"] if reason == "do_not_disturb" else []
        by = {"filtered_by": "block_list"} if reason == "block_list" else {}
        self.note(app, "incoming", who, since, None, "filtered", missed, **by)

    def assert_rings(self, app, who, since, presentation):
        if self.verdict(app, who, since) != presentation:
            raise AssertionError(f"{app} {who}: {presentation}, not {self.verdict(app, who, since)}")
        self.is_silent = presentation == "silent"

    def note(self, app, direction, who, since, connected, reason, missed=(), **more):
        """An entry of the history as it must be."""
        if direction == "incoming" and connected is None:
            self.tried[who] = since
        name = {ADA: "Ada", BOB: "Bob"}.get(who)
        entry = {"provider": app, "provider_name": app[12:], "direction": direction,
                 "remote": handle(who), "has_video": False, "started_at_ms": since,
                 "ended_at_ms": self.now_ms, "end_reason": reason,
                 "duration_ms": self.now_ms - connected if connected is not None else 0, **more}
        if name:
            entry.update(name=name, label_source="contacts")
        if connected is not None:
            entry["connected_at_ms"] = connected
        entry["missed"] = bool(missed)
        if missed:
            entry["missed_reasons"] = sorted(missed)
        self.expected.append(entry)

    def by_filter(self):
        return {"filtered_by": "unknown_callers"} if self.is_silent else {}

    def answered(self, app):
        call, who, since = self.ring(app)
        if not call:
            return
        by = self.by_filter()
        self.wait(self.chance.randint(1_000, 20_000))
        self.user.ask("call.answer", call=call, wait="completed")
        self.talk(app, call, "incoming", who, since, by)

    def talk(self, app, call, direction, who, since, by):
        connected = self.now_ms
        self.wait(self.chance.randint(1_000, 600_000))
        if self.chance.random() < 0.5:
            self.user.ask("call.end", call=call, wait="completed")
            reason = "local_ended"
        else:
            self.apps[app].ask("call.report_ended", call=call, reason="remote_ended")
            reason = "remote_ended"
        self.note(app, direction, who, since, connected, reason, **by)

    def given_up(self, app):
        call, who, since = self.ring(app)
        if not call:
            return
        by, missed = self.by_filter(), ["caller_gave_up"]
        if self.is_silent:
            missed.append("silenced")
        self.wait(self.chance.randint(1_000, 30_000))
        if self.now_ms - since < SHORT_RING_MS:
            missed.append("short_ring")
        self.apps[app].ask("call.report_ended", call=call, reason="remote_ended")
        self.note(app, "incoming", who, since, None, "remote_ended", missed, **by)

    def declined(self, app):
        call, who, since = self.ring(app)
        if not call:
            return
        by = self.by_filter()
        self.wait(2_000)
        self.user.ask("call.end", call=call, wait="completed")
        self.note(app, "incoming", who, since, None, "declined", **by)

    def missed(self, app):
        if app in self.denied:
            return
        who, since = self.chance.choice(STRANGERS), self.now_ms
        self.apps[app].ask(
            "call.report_missed", call=str(uuid.UUID(int=self.chance.getrandbits(128))),
            remote=handle(who), reason="caller_gave_up", at_ms=since)
        self.note(app, "incoming", who, since, None, "unanswered", ["caller_gave_up"])

    def dial(self, app, who):
        reply = self.user.ask(
            "call.start", provider=app, remote=handle(who), wait="completed")
        return reply["actions"][0]["call"]

    def dialled(self, app):
        if app in self.denied:
            return
        who, since = self.caller(), self.now_ms
        call = self.dial(app, who)
        self.wait(3_000)
        self.apps[app].ask("call.report_connected", call=call)
        self.talk(app, call, "outgoing", who, since, {})

    def cancelled(self, app):
        if app in self.denied:
            return
        who, since = self.caller(), self.now_ms
        call = self.dial(app, who)
        self.wait(3_000)
        self.user.ask("call.end", call=call, wait="completed")
        self.note(app, "outgoing", who, since, None, "cancelled")

    def survives(self):
        """A call goes on while the broker is killed."""
        app, who, since = APPS[0], BOB, self.now_ms
        call = self.dial(app, who)
        self.apps[app].ask("call.report_connected", call=call)
        connected = self.now_ms
        self.wait(7_000)
        self.crash([(app, {"call": call, "direction": "outgoing", "state": "active",
                           "remote": handle(who)})])
        self.wait(60_000)
        self.apps[app].ask("call.report_ended", call=call, reason="remote_ended")
        self.note(app, "outgoing", who, since, connected, "remote_ended")

    # MARK: The user

    def change(self, step):
        """What the user changes in the course of the day."""
        changes = {
            40: lambda: self.set_quiet(True), 70: lambda: self.set_quiet(False),
            80: lambda: self.set_silent("silence"), 120: lambda: self.set_silent("ring"),
            100: self.survives, 130: lambda: self.authorize("denied"),
            150: lambda: self.authorize("authorized"), 170: lambda: self.set_quiet(True)}
        changes.get(step, lambda: None)()

    def set_quiet(self, is_on):
        self.user.ask("policy.set", do_not_disturb={"on": is_on})
        self.quiet = is_on

    def set_silent(self, word):
        self.user.ask("policy.set", unknown_callers=word)
        self.silent = word == "silence"

    def authorize(self, word):
        self.user.ask("policy.set", authorization={APPS[2]: word})
        self.denied = {APPS[2]} if word == "denied" else set()

    # MARK: The history

    def history(self):
        entries, after = [], {}
        while True:
            page = self.user.ask("history.list", **after)
            entries += page["entries"]
            if "next" not in page:
                return [{name: entry[name] for name in entry
                         if name not in ("entry", "call", "end_cause", "seen")}
                        for entry in entries], page["missed"]
            after = {"after": page["next"]}


def handle(number):
    return {"type": "phone", "value": number}


class DayTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="callbroker-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.broker = Broker(folder, "--test-mode")
        self.addCleanup(self.broker.stop)

    def lived(self, seed):
        day = Day(self.broker, seed)
        day.begin()
        self.addCleanup(day.close)
        for step in range(CALLS):
            day.change(step)
            day.call()
        day.user.ask("test.settle", ignore=[])
        return day

    def test_the_history_is_what_the_day_was(self):
        day = self.lived(1)
        found, missed = day.history()
        for entry in found:
            if "missed_reasons" in entry:
                entry["missed_reasons"].sort()
        # Entries of one moment have no order of their own.
        def key(entry):
            return entry["started_at_ms"], entry["remote"]["value"]
        self.maxDiff = None
        self.assertEqual(sorted(found, key=key), sorted(day.expected, key=key))
        self.assertEqual(found, sorted(found, key=lambda e: -e["ended_at_ms"]))
        self.assertEqual(missed, sum("missed_reasons" in e for e in day.expected))
        reasons = {e["end_reason"] for e in found} | {e.get("filtered_by") for e in found}
        self.assertLessEqual({"filtered", "declined", "cancelled", "block_list", "unknown_callers"},
                             reasons)
        self.assertGreater(len(found), 150)

    def test_it_is_still_there_after_another_crash(self):
        day = self.lived(2)
        before = day.history()
        day.crash([])
        self.assertEqual(day.history(), before)
        self.assertEqual(day.user.ask("history.mark_seen")["marked"], before[1])
        self.assertEqual(day.history()[1], 0)


if __name__ == "__main__":
    unittest.main()
