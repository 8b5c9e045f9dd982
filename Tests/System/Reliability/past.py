"""A long past for a broker: as many transactions as it remembers, so that what it keeps afterwards it
keeps in the place of something else."""
import select
import uuid

from clients import PROTOCOL
from wire import Link

# The broker remembers 16,384 replies; some more, so that it has begun to forget.
TRANSACTIONS = 20_480
AT_ONCE = 16
REMOTE = {"type": "phone", "value": "+15550100"}


class Past:
    """One call, muted and unmuted again and again, each time under another id."""

    def __init__(self, path):
        self.call = str(uuid.uuid4())
        self.app, self.user = Link(path), Link(path)
        self.is_registered = False
        self.asked = self.done = 0

    def live(self):
        """The number of the last event of all this."""
        self.hello(self.app, ["provider"], identity="org.example.past")
        self.hello(self.user, ["controller"])
        self.app.send(id=2, method="provider.register", params={
            "display_name": "past", "handle_types": ["phone"], "calls": [
                {"call": self.call, "direction": "incoming", "state": "active", "remote": REMOTE}]})
        while self.done < TRANSACTIONS:
            self.ask()
            select.select([self.app, self.user], [], [])
            self.hear()
        self.user.send(id="end", method="call.end", params={"call": self.call, "wait": "completed"})
        return self.last_event()

    @staticmethod
    def hello(link, roles, **more):
        link.send(id=1, method="broker.hello", params={
            "protocol": PROTOCOL, "roles": roles, "client": {"name": "past", "version": "1"}, **more})

    def ask(self):
        while self.is_registered and self.asked < min(self.done + AT_ONCE, TRANSACTIONS):
            self.asked += 1
            self.user.send(id=self.asked + 1, method="call.set_muted", params={
                "call": self.call, "muted": self.asked % 2 == 1, "wait": "completed",
                "transaction": str(uuid.uuid4())})

    def hear(self):
        """What came, apart from what this counts."""
        for frame in self.app.receive():
            if frame.get("id") == 2 and "result" in frame:
                self.is_registered = True
            elif frame.get("method") == "provider.perform":
                self.app.send(id=frame["id"], result={})
        frames = [frame for frame in self.user.receive() if "method" not in frame]
        wrong = [frame for frame in frames if "error" in frame]
        if wrong:
            raise RuntimeError(f"{wrong[0]}")
        self.done += sum(1 for frame in frames if frame["id"] not in (1, "end"))
        return [frame for frame in frames if frame["id"] == "end"]

    def last_event(self):
        """When the call is over, and its app has gone."""
        ended = []
        while not ended:
            select.select([self.app, self.user], [], [])
            ended = self.hear()
        self.app.send(id=3, method="provider.unregister", params={})
        while not (frames := self.app.receive()):
            select.select([self.app], [], [])
        self.app.close()
        self.user.close()
        return frames[-1]["result"]["seq"]
