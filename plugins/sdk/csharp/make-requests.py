#!/usr/bin/env python3
"""make-requests.py [OPENRPC.json]: writes CallBroker/Requests.cs from the broker's own description, which is
the file or what `callbroker request rpc.discover --json` prints."""
import json
import os
import re
import subprocess
import sys
import textwrap
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "CallBroker", "Requests.cs")
RESERVED = {"event", "params", "in", "out", "is", "as", "new", "default"}
TYPES = {"string": "string", "boolean": "bool", "integer": "long"}
# The library itself sends and answers them.
OWN = {"broker.hello", "broker.cancel", "broker.goodbye", "events.unsubscribe"}

HEAD = """\
// Written by make-requests.py: not to be edited.
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
"""


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[._]", name))


def camel(name):
    word = pascal(name)
    word = word[:1].lower() + word[1:]
    return "@" + word if word in RESERVED else word


def type_of(param):
    """Of a member that may be left out, or null, it is one that can be null."""
    schema = param["schema"]
    kinds = [one.get("type") for one in schema.get("oneOf", [schema])]
    known = [kind for kind in kinds if kind != "null"]
    name = TYPES.get(known[0], "object") if len(known) == 1 else "object"
    is_value = name in ("bool", "long")
    return name + "?" if is_value and (not param["required"] or "null" in kinds) else name


def comment(indent, tag, text):
    name = tag.split(" ")[0]
    line = f"<{tag}>{escape(text)}</{name}>"
    return "\n".join(f"{indent}/// {part}" for part in textwrap.wrap(
        line, 100 - len(indent), break_long_words=False, break_on_hyphens=False))


def params_of(method):
    """Those that are needed first."""
    return sorted(method["params"], key=lambda param: not param["required"])


def signature(method):
    words = ["this Client client"]
    for param in params_of(method):
        words.append(f"{type_of(param)} {camel(param['name'])}" + ("" if param["required"] else " = null"))
    if method.get("result"):
        words.append("CancellationToken cancellation = default(CancellationToken)")
    whole = ", ".join(word.replace(" ", "\0") for word in words)
    return textwrap.fill(whole, 96, initial_indent=" " * 12, subsequent_indent=" " * 12).replace("\0", " ")


def body(method):
    given = "new JObject()"
    for param in params_of(method):
        name, value = param["name"], camel(param["name"])
        if param["required"]:
            given += f'.Needing("{name}", {value})'
        else:
            given += f'.And("{name}", {value})'
    indent = "\n" + " " * 16
    line = sent(method, given)
    return line if len(line) <= 100 else sent(method, given.replace(").", ")" + indent + "."))


def sent(method, given):
    call = f'RequestAsync("{method["name"]}", {given}, cancellation)' if method.get("result") \
        else f'Notify("{method["name"]}", {given})'
    return " " * 12 + f"client.{call};"


def request(method):
    indent = " " * 8
    lines = [comment(indent, "summary", method["summary"] + ".")]
    lines += [comment(indent, f'param name="{camel(param["name"]).lstrip("@")}"', param["summary"])
              for param in params_of(method) if param.get("summary")]
    kind, name = ("Task<JObject>", pascal(method["name"]) + "Async") if method.get("result") \
        else ("void", pascal(method["name"]))
    lines.append(f"{indent}public static {kind} {name}(\n{signature(method)}) =>\n{body(method)}")
    return "\n".join(lines)


def constant(method, name, text):
    indent = " " * 8
    return f'{comment(indent, "summary", method["summary"] + ".")}\n' \
           f'{indent}public const string {name} = "{text}";'


def block(summary, name, members, between):
    return f'{comment("    ", "summary", summary)}\n    public static class {name}\n    {{\n' \
        + between.join(members) + "\n    }\n"


def written(document):
    """The file."""
    methods = document["methods"]
    sent = [one for one in methods if one["x-direction"] != "to_client" and one["name"] not in OWN]
    received = [one for one in methods if one["x-direction"] != "to_broker" and not one.get("x-topic")]
    topics = [one for one in methods if one.get("x-topic")]
    return HEAD + "\n".join([
        block("All that a client sends: each request and notification under its name on the wire. A member "
              "that is null is left out, unless it is needed.", "Requests",
              [request(one) for one in sent], "\n\n"),
        block("All that the broker sends: requests for Client.Handle, notifications for Client.On.", "Received",
              [constant(one, pascal(one["name"]), one["name"]) for one in received], "\n"),
        block("The topics of events.", "Topics",
              [constant(one, pascal(one["x-topic"]), one["x-topic"]) for one in topics], "\n"),
    ]) + "}\n"


def discovered(arguments):
    if arguments:
        with open(arguments[0], encoding="utf-8") as file:
            return json.load(file)
    program = os.environ.get("CALLBROKER", "callbroker")
    return json.loads(subprocess.run([program, "request", "rpc.discover", "--json"], check=True,
                                     capture_output=True).stdout)


if __name__ == "__main__":
    text = written(discovered(sys.argv[1:]))
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write(text)
