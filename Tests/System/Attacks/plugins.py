"""Programs that the broker starts itself."""
import json
import os

from attack import attack

PLUGINS = ["--plugin-dir", "{folder}/plugins"]


def programs(script, count=1, **members):
    """Manifests of shell scripts that are started with the broker."""
    def make(folder):
        path = os.path.join(folder, "plugins")
        os.makedirs(path)
        for n in range(count):
            name = f"org.example.p{n}"
            manifest = {"manifest": 1, "identity": name, "roles": ["provider"],
                        "exec": ["/bin/sh", "-c", script.format(folder=folder)], "start": "boot",
                        "provider": {"handle_types": ["phone"]}, "stop_timeout_ms": 500, **members}
            with open(os.path.join(path, f"{name}.plugin.json"), "w", encoding="ascii") as file:
                json.dump(manifest, file)
    return make


def look(field, times=200):
    """Somebody follows what the plugins do and write."""
    peer = field.peer("admin", "observer")
    peer.result("events.subscribe", topics=["plugin.log", "plugin.*"], snapshot=False)
    for _ in range(times):
        peer.result("plugin.list")
        peer.heard.clear()
    peer.close()


NOISE = "x" * 200


@attack("a plugin writes to its log without end", options=PLUGINS,
        before=programs(f"yes {NOISE} >&2", transport="connect"))
def loud(field):
    look(field)


@attack("a plugin writes what is no frame without end", options=PLUGINS,
        before=programs(f"yes {NOISE}", transport="stdio"))
def babbling(field):
    look(field)


@attack("4 plugins send requests without end and read nothing", options=PLUGINS, memory_mib=32,
        before=programs("""yes '{{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}}'""", 4,
                        transport="stdio"))
def greedy(field):
    look(field)


@attack("20 plugins end at once, whenever they are started", options=PLUGINS,
        before=programs("exit 1", 20))
def short_lived(field):
    look(field)


@attack("20 plugins close their stream and stay", options=PLUGINS,
        before=programs("exec <&- >&-; exec sleep 1000", 20, transport="stdio"))
def closed(field):
    look(field)


@attack("20 plugins are stopped by a signal and owe their hello", options=PLUGINS,
        before=programs("kill -STOP $$", 20, transport="stdio"))
def stopped(field):
    look(field)


@attack("a plugin leaves 100 children, each with the stream", options=PLUGINS, late=True,
        before=programs("for n in $(seq 100); do sleep 1000 & done; echo $! >{folder}/child; wait",
                        transport="stdio", handshake="implicit"))
def children(field):
    field.start()
    path = field.file("child")
    field.until(lambda: os.path.exists(path) and open(path, encoding="ascii").read().strip(),
                "it has its children")
    with open(path, encoding="ascii") as file:
        child = int(file.read())
    field.halt()
    field.until(lambda: not os.path.exists(f"/proc/{child}"), "its children have ended with it")
