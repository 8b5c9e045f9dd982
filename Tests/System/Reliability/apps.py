"""An app with calls of its own. What it knows of them is the truth that the broker's list is
compared with; the far ends of its calls, and its user's hand, are chance."""
from clients import Client

OVER = {"call_ended", "unknown_call"}
FULFILLING = {"call.report_held", "call.report_muted"}
GONE = {"code": -32004, "message": "no such call", "data": {"reason": "gone"}}


class Leg:
    """A call as its app has it."""

    def __init__(self, direction, state, number):
        self.direction, self.state = direction, state
        # Calls of one app with the same group are a conference.
        self.group = object()
        self.remote = {"type": "phone", "value": number}
        self.name, self.muted = None, False
        # The action that it speaks by, and its attempt.
        self.let_speak_by = None
        # Whether the broker has said that it has the call.
        self.is_known = direction == "outgoing"

    def listed(self, id):
        name = {"display_name": self.name} if self.name else {}
        return {"call": id, "direction": self.direction, "state": self.state,
                "remote": self.remote, **name}


class App(Client):
    """A provider that does what it is asked, now and then after a while, and now and then not."""

    roles = ("provider",)

    def __init__(self, world, name, calls_max=4, **registration):
        super().__init__(world, name)
        self.identity = "org.example." + name
        self.calls_max, self.registration = calls_max, registration
        self.key = None
        self.is_registered = False
        # How often it was not known any more when it came back.
        self.forgotten = 0
        # Calls that were muted, or not any more, in this connection, and those of which the broker
        # may not have heard it: a registration says everything else.
        self.muted_here, self.unheard = set(), set()
        self.legs = {}
        # Performs that are not answered yet, and the answers to all that were: by action.
        self.owed = {}
        self.done = {}
        self.attempts = {}

    # Coming and going.

    def introduction(self):
        return {"resume": self.key} if self.key else {}

    def refused(self, error):
        # Nobody told it the secret of the session that it had for a moment.
        if self.key or error["data"]["reason"] != "identity":
            return super().refused(error)
        self.leave()

    def opened(self, result):
        session = result["session"]
        if self.is_registered and not session["resumed"]:
            self.forgotten += 1
            self.is_registered = False
        self.key = {name: session[name] for name in ("session", "secret")}
        self.ask("provider.register", {
            "display_name": self.name, "handle_types": ["phone"], "max_call_groups": 4,
            **self.registration, "calls": [leg.listed(id) for id, leg in self.legs.items()]},
            self._registered)

    def _registered(self, result, error):
        if error:
            return self.world.complain("register", f"{self.name} is refused: {error}")
        self.world.acknowledge("provider", self.identity)
        self.is_registered = True
        for call in set(result["calls"]) & set(self.legs):
            self.legs[call].is_known = True
        for call in result["dropped"]:
            self.world.count("dropped")
            self.legs.pop(call, None)
        self.is_ready = True
        for call in sorted(self.unheard & set(self.legs)):
            self._report_muted(call, self.legs[call])
        self.unheard.clear()

    def leave(self):
        self.unheard |= self.muted_here
        self.muted_here.clear()
        super().leave()
        self.owed.clear()

    # What it says.

    def act(self):
        """One thing, chosen by chance."""
        chance = self.world.chance
        if self.owed and chance.random() < 0.7:
            return self.settle(chance.choice(list(self.owed)))
        for call, leg in self.legs.items():
            if leg.state == "dialing" and chance.random() < 0.5:
                leg.state = "active"
                return self._report("connected", call, {}, ("state", call, "active"))
        if len(self.legs) < self.calls_max and chance.random() < 0.4:
            return self._ring()
        if self.legs:
            call = chance.choice(list(self.legs))
            self._change(call, self.legs[call])

    def hang_up(self):
        """All its calls are over."""
        for call in list(self.legs):
            del self.legs[call]
            self._report("ended", call, {"reason": "remote_ended"}, ("removed", call))

    def _ring(self):
        call = self.world.new_id()
        leg = self.legs[call] = Leg("incoming", "ringing", f"+1555{self.world.new_number()}")

        def answered(result, error):
            if error:
                return self.legs.pop(call, None)
            self.world.acknowledge("call", call)
            leg.is_known = True

        self.ask("call.report_incoming", {"call": call, "remote": leg.remote}, answered)

    def _change(self, call, leg):
        way = self.world.chance.random()
        if way < 0.04:
            del self.legs[call]
            self._report("ended", call, {"reason": "remote_ended"}, ("removed", call))
        elif way < 0.3 and leg.state == "active" and self._is_free(call, leg):
            leg.state = "held"
            self._report("held", call, {"held": True}, ("state", call, "held"))
        elif way < 0.4 and leg.state in ("active", "held") and self._is_free(call, leg):
            leg.muted = not leg.muted
            self._report_muted(call, leg)
        else:
            leg.name = f"n{self.world.new_number()}"
            self._report("update", call, {"display_name": leg.name}, ("name", call, leg.name))

    def _is_free(self, call, leg):
        """Whether the app may do something with it by itself. What it has reported may have fulfilled
        a perform that is on its way here, and what becomes of that one is not heard any more (rule
        30a): nothing else before the reply."""
        return (len(self.members(leg)) == 1
                and all(params["call"] != call for _, params in self.owed.values())
                and all(asked.method not in FULFILLING or asked.params["call"] != call
                        for asked in self.waiting.values()))

    def members(self, leg):
        return [call for call, other in self.legs.items() if other.group is leg.group]

    def _report_muted(self, call, leg):
        self.muted_here.add(call)
        self._report("muted", call, {"muted": leg.muted}, ("muted", call, leg.muted))

    def _report(self, what, call, members, fact):
        def answered(result, error):
            if not error:
                self.world.acknowledge(*fact, seq=result["seq"])
            elif error["data"]["reason"] in OVER:
                self.legs.pop(call, None)

        self.ask("call.report_" + what, {"call": call, **members}, answered)

    # What it is asked.

    def requested(self, id, method, params):
        if method != "provider.perform":
            return super().requested(id, method, params)
        action, attempt = params["action"], params["attempt"]
        if attempt <= self.attempts.get(action, 0):
            self.world.complain("attempt", f"{self.name} got attempt {attempt} of {action} twice")
        self.attempts[action] = attempt
        self.world.note_perform(params)
        if action in self.done:
            if params["kind"] == "start" and params["call"] not in self.legs:
                # It was dialled, and ended before the broker heard of either.
                self.world.count("started and over")
                self.done[action] = {"error": GONE}
            self.link.send(id=id, **self.done[action])
            return self._tell_since(params["kind"], params["call"])
        if self._lets_speak(params):
            self.world.note_live(params)
        self.owed[action] = id, params
        if self.world.chance.random() < 0.5:
            self.settle(action)

    def _tell_since(self, kind, call):
        """What an action has done is told once more; its user may have changed that since."""
        leg = self.legs.get(call)
        if leg and kind == "set_muted":
            self._report_muted(call, leg)
        elif leg and kind == "set_held" and leg.state == "held":
            self._report("held", call, {"held": True}, ("state", call, "held"))

    def _lets_speak(self, params):
        """Whether a call of ours is live with it; one that is over here will not be."""
        kind, is_here = params["kind"], params["call"] in self.legs
        return kind == "start" or is_here and (
            kind == "answer" or params["arguments"].get("held") is False)

    def settle(self, action, error=None):
        """Answers a perform, and does what it asks for unless it fails."""
        if error is None:
            for earlier in self._asked_before(action):
                self.settle(earlier)
        id, params = self.owed.pop(action)
        kind, call, arguments = params["kind"], params["call"], params["arguments"]
        if kind != "start" and call not in self.legs:
            error = GONE
        elif error is None and kind != "end" and self.world.chance.random() < 0.05:
            error = {"code": -32000, "message": "not now", "data": {"reason": "not_now"}}
        if error is None:
            self._perform(kind, call, arguments, params)
        elif kind == "answer":
            self.legs.pop(call, None)
        self.done[action] = {"error": error} if error else {"result": {}}
        self.link.send(id=id, **self.done[action])

    def _asked_before(self, action):
        """The same of the same call, which a report of ours has fulfilled meanwhile (rule 30a): done
        now it would undo this one, and nobody would hear of it."""
        what = {other: (params["kind"], params["call"]) for other, (_, params) in self.owed.items()}
        same = [other for other in what if what[other] == what[action]]
        return same[:same.index(action)]

    def _perform(self, kind, call, arguments, params):
        if kind == "start":
            self.legs[call] = Leg("outgoing", "dialing", arguments["remote"]["value"])
        elif kind == "answer":
            self.legs[call].state = "active"
        elif kind == "set_held":
            self.legs[call].state = "held" if arguments["held"] else "active"
        elif kind == "set_muted":
            self.legs[call].muted = arguments["muted"]
            self.muted_here.add(call)
        elif kind == "set_group":
            other = self.legs.get(arguments["with"])
            self.legs[call].group = other.group if other else object()
        elif kind == "end":
            del self.legs[call]
        if self._lets_speak(params):
            self.legs[call].let_speak_by = params["action"], params["attempt"]
            self.world.note_live(params)

    def notified(self, method, params):
        if method == "broker.cancel":
            for action, (id, _) in list(self.owed.items()):
                if id == params["request"]:
                    self.settle(action, {"code": -32010, "message": "cancelled",
                                         "data": {"reason": "cancelled"}})
        elif method == "provider.reset":
            self.world.count("reset")
            self.legs.clear()
