"""Those who talk to the broker: they come, they ask, and when the broker is gone they come again.
What each has been told is noted in the world's history and acknowledgements."""
from wire import Link

PROTOCOL = {"min": 1, "max": 1}
# Mistakes of ours, or of the broker: nobody here provokes them.
NEVER = {-32700, -32600, -32601, -32602, -32603, -32002, -32003, -32011}


class Asked:
    """A request that waits for its reply."""

    def __init__(self, method, params, then):
        self.method, self.params, self.then = method, params, then


class Client:
    """One connection at a time."""

    roles = ()
    identity = None

    def __init__(self, world, name):
        self.world, self.name = world, name
        self.link = None
        self.is_ready = False
        self.last_id = 0
        self.waiting = {}

    # What it does by itself.

    def come(self):
        """Connects and says hello; `opened` goes on."""
        if self.link:
            self.link.close()
        self.link = Link(self.world.broker.path, self.world.meter)
        params = {"protocol": PROTOCOL, "roles": list(self.roles),
                  "client": {"name": self.name, "version": "1"}, **self.introduction()}
        if self.identity:
            params["identity"] = self.identity
        self.ask("broker.hello", params, self._greeted)

    def introduction(self):
        return {}

    def _greeted(self, result, error):
        if error:
            return self.refused(error)
        self.world.history.note_epoch(result["epoch"])
        self.opened(result)

    def refused(self, error):
        self.world.complain("hello", f"{self.name} is refused: {error}")

    def opened(self, result):
        self.is_ready = True

    def ask(self, method, params, then=None):
        self.last_id += 1
        self.waiting[self.last_id] = Asked(method, params, then)
        self.link.send(id=self.last_id, method=method, params=params)

    # What happens to it.

    def hear(self):
        """Takes what has come; whether the connection goes on."""
        for frame in self.link.receive():
            self.take(frame)
        if self.link.is_over:
            self.leave()
        return not self.link.is_over

    def leave(self):
        """The connection is over, whoever wanted it."""
        self.link.close()
        self.is_ready = False
        self.waiting.clear()

    def take(self, frame):
        if "method" in frame:
            if "id" in frame:
                self.requested(frame["id"], frame["method"], frame["params"])
            else:
                self.notified(frame["method"], frame["params"])
            return
        asked = self.waiting.pop(frame["id"], None)
        if asked is None:
            return self.world.complain("reply", f"{self.name} did not ask for {frame}")
        error = frame.get("error")
        self.world.count(f"{asked.method} {error['data']['reason'] if error else 'ok'}")
        if error and error["code"] in NEVER:
            self.world.complain("error", f"{asked.method} {asked.params} was answered {error}")
        if asked.then:
            asked.then(frame.get("result"), error)

    def requested(self, id, method, params):
        payload = {"payload": params.get("payload")} if method == "broker.ping" else {}
        self.link.send(id=id, result=payload)

    def notified(self, method, params):
        if method == "broker.warning":
            self.world.count(f"warned: {params['reason']}")
        if method == "event" and params["topic"] == "transaction.completed":
            self.world.acknowledge("completed", params["data"]["transaction"])


class Observer(Client):
    """Hears of everything, or of a few topics, and goes on where it was when it comes back."""

    roles = ("observer",)

    def __init__(self, world, name, topics):
        super().__init__(world, name)
        self.topics = topics
        self.seq = None
        self.subscription = None

    def opened(self, result):
        if result["seq"] < max(self.seq or 0, self.world.floor):
            self.world.complain("back", f"the broker is at {result['seq']} after {self.seq}")
        params = {"topics": self.topics}
        if self.seq is not None:
            # From a little earlier: what was told once must be told again as it was.
            back = self.seq - self.world.chance.randrange(30)
            cursor = min(self.seq, max(back, self.world.replayable or 0))
            params["cursor"] = {"epoch": self.world.history.epoch, "seq": cursor}
        self.ask("events.subscribe", params, self._subscribed)

    def _subscribed(self, result, error):
        if error:
            return
        if result["resync"]:
            self.world.count("resync")
            self.missed(result)
        self.subscription, self.seq = result["subscription"], result["seq"]
        self.is_ready = True

    def missed(self, result):
        """The events since the earlier subscription cannot be had any more."""
        replayable = self.world.replayable
        if replayable is not None and self.seq >= replayable:
            self.world.complain("resync", f"{self.name} cannot go on from {self.seq}, though the "
                                f"broker started at {replayable}")

    def notified(self, method, params):
        if method == "events.gap":
            return self.world.complain("gap", f"{self.name} got {params}")
        if method != "event" or params.get("subscription") != self.subscription:
            return super().notified(method, params)
        if params["prev"] != self.seq:
            self.world.complain(
                "hole", f"{self.name} has {self.seq}, the next is {params['seq']} after "
                f"{params['prev']}")
        self.seq = params["seq"]
        self.world.history.note(params)
        super().notified(method, params)


class Auditor(Observer):
    """The first to come back: before anybody else can change anything it looks at all there is."""

    roles = ("observer", "controller")
    FIXED = ("call.list", "provider.list", "policy.get")

    def __init__(self, world):
        super().__init__(world, "auditor", ["*"])
        self.found = {}
        self.is_looking = False

    def opened(self, result):
        self.world.note_start(result["seq"])
        super().opened(result)

    def missed(self, result):
        super().missed(result)
        self.world.skip(result["seq"], result["snapshot"]["calls"])

    def _subscribed(self, result, error):
        super()._subscribed(result, error)
        if self.is_looking and not self.has_looked:
            # The connection was lost with the replies.
            self.look()

    def look(self):
        """Asks for all there is; `has_looked` tells when it is here."""
        self.found, self.is_looking = {}, True
        for method in self.FIXED:
            self.ask(method, {}, lambda result, error, method=method:
                     self.found.update({method: result or {}}))

    @property
    def has_looked(self):
        return len(self.found) == len(self.FIXED)
