"""Apps, users and observers around one broker. Everything that happens by chance follows from the
seed, but for who of two processes is faster; so a seed gives the same load, not the same order."""
import collections
import json
import random
import select
import time
import uuid

from apps import App
from broker import CEILING
from clients import Auditor, Observer
from history import DERIVED, LIVE, History
from users import Landlord, User
from wire import Meter

# What the broker tells everybody when it can keep nothing. Its journal begins anew later.
WARNING = "warned: journal_failed"
TEXTS_MAX = 3
# What apps do while the broker hangs, and how much of it waits for replies.
UNREAD_MAX = 60
UNREAD_OF_AN_APP = 8
CLOCK_MS = 5
# How often all may look settled while something is on its way still.
RESTS_MAX = 20
LISTED = {"waiting": "ringing", "connecting": "dialing"}


class World:
    """Lives until it is told to come to rest; what it finds wrong is in `complaints`."""

    WAITING_MAX = 24

    def __init__(self, broker, seed, apps=4, users=4):
        self.broker, self.seed = broker, seed
        self.chance = random.Random(seed)
        self.meter = Meter()
        self.counts = collections.Counter()
        self.complaints = collections.defaultdict(list)
        self.history = History(self.complain)
        self.acknowledged, self.acknowledged_by = {}, {}
        self.numbers = 0
        # The number of the last event that anybody saw before the broker died.
        self.floor = 0
        # Events after this number must be told again: the broker began a journal with it. None if
        # nobody knows when it did.
        self.replayable = self.started = None
        # Seconds from each start of the program to the first hello that it answered.
        self.starts = []
        self.actions = collections.defaultdict(set)
        self.beside = []
        # Seconds after which a broker that says nothing is given up.
        self.patience = CEILING
        self.apps = [App(self, f"app{n}") for n in range(apps)]
        self.users = [Landlord(self, "landlord")] + [User(self, f"user{n}") for n in range(users)]
        self.auditor = Auditor(self)
        self.watchers = [Observer(self, "all", ["*"]), Observer(self, "calls", ["call.*"]),
                         Observer(self, "actions", ["action.*", "host.changed"])]
        self.clients = [self.auditor, *self.watchers, *self.apps, *self.users]

    # What clients tell it.

    def complain(self, kind, text):
        self.complaints[kind].append(f"[{self.meter.count}] {text}")

    def count(self, what):
        self.counts[what] += 1

    def acknowledge(self, *fact, seq=None):
        """The broker has told somebody that this is so: it must never be otherwise again.

        seq: the number of the latest event then."""
        self.acknowledged.setdefault(fact, self.meter.count)
        self.acknowledged_by[fact] = seq

    def note_start(self, seq):
        """The number of the broker's last event when it began to serve."""
        if self.started is None:
            self.started = seq
            self.starts.append(time.monotonic() - self.broker.started_at)

    def skip(self, seq, calls):
        """Events are lost for all who were not there; what they told cannot be looked up."""
        self.history.fold()
        self.history.skip(seq, calls)
        self.acknowledged = {fact: at for fact, at in self.acknowledged.items()
                             if self._is_known(fact)}

    def _is_known(self, fact):
        if fact[0] == "removed":
            return fact[1] in self.history.removed_at
        if fact in self.history.facts:
            return True
        # While it is looked up who calls nobody is told of a call, nor of what it was called meanwhile.
        by, added = self.acknowledged_by.get(fact), self.history.added_at.get(fact[1], 0)
        return by is not None and by < added

    def new_id(self):
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def new_number(self):
        self.numbers += 1
        return self.numbers

    def legs(self):
        return [(call, leg) for app in self.apps for call, leg in app.legs.items()]

    def note_perform(self, params):
        """What a transaction asks for once is one action, however often the broker dies."""
        arguments = json.dumps(params["arguments"], sort_keys=True)
        actions = self.actions[params["transaction"], params["kind"], params["call"], arguments]
        actions.add(params["action"])
        if len(actions) > 1:
            self.complain("performed twice", f"{params} has the actions {actions}")

    def note_live(self, params):
        """Who else is live while an app lets a call speak; looked at when all is told."""
        legs = dict(self.legs())
        group = legs[params["call"]].group if params["call"] in legs else None
        for call, leg in legs.items():
            if leg.state in LIVE and call != params["call"] and leg.group is not group:
                self.beside.append(((params["action"], params["attempt"]), params["call"],
                                    leg.let_speak_by, call))

    # The passing of time.

    def pump(self, seconds=0.0):
        """Hears what the broker says; whether anything happened."""
        links = {client.link: client for client in self.clients
                 if client.link and not client.link.is_over}
        writing = [link for link in links if link.backlog]
        readable, writable, _ = select.select(list(links), writing, [], seconds)
        for link in writable:
            link.flush()
        for link in readable:
            links[link].hear()
        return bool(readable)

    def until(self, what, condition):
        """Pumps until it is so. False if the broker is gone before, or never gets there."""
        end = time.monotonic() + self.patience
        while not condition():
            if not self.broker.is_alive:
                return False
            if time.monotonic() > end:
                self.complain("stuck", f"{what}: not after {self.patience} s; {self._waiting()}")
                return False
            self.pump(0.05)
            self.reconnect()
        return True

    def _waiting(self):
        return {client.name: [asked.method for asked in client.waiting.values()][:3]
                for client in self.clients if client.waiting or not client.is_ready}

    def begin(self):
        """Starts the broker, and lets everybody come."""
        self.broker.start()
        return self.come_back()

    def step(self):
        """One of those who are there does one thing. False if the broker does not get on."""
        there = [client for client in [*self.apps, *self.users] if client.is_ready]
        if there:
            self.chance.choice(there).act()
        if self.chance.random() < 0.5:
            self.pump(0.0 if there else 0.05)
        self.reconnect()
        return self.broker.is_alive and self.until("replies come", lambda: sum(
            len(client.waiting) for client in self.clients) <= self.WAITING_MAX)

    def reconnect(self):
        """Who has lost a broker that lives comes again."""
        for client in self.clients:
            if client.link and client.link.is_over and self.broker.is_alive:
                client.come()

    def talk_on(self):
        """The broker hangs, and its apps do not know."""
        for _ in range(UNREAD_MAX):
            there = [app for app in self.apps
                     if app.is_ready and len(app.waiting) < UNREAD_OF_AN_APP]
            if there:
                self.chance.choice(there).act()
            self.pump()

    # When the broker has died.

    def mourn(self):
        """Everybody takes what had been sent to him, up to the end of the stream."""
        for client in self.clients:
            if client.link and not client.link.is_over:
                while client.hear():
                    select.select([client.link], [], [], CEILING)
            if client.link:
                client.leave()
            client.link = None
        self.floor = self.history.last
        self.replayable = None if self.counts[WARNING] else self.started
        self.started = None

    def come_back(self):
        """The broker serves again: the auditor looks first, then all come, in any order. False if
        the broker died meanwhile."""
        self.auditor.come()
        if not self.audit():
            return False
        others = [client for client in self.clients if client is not self.auditor]
        self.chance.shuffle(others)
        for client in others:
            client.come()
        return self.broker.is_alive

    def audit(self):
        """Compares all there is with all that was told. False if the broker died meanwhile."""
        if not self.until("the auditor is ready", lambda: self.auditor.is_ready):
            return False
        # What anybody hears after the question may have happened after the answer; next time, then.
        asked = set(self.acknowledged)
        self.auditor.look()
        if not self.until("the auditor sees all", lambda: self.auditor.has_looked):
            return False
        found = self.auditor.found
        self.history.fold(found["call.list"].get("seq"))
        self.history.look_who_speaks()
        self._compare_calls(found["call.list"]["calls"])
        self._compare_facts(found, asked)
        return True

    def _compare_calls(self, listed):
        views = {view["call"]: view for view in listed}
        for view in listed:
            for name in DERIVED:
                view.pop(name, None)
            self._take_time(view)
        if views != self.history.calls:
            both = {call: (self.history.calls.get(call), views.get(call))
                    for call in {*views, *self.history.calls}}
            differing = {call: pair for call, pair in both.items() if pair[0] != pair[1]}
            self.complain("state", f"told and listed differ: {differing}")

    def _take_time(self, view):
        """The wall clock may have been read anew: a moment of before may be another by a little."""
        known = self.history.calls.get(view["call"], {})
        for name, at in view.items():
            if name.endswith("_at_ms") and 0 < abs(known.get(name, at) - at) <= CLOCK_MS:
                self.count("times moved")
                view[name] = known[name]

    def _compare_facts(self, found, asked):
        for fact, at in self.acknowledged.items():
            if fact in asked and not self._is_known(fact):
                self.complain("lost", f"{fact} was acknowledged at frame {at}")
        there = {entry["provider"] for entry in found["provider.list"]["providers"]}
        owners = {view["provider"] for view in self.history.calls.values()}
        if not owners <= there:
            self.complain("lost", f"of {owners} who have calls only {there} are listed")
        for app in self.apps:
            # A session ends when its provider is removed, and that is told.
            if app.forgotten > self.history.removals[app.identity]:
                self.complain("session", f"{app.name} could not resume its session")
        word = found["policy.get"]["policy"]["button_active"]
        if word not in self.users[0].policy:
            self.complain("lost", f"the policy says {word} after {self.users[0].policy}")

    # The end.

    def rest(self):
        """Nobody wants anything any more; everything has to settle, and then to agree. False if the
        broker died meanwhile."""
        for _ in range(RESTS_MAX):
            if not self.until("all is settled", self._settle) or not self.audit():
                return False
            # A reply may come before the event that tells of a transaction.
            if not self.history.open_transactions() and self.history.last == self.history.folded:
                self._compare_legs()
                self._look_who_spoke_beside()
                return True
        self.complain("stuck", f"it never comes to rest: {self.history.open_transactions()}")
        return True

    def _settle(self):
        for app in self.apps:
            for action in list(app.owed) if app.is_ready else []:
                app.settle(action)
        self.history.fold()
        return (all(client.is_ready and not client.waiting for client in self.clients)
                and not self.history.open_transactions())

    def _look_who_spoke_beside(self):
        for action, call, other_action, other in self.beside:
            dispatched, split = self.history.dispatched.get(action, (None, ()))
            other_dispatched, _ = self.history.dispatched.get(other_action, (0, ()))
            if dispatched is None:
                self.count("unverifiable")
            elif other in split:
                self.count("split in passing")
            elif self.history.removed_at.get(call, other_dispatched) < other_dispatched:
                # Its app was cut off while it was to end, and does not know yet.
                self.count("over already")
            elif self.history.removed_at.get(other, dispatched + 1) > dispatched:
                self.complain("two live", f"{call} was let speak by event {dispatched} while "
                              f"{other} did: {self.history.trail(call, other)}")

    def _compare_legs(self):
        truth = {call: (app.identity, leg.state, leg.name, leg.muted, sorted(app.members(leg)))
                 for app in self.apps for call, leg in app.legs.items()}
        calls = self.history.calls
        groups = collections.defaultdict(list)
        for call in sorted(calls):
            groups[calls[call]["group"]].append(call)
        listed = {call: (view["provider"], LISTED.get(view["state"], view["state"]),
                         view.get("display_name"), view["muted"], groups[view["group"]])
                  for call, view in calls.items()}
        wrong = {call: (truth.get(call), listed.get(call)) for call in {*truth, *listed}
                 if truth.get(call) != listed.get(call)}
        if wrong:
            self.complain("truth", f"the app's and the broker's: {wrong}; "
                          f"{self.history.trail(*wrong)}")

    def close(self):
        for client in self.clients:
            if client.link:
                client.link.close()

    def report(self):
        """What was found wrong, a few of each kind."""
        return "\n".join(
            f"  {kind} ({len(texts)} times)\n    " + "\n    ".join(texts[:TEXTS_MAX])
            for kind, texts in self.complaints.items())
