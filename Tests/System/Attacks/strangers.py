"""Programs of another user, and a host that is short of what it has."""
import os
import socket
import subprocess
import sys

import roads
from attack import attack
from field import HANDLE, Failed, frame, hello

STRANGER = 65_534
# Connects so often, sends so many lines on each connection, and reads what comes.
PROGRAM = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
path, connections, lines = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
links = []
for _ in range(connections):
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(path)
        link.setblocking(False)
        link.send((sys.argv[4] + chr(10)).encode() * lines)
    except PermissionError:
        print("permission denied"); sys.exit()
    except OSError:
        pass
    links = [*links[-400:], link]
print("done", flush=True)
sys.stdin.read()
"""


def stranger(field, connections, lines, line):
    """What a process of another user says at the end."""
    process = field.process(
        sys.executable, "-c", PROGRAM, field.path, str(connections), str(lines), line,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    field.rest.callback(process.stdin.close)
    return process.stdout.readline().strip()


def open_to_all(field):
    """As where an administrator lets others in."""
    os.chmod(field.broker.folder, 0o755)
    os.chmod(field.path, 0o666)


PING = frame("broker.ping", 1).decode().strip()
HELLO = hello("provider", "controller", "admin", identity="org.example.good").decode().strip()


@attack("another user finds the socket closed", quick=True, root=True)
def shut(field):
    if stranger(field, 10, 1, PING) != "permission denied":
        raise Failed("another user can connect")


READER = """
import os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
read = []
for path in sys.argv[1:]:
    try:
        open(path, "rb"); read.append(path)
    except PermissionError:
        pass
print(" ".join(read))
"""


def unmasked(folder):
    """A state folder that others may look into, and programs whose files are for all."""
    os.chmod(folder, 0o755)
    os.mkdir(os.path.join(folder, "state"), 0o755)


@attack("another user reads nothing of what is kept, whatever the umask", quick=True, root=True, late=True,
        before=unmasked)
def readers(field):
    before = os.umask(0)
    try:
        field.start()
    finally:
        os.umask(before)
    user = field.peer("controller", "admin")
    user.result("block.add", handle=HANDLE)
    user.result("directory.put_entries", source="org.example.all", generation=1, final=True, entries=[
        {"number": 15_550_123, "label": "Ada"}])
    state = field.file("state")
    files = [os.path.join(path, name) for path, _, names in os.walk(state) for name in names]
    if not {"journal", "store.sqlite"} <= {os.path.basename(path) for path in files}:
        raise Failed(f"nothing is kept but {files}")
    told = subprocess.run([sys.executable, "-c", READER, *files], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()
    user.result("directory.clear", source="org.example.all")
    if told:
        raise Failed(f"another user can read {told}")


@attack("an app in a sandbox of its own ends, and its call with it", quick=True, root=True)
def sandboxed(field):
    mortal = os.path.join(os.path.dirname(roads.HERE), "Reliability", "mortal.py")
    app = field.process("unshare", "--pid", "--fork", "--kill-child", sys.executable, mortal,
                        field.path, "org.example.boxed", "{}", stdout=subprocess.PIPE, text=True)
    call = app.stdout.readline().strip()
    watcher = field.peer("observer")
    watcher.result("call.get", call=call)
    app.kill()
    app.wait()
    field.until(lambda: "error" in watcher.ask("call.get", call=call), "its call is over", 4)


@attack("another user connects 5,000 times", root=True)
def connects(field):
    open_to_all(field)
    stranger(field, 5_000, 1, PING)


@attack("another user sends 200,000 requests", root=True, memory_mib=24)
def requests(field):
    open_to_all(field)
    stranger(field, 400, 500, PING)


@attack("another user sends hellos with every role", quick=True, root=True)
def hellos(field):
    open_to_all(field)
    stranger(field, 200, 20, HELLO)


@attack("the broker has no descriptors left", options=["--config", "{folder}/few.json"],
        before=lambda folder: few(folder))
def descriptors(field):
    links = []
    for _ in range(400):
        link = socket.socket(socket.AF_UNIX)
        link.setblocking(False)
        try:
            link.connect(field.path)
        except BlockingIOError:
            break
        links.append(link)
        field.rest.callback(link.close)
    field.until(lambda: refused(links), "those above the limit are told so")


def refused(links):
    """Whether the last one has its goodbye."""
    try:
        return b"too_many_connections" in links[-1].recv(65_536)
    except BlockingIOError:
        return False


def few(folder):
    with open(os.path.join(folder, "few.json"), "w", encoding="ascii") as file:
        file.write('{"limits":{"connections":200}}')
