"""Bytes that are no messages, or messages that are as much work as a line can be."""
from attack import attack
from field import frame, hello

LINE = 65_536


def line(text):
    """As long as a line may be, with its end."""
    assert len(text) < LINE, len(text)
    return text + b"\n"


def ping(id, payload):
    return b'{"jsonrpc":"2.0","id":%d,"method":"broker.ping","params":{"payload":%s}}' % (id, payload)


def flood(field, count, times, data, lines):
    """So many connections send this so often, one after the other, and read the replies."""
    crowd = field.crowd(count)
    for _ in range(times):
        crowd.ask(data, lines)


@attack("1,000 clients send the first half of a line")
def halves(field):
    crowd = field.crowd(1_000)
    crowd.push(b"[" + b" " * (LINE // 2))
    field.crowd(1, frame("broker.ping", 1), 1)


@attack("500 clients send a line byte by byte")
def drops(field):
    crowd = field.crowd(500)
    text = frame("broker.ping", 1)
    for index in range(len(text) - 1):
        crowd.push(text[index:index + 1])
    crowd.ask(text[-1:], 1)


@attack("20 clients send lines without an end, 80 MiB in all")
def endless(field):
    crowd = field.crowd(20)
    for _ in range(64):
        crowd.push(b"x" * LINE)
    crowd.ask(b"\n", 1)


@attack("20 clients send lines as deep as they may be", quick=True)
def deep(field):
    payload = b"[" * 30 + b"]" * 30
    flood(field, 20, 40, ping(1, b"[" + b",".join([b"[" * 28 + b"]" * 28] * 140) + b"]") + b"\n"
          + ping(2, payload) + b"\n", 2)


@attack("20 clients send lines deeper than they may be")
def deeper(field):
    flood(field, 20, 3, line(b"[" * (LINE - 1)) * 20, 20)


@attack("20 clients send lines with as many values as they may have")
def wide(field):
    flood(field, 20, 40, line(ping(1, b"[" + b",".join([b"1"] * 4_000) + b"]")), 1)


@attack("20 clients send lines with too many values")
def wider(field):
    flood(field, 20, 3, line(ping(1, b"[" + b"1," * 32_000 + b"1]")) * 20, 20)


@attack("20 clients send objects whose names are all the same")
def twins(field):
    names = b",".join([b'"a":1'] * 4_000)
    flood(field, 20, 40, line(ping(1, b"{" + names + b"}")), 1)


@attack("20 clients send objects with thousands of names")
def names(field):
    members = b",".join(b'"n%d":1' % n for n in range(4_000))
    flood(field, 20, 40, line(ping(1, b"{" + members + b"}")), 1)


@attack("20 clients send batches of the longest replies")
def batches(field):
    entry = b'{"jsonrpc":"2.0","id":%d,"method":"broker.describe","params":{"name":"policy.set"}}'
    batch = b"[" + b",".join(entry % n for n in range(32)) + b"]\n"
    flood(field, 20, 25, batch, 1)


@attack("50 clients send what is no JSON, come back and go on", quick=True)
def garbage(field):
    for _ in range(20):
        crowd = field.crowd(50)
        crowd.ask(b'\xff\xfe{"a":\x00}\n' * 64, 64)
        crowd.close()


@attack("20 clients send numbers and strings that are hard to read")
def hard(field):
    numbers = b",".join([b"0." + b"1" * 200 + b"e-300", b"1e308", b"-9223372036854775808"] * 200)
    escapes = b'"' + b"\\ud83d\\ude00" * 2_000 + b'"'
    data = line(ping(1, b"[" + numbers + b"]")) + line(ping(2, escapes))
    flood(field, 20, 30, data, 2)


@attack("20 clients repeat hellos that are refused")
def hellos(field):
    wrong = b"".join(hello("provider", identity="org.example.good", id=n) for n in range(50))
    flood(field, 20, 10, wrong, 50)
