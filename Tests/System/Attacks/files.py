"""Where the broker expects a file there is something else."""
import os
import sqlite3

from attack import attack
from field import Failed, frame, hello, new
from broker import NotServing

BLOCKED = {"type": "phone", "value": "+15550666"}
# A program that refuses to start says so at once.
AT_ONCE = 10.0


def state(folder, *names):
    """A path in the state folder, which is there now."""
    path = os.path.join(folder, "state")
    os.makedirs(path, mode=0o700, exist_ok=True)
    return os.path.join(path, *names)


def fifo(*place):
    def make(folder):
        path = os.path.join(folder, *place)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.mkfifo(path)
    return make


def device(*place):
    def make(folder):
        path = os.path.join(folder, *place)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.symlink("/dev/zero", path)
    return make


def serves_or_refuses(field, name):
    """The broker either serves, or ends at once and names the file."""
    try:
        field.start(seconds=AT_ONCE)
    except NotServing as refusal:
        status, words = refusal.args
        if status < 0:
            raise Failed("it neither serves nor says why not") from None
        if name not in words:
            raise Failed(f"it does not say that it is {name}: {words}") from None
        return
    field.peer("controller").result("broker.info")


MANIFEST = "org.example.pipe.plugin.json"
PLUGINS = ["--plugin-dir", "{folder}/plugins"]


@attack("a pipe in the folder of plugins", quick=True, late=True, before=fifo("plugins", MANIFEST),
        options=PLUGINS)
def manifest(field):
    serves_or_refuses(field, MANIFEST)


@attack("a pipe comes into the folder of plugins, again and again", quick=True, options=PLUGINS, once=True,
        before=lambda folder: os.mkdir(os.path.join(folder, "plugins")))
def coming_manifest(field):
    peer = field.peer("admin")
    for n in range(20):
        os.mkfifo(field.file(f"plugins/org.example.pipe{n}.plugin.json"))
        peer.result("plugin.list")


@attack("a device without an end in the folder of plugins", late=True,
        before=device("plugins", MANIFEST), options=PLUGINS)
def endless_manifest(field):
    serves_or_refuses(field, MANIFEST)


@attack("the journal is a pipe", quick=True, late=True, before=fifo("state", "journal"))
def journal(field):
    serves_or_refuses(field, "journal")


@attack("the journal is a device without an end", late=True, before=device("state", "journal"))
def endless_journal(field):
    serves_or_refuses(field, "journal")


@attack("plugins.json is a pipe", quick=True, late=True, before=fifo("state", "plugins.json"))
def choices(field):
    serves_or_refuses(field, "plugins.json")


@attack("the configuration is a pipe", quick=True, late=True, before=fifo("options.json"),
        options=["--config", "{folder}/options.json"])
def configuration(field):
    serves_or_refuses(field, "options.json")


@attack("the configuration is a device without an end", late=True, before=device("options.json"),
        options=["--config", "{folder}/options.json"])
def endless_configuration(field):
    serves_or_refuses(field, "options.json")


@attack("the store is a pipe", quick=True, late=True, before=fifo("state", "store.sqlite"))
def store(field):
    serves_or_refuses(field, "store.sqlite")


@attack("the store is a device without an end", late=True, before=device("state", "store.sqlite"))
def endless_store(field):
    serves_or_refuses(field, "store.sqlite")


# A store that was there, and is not any more.

def blocking(field):
    """A broker that has learnt whom the user has blocked, and is stopped."""
    field.start()
    field.peer("controller").result("block.add", handle=BLOCKED)
    field.halt()


def still_blocks(field):
    """Whoever was blocked does not ring, and everybody is told that the store fails."""
    field.start()
    app = field.app("rings")
    reply = app.ask("call.report_incoming", call=new(), remote=BLOCKED)
    if "result" in reply:
        raise Failed("a caller rings whom the user has blocked")
    user = field.peer("controller", "observer")
    user.ask("history.list")
    warned = [one for one in user.heard if one.get("method") == "broker.warning"]
    if not any(one["params"]["reason"] == "store_failed" for one in warned):
        user.until(lambda one: one.get("method") == "broker.warning"
                   and one["params"]["reason"] == "store_failed")


def away(field):
    """The file and those beside it are gone; its path."""
    path = state(field.broker.folder, "store.sqlite")
    for end in ("", "-wal", "-shm"):
        if os.path.exists(path + end):
            os.unlink(path + end)
    return path


@attack("the store has become a folder: who was blocked stays blocked", quick=True, late=True)
def folder(field):
    blocking(field)
    os.mkdir(away(field))
    still_blocks(field)


@attack("the store has become a pipe: who was blocked stays blocked", late=True)
def blocking_pipe(field):
    blocking(field)
    os.mkfifo(away(field))
    still_blocks(field)


@attack("the store is locked by somebody else: who was blocked stays blocked", late=True)
def locked(field):
    blocking(field)
    other = sqlite3.connect(state(field.broker.folder, "store.sqlite"), isolation_level=None)
    field.rest.callback(other.close)
    other.execute("BEGIN EXCLUSIVE")
    still_blocks(field)


@attack("2,000 broken manifests, at the start and coming", options=PLUGINS, late=True, memory_mib=24,
        before=lambda folder: broken(os.path.join(folder, "plugins"), 0))
def manifests(field):
    field.start()
    broken(field.file("plugins"), 2_000)
    peer = field.peer("admin")
    for _ in range(5):
        peer.result("plugin.list")


def broken(folder, first):
    os.makedirs(folder, exist_ok=True)
    for n in range(first, first + 2_000):
        with open(os.path.join(folder, f"org.example.p{n}.plugin.json"), "w",
                  encoding="ascii") as file:
            file.write('{"manifest":1,"identity":"org.example.other",' + '"a":1,' * 200)


@attack("manifests are written and removed 2,000 times", options=PLUGINS,
        before=lambda folder: os.mkdir(os.path.join(folder, "plugins")))
def restless(field):
    path = field.file(f"plugins/{MANIFEST}")
    for _ in range(2_000):
        with open(path, "w", encoding="ascii") as file:
            file.write("{}")
        os.unlink(path)
    field.crowd(1, hello() + frame("broker.ping", 1), 2)
