"""Users: what they ask for has an id of their own, so that they can ask again after the broker was
gone, and it is done once."""
from clients import Client


class Order:
    """A transaction that somebody asked for."""

    def __init__(self, id, method, params):
        self.id, self.method = id, method
        self.params = {**params, "transaction": id}
        self.reply = None


def done(report):
    """What a reply says was done, whenever it is said."""
    return [(entry["action"], entry["kind"], entry["call"]) for entry in report["actions"]]


class User(Client):
    """A controller that does to calls what may be done to them, and at times what may not."""

    roles = ("controller",)
    PENDING_MAX = 4
    # The broker remembers 16,384 replies, of all users.
    REMEMBERED_MAX = 1_000

    def __init__(self, world, name):
        super().__init__(world, name)
        self.open = {}
        self.answered = []

    def opened(self, result):
        super().opened(result)
        for order in list(self.open.values()):
            self._place(order)
        if self.answered and self.world.chance.random() < 0.5:
            self._place(self.world.chance.choice(self.answered))

    def act(self):
        if len(self.waiting) >= self.PENDING_MAX:
            return
        method, params = self._wish()
        wait = self.world.chance.choice(["accepted", "completed"])
        order = Order(self.world.new_id(), method, {**params, "wait": wait})
        self.open[order.id] = order
        self._place(order)

    def _wish(self):
        chance = self.world.chance
        legs = [(call, leg) for call, leg in self.world.legs() if leg.is_known]
        if not legs or chance.random() < 0.05:
            app = chance.choice(self.world.apps)
            remote = {"type": "phone", "value": f"+1666{self.world.new_number()}"}
            return "call.start", {"call": self.world.new_id(), "provider": app.identity,
                                  "remote": remote}
        call, leg = chance.choice([pair for pair in legs if pair[1].state != "ringing"] or legs
                                  if chance.random() < 0.5 else legs)
        if leg.state != "ringing" and chance.random() < 0.25:
            return self._conference(call, leg)
        state = leg.state if chance.random() < 0.9 else chance.choice(["ringing", "active", "held"])
        return self._verb(call, state, leg.muted)

    def _conference(self, call, leg):
        """Merges the call with another one of its app, if it has one, or splits it."""
        app = next(app for app in self.world.apps if call in app.legs)
        others = {id for id, other in app.legs.items() if other.state in ("active", "held")}
        others -= set(app.members(leg))
        if others and self.world.chance.random() < 0.7:
            return "call.merge", {"call": call, "with": self.world.chance.choice(sorted(others))}
        return "call.split", {"call": call}

    def _verb(self, call, state, is_muted):
        chance = self.world.chance
        end = "call.end", {"call": call}
        mute = "call.set_muted", {"call": call, "muted": not is_muted}
        if state == "ringing":
            choice = chance.choice(["answer", "hold_and_answer", "end_and_answer"])
            return chance.choice([("call.answer", {"call": call, "choice": choice})] * 5 + [end])
        if state == "held":
            resume = "call.set_held", {"call": call, "held": False}
            return chance.choice([resume, resume, resume, ("call.swap", {"call": call}), mute, end])
        hold = "call.set_held", {"call": call, "held": True}
        tones = "call.play_dtmf", {"call": call, "digits": "12"}
        both = "transaction.request", {"actions": [
            {"kind": "set_muted", "call": call, "arguments": {"muted": not is_muted}},
            {"kind": "set_held", "call": call, "arguments": {"held": True}}]}
        return chance.choice([hold, hold, tones, both, mute, end])

    def _place(self, order):
        self.ask(order.method, order.params,
                 lambda result, error: self._replied(order, result, error))

    def _replied(self, order, result, error):
        if order.reply:
            return self._check_again(order, result, error)
        self.open.pop(order.id, None)
        if error:
            # A failure of what was accepted names it; a refusal has changed nothing.
            if "transaction" in error["data"]:
                self.world.acknowledge("completed", error["data"]["transaction"])
            return
        order.reply = result
        self.answered = self.answered[1 - self.REMEMBERED_MAX:] + [order]
        if "transaction" in result:
            self.world.acknowledge("accepted", result["transaction"])
            if order.params["wait"] == "completed":
                self.world.acknowledge("completed", result["transaction"])

    def _check_again(self, order, result, error):
        self.world.count("asked twice")
        if error or not result.get("replayed"):
            self.world.complain(
                "replay", f"{order.method} {order.id} was answered {order.reply}, and when asked "
                f"again {error or result}")
        elif (result["transaction"], done(result)) != (
                order.reply["transaction"], done(order.reply)):
            self.world.complain(
                "replay", f"{order.id} was answered {order.reply}, and then {result}")


class Landlord(User):
    """Changes the policy, too."""

    def __init__(self, world, name):
        super().__init__(world, name)
        self.policy = {"end"}

    def act(self):
        if self.world.chance.random() > 0.1 or self._is_asking():
            return super().act()
        word = self.world.chance.choice(["end", "mute"])
        self.policy.add(word)

        def answered(result, error):
            if not error:
                self.policy = {word}

        self.ask("policy.set", {"button_active": word}, answered)

    def _is_asking(self):
        return any(asked.method == "policy.set" for asked in self.waiting.values())
