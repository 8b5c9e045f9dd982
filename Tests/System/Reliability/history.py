"""What has happened, put together from the events that clients saw: by number, each with one
content, without a hole. All of it was told to somebody; the journal is never read."""
import collections
import copy
import json

LIVE = ("dialing", "connecting", "active")
# These follow what other calls do, without an event of their own.
DERIVED = ("allowed", "merge_with")
# Topics whose events have no numbers of their own.
UNNUMBERED = ("broker.bookmark", "call.allowed_changed", "host.presence")


def told(event):
    """An event's content: what must be the same whenever and to whomever it is told."""
    members = {name: event.get(name) for name in ("at_ms", "topic", "call", "provider", "data")}
    return json.dumps(members, sort_keys=True)


class History:
    """The events of one epoch."""

    def __init__(self, complain):
        self.complain = complain
        self.epoch = None
        self.events = {}
        self.last = 0
        # The state that all events up to `folded` make: calls by id.
        self.folded = 0
        self.calls = {}
        self.at_ms = None
        # What has ever been told of a call or a transaction, for those who look for it.
        self.facts = set()
        self.added_at, self.removed_at = {}, {}
        # The call of each set_group that an app was asked for, and nobody heard what became of it.
        self.regrouping = {}
        # The event that told of it, and the calls that may have been one group still: by action and
        # attempt.
        self.dispatched = {}
        self.providers = set()
        self.removals = collections.Counter()

    def note_epoch(self, epoch):
        if self.epoch is None:
            self.epoch = epoch
        elif epoch != self.epoch:
            self.complain("epoch", f"it was {self.epoch}, now it is {epoch}")
            self.epoch = epoch

    def note(self, event):
        """An event as a client got it."""
        self.note_epoch(event["epoch"])
        if event["topic"] in UNNUMBERED:
            return
        content = told(event)
        known = self.events.setdefault(event["seq"], content)
        if known != content:
            self.complain("rewritten", f"event {event['seq']} was {known}, now it is {content}")
        self.last = max(self.last, event["seq"])

    def fold(self, upto=None):
        """Brings the state up to an event, and a hole on the way is a complaint; or as far as there
        is none."""
        while self.folded + 1 in self.events if upto is None else self.folded < upto:
            seq = self.folded + 1
            content = self.events.get(seq)
            if content is None:
                self.complain("missing", f"event {seq} of {self.last} was never told")
            else:
                self._apply(seq, json.loads(content))
            self.folded = seq

    def skip(self, seq, calls):
        """What happened up to an event cannot be told any more; there are these calls then."""
        there = {view["call"] for view in calls}
        for call in set(self.calls) - there:
            self.removed_at[call] = seq
        # Each may have ended meanwhile, and nobody heard of it.
        self.facts -= {("accepted", id) for id in self.open_transactions()}
        self.removals.update(self.providers)
        self.calls = {}
        for view in calls:
            self._change(seq, "call.added", view["call"], view)
        self.folded = seq

    def _apply(self, seq, event):
        if event["at_ms"] != self.at_ms:
            # What happens at one moment is told one after another.
            self.look_who_speaks()
            self.at_ms = event["at_ms"]
        topic, data, call = event["topic"], event["data"], event["call"]
        if topic in ("call.added", "call.changed"):
            self._change(seq, topic, call, data)
        elif topic == "call.removed":
            if self.calls.pop(call, None) is None:
                self.complain("order", f"event {seq} removes a call that is not there")
            self.removed_at[call] = seq
        elif topic.startswith("transaction."):
            self._once(seq, topic.split(".")[1], data["transaction"])
        elif topic == "action.dispatched":
            if data["kind"] == "set_group":
                self.regrouping[data["action"]] = call
            self.dispatched.setdefault((data["action"], data["attempt"]), (seq, self._split(call)))
        elif topic in ("action.fulfilled", "action.failed", "action.timed_out"):
            self.regrouping.pop(data["action"], None)
            self._once(seq, "settled", data["action"])
        elif topic == "policy.changed":
            self.facts.add(("policy", json.dumps(data["policy"], sort_keys=True)))
        elif topic.startswith("provider."):
            self._change_provider(topic, event["provider"])

    def _change(self, seq, topic, call, data):
        if (topic == "call.added") == (call in self.calls):
            self.complain("order", f"event {seq} is {topic} of call {call}")
        over = self.removed_at.get(call)
        if over and not (topic == "call.added" and ("state", call, "lost") in self.facts):
            self.complain("order", f"event {seq}: call {call} was over by {over}")
        former = self.calls.get(call)
        if former and data["rev"] < former["rev"]:
            self.complain("order", f"event {seq}: call {call} goes back to rev {data['rev']}")
        self.removed_at.pop(call, None)
        if topic == "call.added":
            self.added_at.setdefault(call, seq)
        view = copy.deepcopy(data)
        for name in ("changed", "cause", *DERIVED):
            view.pop(name, None)
        self.calls[call] = view
        self.facts |= {("call", call), ("state", call, view["state"]),
                       ("name", call, view.get("display_name")), ("muted", call, view["muted"])}
        if view.get("end_reason") == "failed":
            # With its provider: if that comes back, it may have the call still.
            self.facts.add(("state", call, "lost"))

    def look_who_speaks(self):
        """Never two groups."""
        speaking = [call for call, view in self.calls.items() if view["state"] in LIVE]
        if len({self.calls[call]["group"] for call in speaking}) > 1:
            self.complain("two live", f"up to event {self.folded}: {self.trail(*speaking)}")

    def _split(self, call):
        """The calls of its group that its app may have made a group of their own already: a set_group
        takes one of them out, this or another, and its answer is on its way or was cancelled."""
        group = self.calls[call]["group"] if call in self.calls else None
        members = {other for other, view in self.calls.items() if view["group"] == group}
        moved = members & set(self.regrouping.values())
        return members if call in moved else moved

    def _once(self, seq, what, id):
        if (what, id) in self.facts:
            self.complain("twice", f"event {seq}: {id} is {what} once more")
        self.facts.add((what, id))

    def _change_provider(self, topic, provider):
        if topic == "provider.removed":
            self.providers.discard(provider)
            self.removals[provider] += 1
        else:
            self.providers.add(provider)
        self.facts.add(("provider", provider))

    def open_transactions(self):
        by = collections.defaultdict(set)
        for fact in self.facts:
            by[fact[0]].add(fact[1])
        return by["accepted"] - by["completed"]

    def trail(self, *calls):
        """What was told of these calls, in a few words each."""
        return [(seq, event["topic"], event["call"][:4], data.get("state", data.get("kind")),
                 data.get("pending_action"), data.get("provider_connected"))
                for seq in sorted(self.events) for event in [json.loads(self.events[seq])]
                if event["call"] in calls for data in [event["data"]]]
