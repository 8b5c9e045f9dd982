"""Talk to CallBroker, the call system of a Linux host. One file, standard library only.

A provider is an app that owns calls, a controller asks for things to be done to calls, an observer
watches them. Each is a class here, and each has two faces. With asyncio::

    async with Controller("my-screen") as phone:
        await phone.answer(call)

without it (a thread of its own does the talking)::

    with Controller("my-screen") as phone:
        phone.answer(call).result()

Every request returns a `Reply`, which can be awaited and has `result()`. An error of the broker is
raised as a `BrokerError`, one class for each code. Ids are UUIDs in lower case, `*_ms` are
durations in milliseconds, `*_at_ms` Unix times in milliseconds; nothing is ever a float.
"""
from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import inspect
import itertools
import json
import logging
import os
import signal
import socket as sockets
import sys
import threading
from typing import (TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Deque, Dict,
                    Generator, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Type,
                    TypedDict, TypeVar, Union)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__version__ = "0.1.0"
log = logging.getLogger("callbroker")

JSON = Dict[str, Any]
T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])
Handler = Callable[..., Any]                    # plain or async
Then = Callable[[JSON], None]

FRAME_BYTES = 65_536                            # of what we send, the line feed included
FRAME_BYTES_RECEIVED = 1_048_576                # only rpc.discover comes near it
LINE_SETTING_SECONDS = 65.0                     # for a network to change a setting
PUSH_SECONDS = 640.0                            # for a push to find its app and be handled
OPENING_SECONDS = 10.0                          # for hello and registration, then anew
RECONCILED_AT_ONCE = 32                         # calls in one provider.register
ACTIONS_REMEMBERED = 256                        # settled ones, to answer a repetition alike
# They repeat the number of the latest event.
UNNUMBERED = {"plugin.log", "call.allowed_changed", "call.quality", "host.presence"}
EVENTS_KEPT = 10_000                            # for a consumer who is slower than the calls


# ---- What goes over the wire

class Handle(TypedDict):
    """A remote address: `type` is phone, email or generic, `value` at most 256 bytes."""
    type: str
    value: str


class Endpoint(TypedDict, total=False):
    """A place where sound comes out and goes in. `endpoint` and `kind` are needed."""
    endpoint: str                               # its id, unique in its list, at most 256 bytes
    kind: str                                   # earpiece, speaker, wired, bluetooth, streaming, ...
    name: str                                   # for people, at most 128 bytes
    state: str                                  # available (if left out), in_use, unavailable


class Update(TypedDict, total=False):
    """What a provider may say of a call besides `remote`. Only what is set counts; None clears."""
    display_name: Optional[str]                 # at most 128 bytes
    has_video: bool                             # false until said otherwise
    supports_holding: bool                      # this and the next three: true until said otherwise
    supports_grouping: bool
    supports_ungrouping: bool
    supports_dtmf: bool
    supports_transfer: bool                     # this and the next two: false until said otherwise
    supports_attended_transfer: bool
    supports_deflect: bool
    remote_held: bool                           # the far end holds us, not we it
    has_early_media: bool                       # the far end sends sound before its answer
    priority: str                               # normal, priority_caller, emergency, background
    line: Optional[str]                         # the id of the registered `Line` that has the call
    endpoints: Optional[Sequence[Endpoint]]     # where the app lets sound out, at most 16
    elsewhere: Optional[str]                    # the other device that has it, or has answered it
    supports_pull: bool                         # it can be pulled here from there; false at first
    forwarded_from: Optional[Handle]            # for whom it was meant, before it was forwarded
    verification: Optional[str]                 # passed, failed, none: is the number the caller's?
    external_id: Optional[str]                  # as the app's protocol names it; at most 256 bytes
    video: str                                  # off, send, receive, both: beside has_video
    supports_set_video: bool                    # false until said otherwise
    has_text: bool                              # real-time text; false until said otherwise
    supports_set_text: bool                     # false until said otherwise


class LineSetting(TypedDict, total=False):
    """What the network keeps for a line. `setting` and `on` are needed."""
    setting: str                                # forward_always, forward_busy, forward_no_reply,
    #                                             forward_unreachable, call_waiting,
    #                                             caller_id_hidden
    on: bool
    to: Handle                                  # where calls are forwarded
    after_ms: int                               # of forward_no_reply, in milliseconds


class Line(TypedDict, total=False):
    """An account of a provider, such as a SIP address or a SIM card. `line` and `label` are
    needed."""
    line: str                                   # its id, unique in the app, at most 64 bytes
    label: str                                  # the name for people, at most 128 bytes
    handle: Handle                              # its own number or address
    url_schemes: Sequence[str]                  # that it dials; those of the app if left out
    default: bool                               # of one at most: places calls that name no line
    state: str                                  # registered (if left out), registering, failed, off
    reason: str                                 # the network's words for the state
    max_calls: int                              # 1...1,000; the app's limit alone if left out
    messages_waiting: int                       # for the user
    voicemail: Handle
    settings: Sequence[LineSetting]             # that the app can change, one of a kind


class LiveCall(Update, total=False):
    """A call as a provider lists it after it was away. `call`, `direction` (incoming, outgoing),
    `state` (ringing, dialing, alerting, connecting, active, held, external) and `remote` are
    needed."""
    call: str
    remote: Handle
    direction: str
    state: str
    connected_at_ms: int


class EndDetail(TypedDict, total=False):
    """The end of a call in the words of its app. `reason` is one of busy, rejected, no_answer,
    unreachable, invalid_number, not_allowed, no_credit, not_registered, transferred, deflected,
    pulled, answered_elsewhere, declined_elsewhere, network_error, media_error, service_error, or a
    word of the app's own. Left out, it is that of the code, where the broker knows the code."""
    reason: str
    text: str                   # one line for people, at most 256 bytes
    code: str                   # of the protocol or network, such as "SIP 486" or "Q.850 17"


class Cause(TypedDict, total=False):
    """Who wanted it: user, app, provider, remote, arbitration, timeout, policy or admin."""
    origin: str
    rule: str
    transaction: str
    because_of: str


class Call(Update, total=False):
    """A call as the broker tells it. Unknown states and members may appear: treat as "other"."""
    call: str
    remote: Handle
    provider: str
    direction: str
    state: str                  # starting, dialing, alerting (to clients with that feature),
                                # ringing, waiting, connecting, active, held, ending, ended
    pending_action: str
    can_hold_now: bool
    held_because_of: str
    muted: bool
    group: str                  # the id of the group's oldest member; a lone call: its own
    caller: JSON
    provider_connected: bool
    allowed: List[str]          # the verbs that would be accepted right now
    merge_with: List[str]       # the groups that it could be merged with
    paused_tones: JSON          # digits, until (time or user): the tones that wait behind a pause
    created_at_ms: int
    alerting_at_ms: int
    connecting_at_ms: int
    connected_at_ms: int
    ended_at_ms: int
    end_reason: str
    end_cause: Cause
    end_detail: EndDetail
    failure: JSON               # code, reason, message, app_code: why its app would not go on
    missed_reasons: List[str]
    rev: int


class Requested(TypedDict, total=False):
    """An action to ask for in a transaction. `kind`, `call` and `arguments` are needed."""
    kind: str                   # start answer end set_held set_muted set_group play_dtmf transfer ...
    call: str
    provider: str
    arguments: JSON


class Options(TypedDict, total=False):
    """What every verb of a controller takes besides its own members."""
    transaction: str            # an id of your own: asked twice with it, it is done once
    deadline_ms: int            # 1...600,000 for each action, from its dispatch
    dry_run: bool               # tell the plan, change nothing
    on_conflict: str            # hold (default), or end, which only the user may say
    wait: str                   # accepted (default), or completed


class Transaction(TypedDict, total=False):
    """What became of a request, or of a dry run (which has `refusal` and no `transaction`)."""
    transaction: str
    state: str                  # accepted, completed, failed
    actions: List[JSON]
    would_start: List[str]
    video_fallback: str         # audio: started without the requested video
    would_hold: List[str]
    would_end: List[str]
    would_activate: List[str]
    refusal: Optional[JSON]
    joined: bool
    replayed: bool
    dry_run: bool
    seq: int


class Registration(TypedDict, total=False):
    """How a provider presents itself besides its name."""
    handle_types: Sequence[str]
    url_schemes: Sequence[str]
    supports_video: bool
    supports_text: bool         # real-time text
    max_call_groups: int        # 2 by default
    max_calls_per_group: int    # 5 by default
    includes_in_recents: bool
    ringtone: str
    icon: str
    action_deadlines: Mapping[str, int]         # kind to milliseconds, 1,000...600,000
    ring_timeout_ms: int                        # 5,000...120,000
    grace_ms: int                               # 0...30,000: how long calls outlive the connection
    resume_when_freed: bool
    app_process: str            # self, or separate: the app lives on when this process ends
    kind: str                   # app (by default), adapter, modem or watched
    lines: Sequence[Line]       # at most 32; calls name them
    start_by: Optional[Mapping[str, str]]       # dbus or desktop: the name by which calls start it
    push_types: Sequence[str]   # what `on_push` takes: voip, file_provider, complication; at most 8


class Event(TypedDict, total=False):
    """Something that happened. `topic` is snapshot (not on the wire) when all was read anew."""
    subscription: int
    epoch: str
    seq: int
    prev: int
    at_ms: int
    topic: str
    call: str
    provider: str
    data: JSON


def new_id() -> str:
    """A fresh id for a call or a transaction."""
    import uuid                                 # this and others: not before somebody needs them
    return str(uuid.uuid4())


def phone(number: str) -> Handle:
    """The address of a telephone, best written with + and the country's code."""
    return {"type": "phone", "value": number}


def generic(address: str) -> Handle:
    """Any other address, such as a SIP URI."""
    return {"type": "generic", "value": address}


# ---- Errors

class Disconnected(ConnectionError):
    """There is no connection, or it was lost before the reply. The request may have been done."""


class Failed(Exception):
    """Raise it in a handler to refuse what was asked.

    `reason` is a stable word in snake_case, the message is for people, `app_code` the code of the
    app's protocol or network, such as "SIP 486". Of a start or an answer that fails they are the
    `EndDetail` of its call; there the reason is that of the code if none is given.
    """

    def __init__(self, reason: str = "unspecified", message: str = "", code: int = -32000, *,
                 app_code: Optional[str] = None) -> None:
        is_silent = reason == "unspecified" and app_code
        super().__init__(message or (app_code if is_silent else reason.replace("_", " ")))
        self.reason = reason
        self.message = message
        self.code = code
        self.app_code = app_code

    def json(self) -> JSON:
        """The error object of the wire."""
        data = _some({"reason": self.reason}, app_code=self.app_code)
        return {"code": self.code, "message": self.message, "data": data}


class BrokerError(Exception):
    """An error reply. Decide by class and `reason`; the message is for people."""

    code = -32000
    classes: Dict[int, Type[BrokerError]] = {}

    def __init__(self, error: JSON) -> None:
        code, data = error.get("code"), error.get("data")
        super().__init__(str(error.get("message", "")))
        if isinstance(code, int):
            self.code = code
        self.data: JSON = data if isinstance(data, dict) else {}
        self.reason = str(self.data.get("reason", ""))
        self.retryable = self.data.get("retryable") is True
        self.retry_after_ms: Optional[int] = self.data.get("retry_after_ms")
        self.field: Optional[str] = self.data.get("field")                  # a JSON pointer
        self.rule: Optional[str] = self.data.get("rule")                    # of the rules of calls
        self.limit: Optional[JSON] = self.data.get("limit")                 # name, value
        self.blocking: List[JSON] = self.data.get("blocking") or []         # call, provider
        self.hint: Optional[str] = self.data.get("hint")
        self.callkit: Optional[JSON] = self.data.get("callkit")             # domain, code, name

    def __init_subclass__(cls, code: int) -> None:
        cls.code = code
        BrokerError.classes[code] = cls

    def __str__(self) -> str:
        return f"{super().__str__()} ({self.reason})" if self.reason else super().__str__()

    @staticmethod
    def made(error: Any) -> BrokerError:
        """The error of the class that belongs to the code."""
        error = error if isinstance(error, dict) else {}
        code = error.get("code")
        kind = BrokerError.classes.get(code, BrokerError) if isinstance(code, int) else BrokerError
        return kind(error)


class ParseError(BrokerError, code=-32700):
    """What was sent is not JSON as the broker accepts it."""
class InvalidRequest(BrokerError, code=-32600):
    """What was sent is no request."""
class MethodNotFound(BrokerError, code=-32601):
    """This broker has no such method."""
class InvalidParams(BrokerError, code=-32602):
    """A member is missing, unknown or wrong: see `field`."""
class InternalError(BrokerError, code=-32603):
    """An error of the broker's own."""
class HelloRequired(BrokerError, code=-32002):
    """The session is not open."""
class PermissionDenied(BrokerError, code=-32003):
    """unentitled, role_not_granted, call_is_protected, disabled."""
class NotFound(BrokerError, code=-32004):
    """unknown_call, call_ended, unknown_provider, unknown_line, unknown_endpoint, no_directory."""
class AlreadyExists(BrokerError, code=-32005):
    """call_uuid, identity: in use."""
class InvalidState(BrokerError, code=-32006):
    """Not now: cannot_hold, hold_failed, busy, already_dialing, emergency, ... See `blocking`."""
class LimitReached(BrokerError, code=-32007):
    """max_call_groups, max_ringing, max_held, ... See `limit`."""
class Filtered(BrokerError, code=-32008):
    """An incoming call that is not to ring: do_not_disturb, block_list, screener, ..."""
class DeadlineExceeded(BrokerError, code=-32009):
    """A provider did not answer in time."""
class Cancelled(BrokerError, code=-32010):
    """Taken back before it was done."""
class FrameLimit(BrokerError, code=-32011):
    """A frame too large, too deep, or with too many values."""
class Overloaded(BrokerError, code=-32012):
    """Too many requests are open: see `retry_after_ms`."""
class ProviderFailed(BrokerError, code=-32013):
    """The provider said no: `data["provider_error"]` holds code, message, reason and app_code."""
class ProviderGone(BrokerError, code=-32014):
    """The provider was lost while it was at it."""
class VersionUnsupported(BrokerError, code=-32015):
    """The broker does not speak this version of the protocol."""
class Stopping(BrokerError, code=-32018):
    """The broker is stopping."""


# ---- Replies

class Reply(concurrent.futures.Future[T]):
    """The reply to a request: await it, or call `result()` in a thread that is not the loop's.

    `cancel()` takes the request back; the broker may have done it already.
    """

    loop: Optional[asyncio.AbstractEventLoop] = None

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()

    def result(self, timeout: Optional[float] = None) -> T:
        """Waits for the reply, at most `timeout` seconds; the request goes on all the same."""
        if not self.done() and self.loop is not None and _running_loop() is self.loop:
            raise RuntimeError("this would wait for ever: await the reply instead")
        return super().result(timeout)

    def settle(self, result: Any = None, error: Optional[BaseException] = None) -> None:
        """Sets the outcome, unless there is one or nobody wants it."""
        with contextlib.suppress(concurrent.futures.InvalidStateError):
            if error is not None:
                self.set_exception(error)
            else:
                self.set_result(result)


def _running_loop() -> Optional[asyncio.AbstractEventLoop]:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


# ---- The connection

def default_socket() -> str:
    """Where the broker listens, unless BROKER_SOCKET says otherwise."""
    if os.environ.get("BROKER_SOCKET"):
        return os.environ["BROKER_SOCKET"]
    if os.environ.get("XDG_RUNTIME_DIR"):
        return os.path.join(os.environ["XDG_RUNTIME_DIR"], "callbroker", "broker.sock")
    if os.getuid() == 0:
        return "/run/callbroker/broker.sock"
    import tempfile
    return os.path.join(tempfile.gettempdir(), f"callbroker-{os.getuid()}", "broker.sock")


def run_program(name: str, work: Callable[[], Coroutine[Any, Any, None]], verbose: bool = False,
                *refusals: Type[Exception]) -> int:
    """Runs a program until its work is done; its exit status. What the broker, the system or one
    of the `refusals` refuses ends it with 1 and a line on standard error. The log goes there, too:
    warnings, and with `verbose` what is going on."""
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING,
                        format="%(name)s: %(message)s")
    try:
        asyncio.run(work())
    except (BrokerError, OSError, *refusals) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    return 0


def plugin_options() -> JSON:
    """What the user has set for this plugin (`callbroker plugin set`), for whoever has to know it
    before there is a session; `hello["options"]` has secrets, too."""
    try:
        options = json.loads(os.environ.get("BROKER_OPTIONS", "{}"))
    except ValueError:
        return {}
    return options if isinstance(options, dict) else {}


def stdio() -> sockets.socket:
    """The connection of a plugin that the broker started with `"transport": "stdio"`.

    From then on `print` writes to standard error, which the broker keeps as the plugin's log.
    """
    connection = sockets.socket(fileno=os.dup(0))
    os.dup2(2, 1)
    return connection


class Client:
    """A connection to the broker that opens a session and renews it when it is lost.

    Args:
        name: of the program, for logs and lists.
        identity: a stable name like `org.example.phone`; providers and plugins need one.
        version: of the program.
        url: where to read about it.
        credential: of `grant.issue`, for another user's broker or from a container.
        features: what it understands beside what everybody has to: `presentation`, `tone`,
            `alerting`. `hello["features"]` has those of the broker, with `version` and `granted`.
        socket: a path, or a socket that is connected already (then nothing is renewed).
        timeout: seconds for each request, after which it is cancelled and raises `TimeoutError`.
        backoff: seconds before a new try, the first and the longest; it doubles in between.
    """

    roles: Tuple[str, ...] = ("observer",)

    def __init__(self, name: str, *, identity: Optional[str] = None, version: str = __version__,
                 url: Optional[str] = None, credential: Optional[str] = None,
                 features: Sequence[str] = (),
                 socket: Union[str, sockets.socket, None] = None,
                 timeout: Optional[float] = None,
                 backoff: Tuple[float, float] = (0.1, 5.0)) -> None:
        self.name = name
        self.identity = identity
        self.version = version
        self.hello: JSON = {}
        """The broker's reply to the latest hello: limits, options, granted_roles, ..."""
        self._url = url
        self._credential = credential
        self._features = list(features)
        self._socket = socket
        self._timeout = timeout
        self._backoff = backoff
        self._handlers: Dict[str, Handler] = {}
        self._ids = itertools.count(1)
        self._pending: Dict[int, Tuple[Reply[Any], Optional[Then]]] = {}
        self._backlog: List[Tuple[Reply[Any], Callable[[], None]]] = []
        self._serving: Dict[Any, asyncio.Task[JSON]] = {}
        self._tasks: Set[asyncio.Task[JSON]] = set()
        self._worker = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="callbroker")
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._main: Optional[asyncio.Task[None]] = None
        self._thread: Optional[threading.Thread] = None
        self._writer: Optional[asyncio.StreamWriter] = None
        self._ready = False
        self._up: Reply[None] = Reply()
        self._closed = False
        self._over = False
        self._gate = threading.Lock()           # what passes it before the end is still done
        self._resumable = False
        self._retry_after = 0.0

    # -- Life

    async def __aenter__(self) -> Self:
        self._main = asyncio.ensure_future(self._live(patient=False))
        try:
            await self._up
        except BaseException:
            self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        if self._main is not None:
            await self._main

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live(patient=False)),
                                        name="callbroker", daemon=True)
        self._thread.start()
        self._up.result()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Serves until `close()` or Ctrl-C. Waits for a broker that is not there yet."""
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(self.serve())

    async def serve(self) -> None:
        """The same for asyncio."""
        self._loop = asyncio.get_running_loop()     # who asks at the same time is heard
        await asyncio.ensure_future(self._live(patient=True))

    async def serve_beside(self, *work: Coroutine[Any, Any, None]) -> None:
        """Serves until SIGTERM, Ctrl-C or the broker's goodbye for good, with other work beside,
        which is cancelled then. If some of that fails, this ends with its error."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.close)
        serving = asyncio.ensure_future(self.serve())
        going = {serving, *map(asyncio.ensure_future, work)}
        try:
            while not serving.done():
                done, going = await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    each.result()               # what failed is an end, and the next one goes on
        finally:
            for each in going:
                each.cancel()
            if going:
                await asyncio.wait(going)

    def close(self, resumable: bool = False) -> None:
        """Says goodbye and ends, from any thread; `resumable`: to come back soon. A provider's
        calls wait for it as long as its grace says."""
        self._resumable = resumable
        self._post(self._stop)

    @property
    def connected(self) -> bool:
        """Whether a session is open."""
        return self._ready

    # -- Handlers and requests

    def on(self, name: str) -> Callable[[Function], Function]:
        """Decorates what is called with the params of that notification or request of the broker.

        What it returns is the result of a request; `Failed` is its error. A plain function runs
        in a thread, one after another, and may block; an async one runs in the loop and is
        cancelled when the broker takes its request back.
        """
        def decorate(function: Function) -> Function:
            self._handlers[name] = function
            return function
        return decorate

    def request(self, method: str, params: Optional[JSON] = None, *,
                timeout: Optional[float] = None, then: Optional[Then] = None,
                opening: bool = False) -> Reply[Any]:
        """Sends any request. `then` sees the result before any later frame is looked at.

        While a new session is being opened requests wait for it, but those that are `opening` it.
        """
        reply: Reply[Any] = Reply()
        seconds = self._timeout if timeout is None else timeout

        def start() -> None:
            if self._writer is not None and not opening and self._must_wait(method):
                self._backlog.append((reply, start))
            else:
                self._start(reply, method, params or {}, seconds, then)
        self._post(start, reply)
        return reply

    def _must_wait(self, method: str) -> bool:
        return not self._ready

    def notify(self, method: str, params: JSON) -> None:
        """Sends any notification; without a connection it is dropped."""
        self._post(lambda: self._send({"method": method, "params": params}))

    def log(self, level: str, message: str, **fields: Any) -> None:
        """A line for the broker's log: debug, info, notice, warning or error."""
        params = _some({"level": level, "message": message}, fields=fields or None)
        self.notify("broker.log", params)

    def ping(self, payload: Any = None) -> Reply[JSON]:
        """Asks whether the broker is alive; the payload comes back."""
        return self._ask("broker.ping", {}, payload=payload)

    def info(self) -> Reply[JSON]:
        """Who is serving: name, version, instance, epoch, seq, uptime_ms, counts, journal."""
        return self.request("broker.info")

    def describe(self, name: str) -> Reply[JSON]:
        """The OpenRPC entry of a method or event."""
        return self._ask("broker.describe", {"name": name})

    def discover(self) -> Reply[JSON]:
        """The OpenRPC document of the whole protocol."""
        return self.request("rpc.discover")

    def _ask(self, method: str, needed: JSON, **optional: Any) -> Reply[Any]:
        return self.request(method, _some(needed, **optional))

    def _post(self, work: Callable[[], None], reply: Optional[Reply[Any]] = None) -> None:
        if reply is not None:
            reply.loop = self._loop
        with self._gate:
            loop = None if self._over else self._loop
            if loop is not None and loop is not _running_loop():
                try:
                    loop.call_soon_threadsafe(work)
                    return
                except RuntimeError:            # it was closed by somebody else
                    loop = None
        if loop is not None:
            work()
        elif reply is not None:                 # never begun, or over
            reply.settle(error=Disconnected("not connected"))

    def _start(self, reply: Reply[Any], method: str, params: JSON, seconds: Optional[float],
               then: Optional[Then]) -> None:
        if self._loop is None or reply.done():
            return
        number = next(self._ids)
        try:
            self._send({"id": number, "method": method, "params": params})
        except (BrokerError, Disconnected, ValueError, TypeError) as error:
            return reply.settle(error=error)
        self._pending[number] = (reply, then)
        timer = None if seconds is None else self._loop.call_later(
            seconds, lambda: reply.settle(error=TimeoutError(f"no reply to {method}")))
        reply.add_done_callback(lambda _: self._post(lambda: self._let_go(number, timer)))

    def _let_go(self, number: int, timer: Optional[asyncio.TimerHandle]) -> None:
        """After the outcome, whoever made it: a request that is still open is taken back."""
        if timer is not None:
            timer.cancel()
        if self._pending.pop(number, None) is not None:
            self._send({"method": "broker.cancel", "params": {"request": number}})

    def _send(self, frame: JSON) -> None:
        text = json.dumps({"jsonrpc": "2.0", **frame}, separators=(",", ":"), ensure_ascii=False,
                          allow_nan=False)
        line = text.encode("utf-8") + b"\n"
        most = int(self.hello.get("limits", {}).get("frame_bytes", FRAME_BYTES))
        if len(line) > most:
            raise FrameLimit({"code": -32011, "message": "the frame is too long to be sent", "data":
                              {"reason": "frame_bytes", "limit":
                               {"name": "frame_bytes", "value": most}}})
        if self._writer is None:
            if "id" in frame:
                raise Disconnected("not connected")
            return
        self._writer.write(line)

    # -- Sessions

    async def _live(self, patient: bool) -> None:
        self._loop = self._up.loop = asyncio.get_running_loop()
        self._main = asyncio.current_task()
        try:
            await self._sessions(patient)
        except asyncio.CancelledError:
            if not self._closed:
                raise
        except Exception as error:
            self._up.settle(error=error)
            raise
        finally:
            self._closed = True
            self._up.settle(error=Disconnected("closed"))
            for task in [*self._tasks, *self._serving.values()]:
                task.cancel()
            self._ended()
            with self._gate:
                self._over = True
            self._worker.shutdown(wait=False)

    async def _sessions(self, patient: bool) -> None:
        """One session after the other."""
        tries = 0
        while not self._closed:
            try:
                await self._session()
                tries = 0
            except (OSError, BrokerError) as error:
                log.info("no session: %s", error)
                hopeless = isinstance(error, BrokerError) and not (
                    error.retryable or isinstance(error, (AlreadyExists, Overloaded, Stopping)))
                if patient and hopeless:
                    raise
                if hopeless or not (patient or self._up.done()):
                    return self._up.settle(error=error)
            if isinstance(self._socket, sockets.socket):
                return
            await asyncio.sleep(max(self._delay(tries), self._retry_after))
            tries += 1

    def _delay(self, tries: int) -> float:
        """The seconds before the next session, after so many tries."""
        import random
        first, longest = self._backoff
        return min(first * 2 ** min(tries, 16), longest) * random.uniform(0.8, 1.2)

    async def _session(self) -> None:
        """One connection from its first byte to its last."""
        self._retry_after = 0.0
        where: JSON = ({"sock": self._socket} if isinstance(self._socket, sockets.socket)
                       else {"path": self._socket or default_socket()})
        reader, writer = await asyncio.open_unix_connection(limit=FRAME_BYTES_RECEIVED, **where)
        self._writer = writer
        reading = asyncio.ensure_future(self._read(reader))
        try:
            await self._open()
            self._begin()
            await asyncio.wait({reading})
        finally:
            if not reading.done():
                self._send({"method": "broker.goodbye", "params": {
                    "reason": "closed", "resumable": self._resumable or not self._closed}})
                reading.cancel()
            self._lost()
            writer.close()

    def _begin(self) -> None:
        self._ready = self._writer is not None
        self._catch_up()
        self._up.settle()

    def _catch_up(self) -> None:
        backlog, self._backlog = self._backlog, []
        for _, start in backlog:
            start()

    async def _open(self) -> None:
        hello = _some({
            "protocol": {"min": 1, "max": 1},
            "client": _some({"name": self.name, "version": self.version}, url=self._url),
            "roles": list(self.roles)}, identity=self.identity, credential=self._credential,
            features=self._features or None)
        session = self.hello.get("session")
        if session and "provider" in self.roles:
            hello["resume"] = {"session": session["session"], "secret": session["secret"]}
        self.hello = await self.request("broker.hello", hello, timeout=OPENING_SECONDS,
                                        opening=True)
        for denied in self.hello.get("denied_roles", []):
            if denied.get("role") == self.roles[0]:
                raise PermissionDenied({"code": -32003, "message": f"no {self.roles[0]} here",
                                        "data": {"reason": denied.get("reason", "")}})
        await self._opened()

    async def _opened(self) -> None:
        """What a kind of client does first in a new session."""

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                line = await reader.readline()
                if not line:
                    break
                try:
                    self._receive(line)
                except Exception:               # nothing that comes in may end the session
                    log.exception("ignored a frame of %d bytes", len(line))
        except (ValueError, OSError) as error:  # ValueError: a line that is far too long
            log.warning("connection lost: %s", error)
        finally:
            self._lost()

    def _lost(self) -> None:
        self._writer, self._ready = None, False
        pending, self._pending = self._pending, {}
        backlog, self._backlog = self._backlog, []
        for reply, _ in [*pending.values(), *backlog]:
            reply.settle(error=Disconnected("connection lost"))
        for task in self._serving.values():
            task.cancel()
        self._serving = {}

    def _ended(self) -> None:
        """Nothing will come any more."""

    def _stop(self) -> None:
        self._closed = True
        if self._main is not None and not self._main.done():
            self._main.cancel()

    # -- Frames

    def _receive(self, line: bytes) -> None:
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            if line.strip():
                log.warning("ignored a line of %d bytes that is no frame", len(line))
            return
        method, params = frame.get("method"), frame.get("params")
        if not isinstance(method, str):
            return self._replied(frame)
        params = params if isinstance(params, dict) else {}
        if "id" in frame:
            self._requested(frame["id"], method, params)
        else:
            self._notified(method, params)

    def _replied(self, frame: JSON) -> None:
        number = frame.get("id")
        if type(number) is not int or number not in self._pending:
            return log.debug("ignored a reply: %s", frame.get("error"))     # late, twice, unasked
        reply, then = self._pending.pop(number)
        if "error" in frame:
            reply.settle(error=BrokerError.made(frame["error"]))
        else:
            result = frame.get("result")
            result = result if isinstance(result, dict) else {}
            try:
                if then is not None:
                    then(result)
                reply.settle(result)
            except Exception as error:
                reply.settle(error=error)
                raise

    def _requested(self, number: Any, method: str, params: JSON) -> None:
        if method == "broker.ping":
            result = {"payload": params["payload"]} if "payload" in params else {}
            return self._send({"id": number, "result": result})
        handler = self._handlers.get(method)
        if handler is None:
            return self._answer(number, {"error": _unsupported(method)})
        task = self._serving[number] = asyncio.ensure_future(self._outcome(handler, params))
        writer = self._writer
        task.add_done_callback(lambda _: self._answered(number, task, writer))

    def _answered(self, number: Any, task: asyncio.Task[JSON],
                  writer: Optional[asyncio.StreamWriter]) -> None:
        if self._serving.get(number) is task:
            del self._serving[number]
        if writer is self._writer and writer is not None:
            self._answer(number, _result(task))

    def _answer(self, number: Any, outcome: JSON) -> None:
        """Every request is answered exactly once, also with what cannot be sent."""
        try:
            self._send({"id": number, **outcome})
        except (FrameLimit, TypeError, ValueError):
            log.exception("the answer cannot be sent")
            self._send({"id": number, "error": INTERNAL})

    async def _outcome(self, handler: Handler, argument: Any) -> JSON:
        try:
            result = await self._invoke(handler, argument)
            return {"result": result if isinstance(result, dict) else {}}
        except Failed as failure:
            return {"error": failure.json()}
        except Exception:
            log.exception("%r failed", handler)
            return {"error": INTERNAL}

    async def _invoke(self, handler: Handler, *arguments: Any) -> Any:
        if inspect.iscoroutinefunction(handler):
            return await handler(*arguments)
        work = self._worker.submit(handler, *arguments)
        while True:
            try:
                result = await asyncio.shield(asyncio.wrap_future(work))
                break
            except asyncio.CancelledError:
                if self._closed or work.cancel():
                    raise                       # else it has begun, and what it makes of it counts
        return await result if inspect.isawaitable(result) else result

    def _notified(self, method: str, params: JSON) -> None:
        if method == "broker.cancel":
            self._cancelled(params)
        elif method == "broker.goodbye":
            self._dismissed(params)
        elif method == "broker.warning":
            log.warning("the broker says: %s (%s)", params.get("message"), params.get("reason"))
        handler = self._handlers.get(method)
        if handler is not None:
            self._spawn(self._outcome(handler, params))

    def _cancelled(self, params: JSON) -> None:
        request = params.get("request")
        task = self._serving.get(request) if isinstance(request, (int, str)) else None
        if task is not None:
            task.cancel()

    def _dismissed(self, params: JSON) -> None:
        after = params.get("reconnect_after_ms")
        self._retry_after = after / 1000 if isinstance(after, int) else 0.0
        if params.get("resumable") is False:
            self.hello.pop("session", None)
        if params.get("reason") in ("superseded", "stop"):      # another of us, or nobody, goes on
            self._stop()

    def _spawn(self, work: Coroutine[Any, Any, JSON]) -> asyncio.Task[JSON]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class _Registered(Dict[str, Any]):
    """Members of a registration, which are sent as it has them then: an update that waited for the
    session must not take back what a later one has changed."""


def _some(needed: Mapping[str, Any], **optional: Any) -> JSON:
    """The members that are needed, and those of the others that are set."""
    return {**needed, **{name: value for name, value in optional.items() if value is not None}}


def _verb(method: str, summary: str) -> Callable[..., Reply[JSON]]:
    """A method whose keyword arguments are the members of its params."""
    def verb(self: Client, **members: Any) -> Reply[JSON]:
        return self.request(method, members)
    verb.__doc__ = summary
    return verb


INTERNAL = Failed("internal", "the handler failed", -32603).json()


def _result(task: asyncio.Task[JSON]) -> JSON:
    """What a handler made of it, which may have been cancelled before it began."""
    return {"error": Failed("cancelled", "cancelled", -32010).json()} if task.cancelled() else task.result()


def _unsupported(name: str) -> JSON:
    return Failed("not_supported", f"{name} is not supported", -32601).json()


# ---- Controllers

class Controller(Client):
    """Asks for things to be done to calls, in the name of the user.

    Every verb takes `Options` and returns a `Transaction`. It may raise `InvalidState` (busy,
    cannot_hold, hold_failed, already_dialing, emergency, not_supported), `LimitReached`,
    `NotFound`, `PermissionDenied`; with `wait="completed"` also `ProviderFailed`, `ProviderGone`
    and `DeadlineExceeded`, whose `data` then names transaction and actions.
    """

    roles: Tuple[str, ...] = ("controller", "observer")

    def transact(self, actions: Sequence[Requested],
                 **options: Unpack[Options]) -> Reply[Transaction]:
        """Asks for 1...8 actions, done in order or refused as a whole."""
        return self._ask("transaction.request", {"actions": list(actions), **options})

    def start(self, remote: Handle, *, call: Optional[str] = None, provider: Optional[str] = None,
              line: Optional[str] = None, has_video: Optional[bool] = None,
              has_text: Optional[bool] = None, contact: Optional[str] = None, emergency: Optional[bool] = None,
              background: Optional[bool] = None,
              **options: Unpack[Options]) -> Reply[Transaction]:
        """Calls somebody; the broker makes the call's id if there is none. `line` is one of the
        provider, its default if left out. A `background` call makes way for all others. Raises
        `NotFound` with reason unknown_line."""
        return self._ask("call.start", {"remote": remote, **options}, call=call, provider=provider,
                         line=line, has_video=has_video, has_text=has_text, contact=contact,
                         emergency=emergency, background=background)

    def dial(self, uri: str, *, provider: Optional[str] = None, line: Optional[str] = None,
             has_video: Optional[bool] = None, has_text: Optional[bool] = None,
             **options: Unpack[Options]) -> Reply[Transaction]:
        """Calls a `tel:`, `sip:`, `sips:`, `mailto:` or registered URI; the scheme picks the
        provider, or `line` does. Raises `InvalidState` with reason ambiguous_provider if several
        would do."""
        return self._ask("call.dial", {"uri": uri, **options}, provider=provider, line=line,
                         has_video=has_video, has_text=has_text)

    def answer(self, call: str, choice: Optional[str] = None, video: Optional[str] = None,
               text: Optional[bool] = None, **options: Unpack[Options]) -> Reply[Transaction]:
        """Answers; `choice` is answer, hold_and_answer, end_and_answer or end_held_and_answer.
        With `video` (off, send, receive, both) or `text` the call gets that first."""
        return self._ask("call.answer", {"call": call, **options}, choice=choice, video=video,
                         text=text)

    def pull(self, call: str, choice: Optional[str] = None,
             **options: Unpack[Options]) -> Reply[Transaction]:
        """Brings a call of another device here, as an answer would; `choice` as in `answer`."""
        return self._ask("call.pull", {"call": call, **options}, choice=choice)

    def end(self, call: str, group: bool = False,
            **options: Unpack[Options]) -> Reply[Transaction]:
        """Hangs up, declines or cancels; with `group` all calls of the call's group."""
        return self._ask("call.end", {"call": call, **options}, group=group or None)

    def set_held(self, call: str, held: bool, **options: Unpack[Options]) -> Reply[Transaction]:
        """Holds, or resumes."""
        return self._ask("call.set_held", {"call": call, "held": held, **options})

    def set_muted(self, call: str, muted: bool, **options: Unpack[Options]) -> Reply[Transaction]:
        """Mutes or unmutes the call's whole group."""
        return self._ask("call.set_muted", {"call": call, "muted": muted, **options})

    def set_group(self, call: str, with_: Optional[str],
                  **options: Unpack[Options]) -> Reply[Transaction]:
        """Joins the group of another call, or with None leaves its own."""
        return self._ask("call.set_group", {"call": call, "with": with_, **options})

    def play_dtmf(self, call: str, digits: str, style: Optional[str] = None,
                  **options: Unpack[Options]) -> Reply[Transaction]:
        """Sends tones; `style` is single, soft_pause or hard_pause."""
        return self._ask("call.play_dtmf", {"call": call, "digits": digits, **options},
                         style=style)

    def set_endpoint(self, call: str, endpoint: str,
                     **options: Unpack[Options]) -> Reply[Transaction]:
        """Moves the sound of a call to one of its `endpoints`."""
        return self._ask("call.set_endpoint", {"call": call, "endpoint": endpoint, **options})

    def set_video(self, call: str, video: str,
                  **options: Unpack[Options]) -> Reply[Transaction]:
        """Gives a call video: off, send, receive or both. While it has a `video_request`, that
        accepts it, and the present direction declines it."""
        return self._ask("call.set_video", {"call": call, "video": video, **options})

    def set_text(self, call: str, text: bool, **options: Unpack[Options]) -> Reply[Transaction]:
        """Gives a call real-time text, or takes it away. While it has a `text_request`, True
        accepts it, and False declines it."""
        return self._ask("call.set_text", {"call": call, "text": text, **options})

    def send_text(self, call: str, text: str) -> Reply[JSON]:
        """Sends characters on an active call that has text: U+0008 erases one, U+2028 begins a
        line. Done when the app has sent them; call.text shows them to other screens."""
        return self._ask("call.send_text", {"call": call, "text": text})

    def transfer(self, call: str, to: Handle, **options: Unpack[Options]) -> Reply[Transaction]:
        """Transfers a call to an address, which ends it here."""
        return self._ask("call.transfer", {"call": call, "to": to, **options})

    def attended_transfer(self, call: str, with_: str,
                          **options: Unpack[Options]) -> Reply[Transaction]:
        """Joins the remote parties of two calls with each other, which ends both here."""
        return self._ask("call.attended_transfer", {"call": call, "with": with_, **options})

    def deflect(self, call: str, to: Handle, **options: Unpack[Options]) -> Reply[Transaction]:
        """Sends an incoming call to another address, which ends it here."""
        return self._ask("call.deflect", {"call": call, "to": to, **options})

    def set_line_setting(self, provider: str, line: str, setting: str, on: bool,
                         to: Optional[Handle] = None, after_ms: Optional[int] = None
                         ) -> Reply[JSON]:
        """Changes one of the `settings` of a provider's line. Done when its network has answered,
        which may take a minute. Forwarding that is turned on needs `to`."""
        return self.request("line.set_setting", _some(
            {"provider": provider, "line": line, "setting": setting, "on": on}, to=to,
            after_ms=after_ms), timeout=LINE_SETTING_SECONDS)

    def deliver_push(self, provider: str, payload: JSON, *, type: Optional[str] = None,
                     ttl_ms: Optional[int] = None, wait: Optional[str] = None) -> Reply[JSON]:
        """Delivers what an app's server has sent; the app is started if it does not run. With wait
        `completed` done when the app has handled it, with `reported_call`."""
        return self.request("push.deliver", _some(
            {"provider": provider, "payload": payload}, type=type, ttl_ms=ttl_ms, wait=wait),
            timeout=PUSH_SECONDS if wait == "completed" else None)

    def set_push_token(self, provider: str, type: str, token: Optional[str]) -> Reply[JSON]:
        """Reports the address at which a server can push to an app, for a gateway that delivers
        what comes there; None: it is no longer valid. Kept as long as this connection."""
        return self._ask("push.set_token", {"provider": provider, "type": type, "token": token})

    def set_host_endpoint(self, endpoint: str) -> Reply[JSON]:
        """Chooses one of the host's `endpoints`, for the live call and all later ones."""
        return self._ask("audio.set_endpoint", {"endpoint": endpoint})

    def swap(self, call: Optional[str] = None, **options: Unpack[Options]) -> Reply[Transaction]:
        """Holds the active call and resumes the held one: `call`, where there are several."""
        return self._ask("call.swap", {**options}, call=call)

    def merge(self, call: str, with_: str, **options: Unpack[Options]) -> Reply[Transaction]:
        """Makes one group of two calls of the same provider."""
        return self._ask("call.merge", {"call": call, "with": with_, **options})

    def split(self, call: str, **options: Unpack[Options]) -> Reply[Transaction]:
        """Takes a call out of its group; the rest is held."""
        return self._ask("call.split", {"call": call, **options})

    def press_button(self, press: str = "short") -> Reply[Transaction]:
        """The one button of a headset: short or long."""
        return self._ask("call.press_button", {"press": press})

    def silence(self, call: str) -> Reply[JSON]:
        """Lets a call ring on without sound."""
        return self._ask("call.silence", {"call": call})

    def prioritize(self, call: str) -> Reply[JSON]:
        """Marks a call that rings or waits as one of a priority caller."""
        return self._ask("call.prioritize", {"call": call})

    def would_ring(self, provider: str, remote: Handle, **update: Unpack[Update]) -> Reply[JSON]:
        """Whether a call at an app would ring now, for a program beside the app: as its own
        `Provider.may_ring`."""
        return self._ask("call.may_ring", {"provider": provider, "remote": remote, **update})

    def continue_tones(self, call: str, *, send: bool = True) -> Reply[Transaction]:
        """Sends the tones that wait behind a pause (`paused_tones`), or drops them."""
        return self._ask("call.continue_tones", {"call": call} if send else {"call": call, "send": False})

    def explain(self, *, call: Optional[str] = None,
                transaction: Optional[str] = None) -> Reply[JSON]:
        """Why things are as they are: the decision's `steps`."""
        return self._ask("call.explain", {}, call=call, transaction=transaction)

    def timeline(self, call: str, *, after: Optional[str] = None,
                 limit: Optional[int] = None) -> Reply[JSON]:
        """What has happened to a call, also to one that is over: a page of `entries`."""
        return self._ask("call.timeline", {"call": call}, after=after, limit=limit)

    def list_participants(self, call: str, *, after: Optional[str] = None,
                          limit: Optional[int] = None) -> Reply[JSON]:
        """Who takes part in a conference that the far end runs: a page of `participants`."""
        return self._ask("participant.list", {"call": call}, after=after, limit=limit)

    def update_participant(self, call: str, participant: str, *, muted: Optional[bool] = None,
                           hand_raised: Optional[bool] = None) -> Reply[JSON]:
        """Mutes a participant, or raises a hand: one change, of what it has as `changeable`. For
        one's own hand that of the participant who is `self`. Done when the app has done it."""
        return self._ask("participant.update", {"call": call, "participant": participant},
                         muted=muted, hand_raised=hand_raised)

    list_transactions = _verb("transaction.list",
                              "A page of the latest transactions: after (`next` of the last), limit.")
    list_calls = _verb("call.list", "A page of calls: filter, after (`next` of the last), limit.")
    get_call = _verb("call.get", "One call.")
    list_providers = _verb("provider.list", "A page of providers.")
    get_host = _verb("host.get", "The live group, what is held and rings, who has the audio.")
    get_policy = _verb("policy.get", "What the user chose: do-not-disturb, holds, limits.")
    set_policy = _verb("policy.set", "Changes a part of it; limits and authorization: admin only.")
    block = _verb("block.add", "Blocks a handle or a prefix.")
    unblock = _verb("block.remove", "Takes a block back.")
    list_blocks = _verb("block.list", "A page of what is blocked.")
    put_contact = _verb("contact.put", "Adds or changes a contact: name, handles, favorite, ...")
    remove_contact = _verb("contact.remove", "Forgets a contact.")
    list_contacts = _verb("contact.list", "A page of contacts.")
    list_history = _verb("history.list", "A page of past calls, the newest first.")
    sum_history = _verb("history.sum", "Past calls in numbers, by provider or by handle.")
    remove_history = _verb("history.remove", "Forgets entries of the history.")
    clear_history = _verb("history.clear", "Forgets the whole history, or what a filter shows.")
    mark_history_seen = _verb("history.mark_seen", "The user has seen the missed calls.")
    import_history = _verb("history.import", "Adds entries of calls that are over.")
    list_directories = _verb("directory.list", "The caller directories that the broker keeps.")
    enable_directory = _verb("directory.enable", "Switches one of them on or off.")


# ---- Observers

def _whole(call: Call, data: JSON) -> JSON:
    """The data of an event with the whole call, of which the broker has sent what has changed."""
    removed = data.get("removed", [])
    kept = {name: value for name, value in call.items() if name not in removed}
    return {**kept, **data["set"], "changed": data.get("changed"), "cause": data.get("cause")}


class Observer(Client):
    """Watches calls: `calls` is always their state, iterating yields what happens.

    A snapshot comes first; after a lost connection the broker replays what was missed. Where it
    cannot, all is read anew, and iterating yields an event with the topic snapshot.

    Args:
        topics: exact names, `noun.*` or `*`. Without `call.*` among them `calls` is not kept.
        cursor: `epoch` and `seq` from where to go on; then `calls` has only what changes.
    """

    roles: Tuple[str, ...] = ("observer",)

    def __init__(self, name: str, *, topics: Sequence[str] = ("*",),
                 include_ended: Optional[bool] = None, cursor: Optional[JSON] = None,
                 **client: Any) -> None:
        super().__init__(name, **client)
        self.calls: Dict[str, Call] = {}
        self.cursor: Optional[JSON] = cursor
        self._topics = list(topics)
        self._include_ended = include_ended
        self._has_read_calls = False            # changes need what they change
        self._subscription: Optional[int] = None
        self._seen = 0                          # the newest event that was delivered
        self._floor = 0                         # the snapshot has everything up to here
        self._early: List[Event] = []           # before the reply that names their subscription
        self._events: Deque[Event] = collections.deque()
        self._waiting: Deque[Reply[Event]] = collections.deque()

    def next_event(self) -> Reply[Event]:
        """The next thing that happens; `Disconnected` after `close()`."""
        reply: Reply[Event] = Reply()
        self._post(lambda: self._want(reply), reply)
        return reply

    def __iter__(self) -> Iterator[Event]:
        with contextlib.suppress(Disconnected):
            while True:
                yield self.next_event().result()

    async def __aiter__(self) -> AsyncIterator[Event]:
        with contextlib.suppress(Disconnected):
            while True:
                yield await self.next_event()

    def subscribe(self, topics: Sequence[str], *, cursor: Optional[JSON] = None,
                  snapshot: Optional[bool] = None,
                  include_ended: Optional[bool] = None) -> Reply[JSON]:
        """One more subscription; its events go to `on("event")` only."""
        return self._ask("events.subscribe", {"topics": list(topics)}, cursor=cursor,
                         snapshot=snapshot, include_ended=include_ended)

    def unsubscribe(self, subscription: int) -> Reply[JSON]:
        """Ends a subscription."""
        return self._ask("events.unsubscribe", {"subscription": subscription})

    async def _opened(self) -> None:
        await super()._opened()
        await self._watch()

    def _watch(self) -> Reply[JSON]:
        self._subscription = None
        self._early = []
        return self.request("events.subscribe", _some(
            {"topics": self._topics}, cursor=self.cursor, include_ended=self._include_ended,
            detail="changes" if self._wants_changes() else None),
            then=self._watched, opening=True)

    def _wants_changes(self) -> bool:
        knows_calls = self.cursor is None or self._has_read_calls
        sees_new_ones = not {"*", "call.*", "call.added"}.isdisjoint(self._topics)
        return knows_calls and sees_new_ones and "call_changes" in self.hello.get("features", {})

    def _watched(self, result: JSON) -> None:
        self._subscription = result.get("subscription")
        snapshot = result.get("snapshot")
        if snapshot is not None:
            self.calls.clear()
            self._has_read_calls = True
            self.cursor = {"epoch": result.get("epoch"), "seq": result.get("seq", 0)}
            self._floor = self._seen = result.get("seq", 0)
            self._page(snapshot)
        else:
            self._seen = (self.cursor or result).get("seq", 0)
            self._floor = 0
        early, self._early = self._early, []
        for event in early:
            self._happened(event)

    def _page(self, page: JSON) -> None:
        """Applied before the next frame is looked at, so that pages and events cannot cross."""
        for call in page.get("calls", []):
            self._keep(call)
        if page.get("next") is not None:
            self.request("call.list", {"after": page["next"]}, then=self._page, opening=True)
        else:
            self._deliver({"topic": "snapshot", "data": {}, **(self.cursor or {})})  # type: ignore

    def _keep(self, call: Call) -> None:
        known = self.calls.get(call["call"])
        if known is None or call.get("rev", 0) >= known.get("rev", 0):
            self.calls[call["call"]] = call

    def _notified(self, method: str, params: JSON) -> None:
        if method == "event" and "topic" in params:
            self._happened(params)              # type: ignore[arg-type]
        elif method == "events.gap" and params.get("subscription") == self._subscription:
            self._again()
        super()._notified(method, params)

    def _again(self) -> None:
        """Something was missed: the next snapshot repairs it."""
        if self._subscription is None:
            return
        self.request("events.unsubscribe", {"subscription": self._subscription}, opening=True)
        self.cursor = None
        self._watch().add_done_callback(self._hang_up_unless_done)

    def _hang_up_unless_done(self, reply: concurrent.futures.Future[JSON]) -> None:
        if not reply.cancelled() and reply.exception() is not None and self._writer is not None:
            self._writer.close()                # a new session begins anew

    def _happened(self, event: Event) -> None:
        if self._subscription is None:
            return self._early.append(event)
        if event.get("subscription") != self._subscription:
            return
        seq = event.get("seq", 0)
        if self.cursor is not None and event.get("epoch") != self.cursor["epoch"]:
            return self._again()
        if event.get("prev", 0) > self._seen:
            return self._again()
        self._seen = max(self._seen, seq)
        if seq <= self._floor and event["topic"] not in UNNUMBERED:
            return
        self.cursor = {"epoch": event.get("epoch"), "seq": self._seen}
        topic, data = event["topic"], event.get("data", {})
        if topic == "broker.bookmark":
            return
        if topic == "call.changed" and "set" in data:
            known = self.calls.get(event.get("call", ""))
            if known is None:
                return self._again()
            event["data"] = data = _whole(known, data)
        if topic in ("call.added", "call.changed") and "call" in data:
            self._keep(data)                    # type: ignore[arg-type]
        elif topic == "call.removed":
            self.calls.pop(event.get("call") or data.get("call", ""), None)
        elif topic == "call.allowed_changed" and data.get("call") in self.calls:
            known = self.calls[data["call"]]
            known.pop("merge_with", None)
            known.pop("paused_tones", None)
            known.update(data)                  # type: ignore[typeddict-item]
        self._deliver(event)

    def _deliver(self, event: Event) -> None:
        while self._waiting:
            reply = self._waiting.popleft()
            if not reply.done():
                return reply.settle(event)
        if len(self._events) >= EVENTS_KEPT:
            self._events.clear()
            event = {"topic": "snapshot", "data": {}, **(self.cursor or {})}  # type: ignore
        self._events.append(event)

    def _want(self, reply: Reply[Event]) -> None:
        if self._events:
            reply.settle(self._events.popleft())
        elif self._closed:
            reply.settle(error=Disconnected("closed"))
        else:
            self._waiting.append(reply)

    def _ended(self) -> None:
        for reply in self._waiting:
            reply.settle(error=Disconnected("closed"))


# ---- Providers

class Action:
    """Something the broker asks a provider to do to a call."""

    def __init__(self, provider: Provider, params: JSON) -> None:
        self.id: str = params["action"]
        self.kind = str(params.get("kind", ""))
        self.call = str(params.get("call", ""))
        self.arguments: JSON = params.get("arguments", {})
        self.transaction: Optional[str] = params.get("transaction")
        self.cause: Cause = params.get("cause", {})
        self.deadline_ms: int = params.get("deadline_ms", 0)
        self.attempt = 1
        self.age_ms: int = params.get("age_ms", 0)      # how long ago it was asked for
        self.timed_out = False
        self.withdrawn = threading.Event()
        """Set when the broker takes the action back. An async handler is cancelled instead."""
        self._provider = provider
        self._request: Any = None               # the id to answer to, in this connection
        self._task: Optional[asyncio.Task[JSON]] = None
        self._outcome: Optional[JSON] = None

    @property
    def line(self) -> Optional[str]:
        """The id of the line that a start is placed on; None leaves that to the app."""
        return self.arguments.get("line")

    def progress(self, *, phase: Optional[str] = None, percent: Optional[int] = None,
                 message: Optional[str] = None, extend_ms: Optional[int] = None) -> None:
        """Tells how far it is. `extend_ms` asks for more time, up to twice the deadline in all."""
        def tell() -> None:
            if self._request is not None:
                self._provider.notify("broker.progress", _some(
                    {"request": self._request}, phase=phase, percent=percent, message=message,
                    extend_ms=extend_ms))
        self._provider._post(tell)


def _performs(kind: str, summary: str) -> Callable[[Provider, Function], Function]:
    """A decorator for what performs actions of one kind."""
    def decorator(self: Provider, function: Function) -> Function:
        return self.on_action(kind)(function)
    decorator.__doc__ = summary
    return decorator


class Provider(Controller):
    """An app that owns calls.

    Its handlers do what the broker asks: returning fulfils the action (a handler may return the
    time it happened, `at_ms`), raising `Failed` fails it. A kind without a handler is refused as
    not supported. The verbs of `Controller` speak for the app here: they reach its own calls only.
    What the user does in the app itself is asked for with them: `end` to hang up or decline.

    Args:
        identity: a stable name like `org.example.phone`.
        display_name: for people.
        name: of the program, if it is not the identity.
        registration: see `Registration`; `handle_types` is needed.
        version, credential, features, socket, timeout, backoff: as in `Client`.
    """

    roles: Tuple[str, ...] = ("provider", "controller")

    def __init__(self, identity: str, display_name: str, *, name: Optional[str] = None,
                 version: str = __version__, credential: Optional[str] = None,
                 features: Sequence[str] = (),
                 socket: Union[str, sockets.socket, None] = None, timeout: Optional[float] = None,
                 backoff: Tuple[float, float] = (0.1, 5.0),
                 **registration: Unpack[Registration]) -> None:
        super().__init__(name or identity, identity=identity, version=version, socket=socket,
                         credential=credential, features=features, timeout=timeout,
                         backoff=backoff)
        self.registration: JSON = {"display_name": display_name, **registration}
        self.registered: JSON = {}
        """The reply to the latest registration: authorization, limits, calls, dropped."""
        self._kinds: Dict[str, Handler] = {}
        self._reconcile: Optional[Handler] = None
        self._dropped: Optional[Handler] = None
        self._actions: Dict[str, Action] = {}
        self._executing: Set[Any] = set()       # the requests that ask to take a transaction over

    # -- Handlers

    def on_action(self, kind: str) -> Callable[[Function], Function]:
        """Decorates what performs actions of that kind; it is called with the `Action`."""
        def decorate(function: Function) -> Function:
            self._kinds[kind] = function
            return function
        return decorate

    on_start = _performs("start", "With remote, line, has_video, contact. Done when it is sent.")
    on_answer = _performs("answer", "Done when the call is connected.")
    on_end = _performs("end", "Done when the call is over: hung up, declined or cancelled.")
    on_set_held = _performs("set_held", "With held. Done when the far end agreed.")
    on_set_muted = _performs("set_muted", "With muted.")
    on_set_group = _performs("set_group", "With `with`: the call to join, or None to leave.")
    on_play_dtmf = _performs("play_dtmf", "With digits and style.")
    on_set_endpoint = _performs("set_endpoint", "With endpoint. Done when the sound is there.")
    on_set_video = _performs("set_video", "With video. Done when both ends have agreed on it.")
    on_set_text = _performs("set_text", "With text: True or False. Done when both ends agree.")
    on_transfer = _performs("transfer", "With `to`. Done when the new party has the call.")
    on_attended_transfer = _performs("attended_transfer", "With `with`: the call to join with.")
    on_deflect = _performs("deflect", "With `to`. Done when the caller is sent on.")

    def on_change_setting(self, function: Function) -> Function:
        """Called with the line's id and a `LineSetting`, one of those that the line has. Returns
        when the network has made the change and `update` has reported it; `Failed` if it is as it
        was."""
        async def change(params: JSON) -> JSON:
            setting = {key: params[key] for key in ("setting", "on", "to", "after_ms")
                       if key in params}
            await self._invoke(function, params["line"], setting)
            return {}
        self._handlers["line.change_setting"] = change
        return function

    def on_send_text(self, function: Function) -> Function:
        """Called with a call's id and characters to send. Returns when they are on their way."""
        async def send(params: JSON) -> JSON:
            await self._invoke(function, params["call"], params["text"])
            return {}
        self._handlers["provider.send_text"] = send
        return function

    def on_push(self, function: Function) -> Function:
        """Called with the type and the payload of a push, of one of the registered `push_types`.
        Returns when it is handled: for a VoIP push, when `report_incoming` has reported a call.
        `on("push.token")` gets the addresses for the app's server."""
        async def receive(params: JSON) -> JSON:
            await self._invoke(function, params["type"], params["payload"])
            return {}
        self._handlers["push.received"] = receive
        return function

    def on_change_participant(self, function: Function) -> Function:
        """Called with a call's id, a participant's id and {"muted": bool} or {"hand_raised":
        bool}. Returns when `report_participants` has reported the change; `Failed` if there is
        none."""
        async def change(params: JSON) -> JSON:
            values = {key: params[key] for key in ("muted", "hand_raised") if key in params}
            await self._invoke(function, params["call"], params["participant"], values)
            return {}
        self._handlers["participant.change"] = change
        return function

    def on_execute(self, function: Function) -> Function:
        """Called with transaction, actions and deadline_ms before the actions are asked for one
        by one. Returns true to take the transaction over, and then settles each with `settle`.
        `on("broker.cancel")` tells of an `action` that is no longer wanted."""
        self.registration["takes_transactions"] = True

        async def execute(params: JSON) -> JSON:
            return {"taken": bool(await self._invoke(function, params))}
        self._handlers["provider.execute"] = execute
        return function

    def reconcile(self, function: Function) -> Function:
        """Called in each new session, returns the live calls (a list of `LiveCall`). A call that
        the broker knows and the list does not have ends."""
        self._reconcile = function
        return function

    def on_dropped(self, function: Function) -> Function:
        """Called with the ids of calls that the broker did not take: tear them down."""
        self._dropped = function
        return function

    # -- Reports

    def report_incoming(self, call: str, remote: Handle, *, received_at_ms: Optional[int] = None,
                        **update: Unpack[Update]) -> Reply[JSON]:
        """Somebody calls. The result has `state` and `presentation` (ring, tone, silent). Raises
        `Filtered`, `LimitReached` or `InvalidState` if it is not to ring: then end it."""
        return self._ask("call.report_incoming", {"call": call, "remote": remote, **update},
                         received_at_ms=received_at_ms)

    def may_ring(self, remote: Handle, **update: Unpack[Update]) -> Reply[JSON]:
        """Whether a call would ring now: the result and the errors of `report_incoming`, with the
        `rule` that decides and the filters that were left `unasked`, as they do not run. Nothing
        is recorded, shown or started."""
        return self._ask("call.report_incoming", {"call": new_id(), "remote": remote, **update},
                         dry_run=True)

    def report_alerting(self, call: str, has_early_media: Optional[bool] = None,
                        at_ms: Optional[int] = None) -> Reply[JSON]:
        """The far end rings; with early media it, or its network, sends the sound of it. May be
        repeated when that begins later. Fulfils a start that is not settled."""
        return self._ask("call.report_alerting", {"call": call}, has_early_media=has_early_media,
                         at_ms=at_ms)

    def report_video_request(self, call: str, video: Optional[str],
                             at_ms: Optional[int] = None) -> Reply[JSON]:
        """The far end asks for video: send, receive or both, as seen from here; None withdraws it.
        The user's decision comes as the action `set_video`; send no camera before it."""
        return self._ask("call.report_video_request", {"call": call, "video": video}, at_ms=at_ms)

    def report_text_request(self, call: str, requested: bool = True,
                            at_ms: Optional[int] = None) -> Reply[JSON]:
        """The far end asks for real-time text, or no longer does. The user's decision comes as the
        action `set_text`."""
        return self._ask("call.report_text_request", {"call": call, "requested": requested},
                         at_ms=at_ms)

    def report_text(self, call: str, text: str) -> Reply[JSON]:
        """What the far end has typed, at most 1,024 bytes: collect it for up to 300 ms."""
        return self._ask("call.report_text", {"call": call, "text": text})

    def report_quality(self, call: str, *, loss_permille: Optional[int] = None,
                       jitter_ms: Optional[int] = None,
                       round_trip_ms: Optional[int] = None) -> Reply[JSON]:
        """How well the sound of a call is transmitted, every few seconds: the lost packets of a
        thousand since the report before, the jitter and the round trip."""
        return self._ask("call.report_quality", {"call": call}, loss_permille=loss_permille,
                         jitter_ms=jitter_ms, round_trip_ms=round_trip_ms)

    def report_participants(self, call: str, changed: Sequence[JSON] = (),
                            removed: Sequence[str] = (), *,
                            replace: bool = False) -> Reply[JSON]:
        """Who takes part in a conference that the far end runs: those who are new or have changed,
        each with `participant` and as known `name`, `handle`, `state`, `muted`, `hand_raised` and
        `self`, with what the user may change as `changeable`, and the ids of those who left; with `replace` all others are gone. Up to 128 in a report."""
        return self._ask("call.report_participants", {"call": call}, changed=list(changed) or None,
                         removed=list(removed) or None, replace=replace or None)

    def report_connecting(self, call: str, at_ms: Optional[int] = None) -> Reply[JSON]:
        """The call is being connected."""
        return self._ask("call.report_connecting", {"call": call}, at_ms=at_ms)

    def report_connected(self, call: str, at_ms: Optional[int] = None) -> Reply[JSON]:
        """The far end answered; or the user did, in the app itself."""
        return self._ask("call.report_connected", {"call": call}, at_ms=at_ms)

    def report_held(self, call: str, held: bool, at_ms: Optional[int] = None) -> Reply[JSON]:
        """The app held or resumed by itself."""
        return self._ask("call.report_held", {"call": call, "held": held}, at_ms=at_ms)

    def report_muted(self, call: str, muted: bool, at_ms: Optional[int] = None) -> Reply[JSON]:
        """The app muted or unmuted by itself."""
        return self._ask("call.report_muted", {"call": call, "muted": muted}, at_ms=at_ms)

    def report_group(self, call: str, with_: Optional[str],
                     at_ms: Optional[int] = None) -> Reply[JSON]:
        """The app grouped by itself, or with None split."""
        return self._ask("call.report_group", {"call": call, "with": with_}, at_ms=at_ms)

    def report_missed(self, call: str, remote: Handle, reason: str, at_ms: int,
                      **update: Unpack[Update]) -> Reply[JSON]:
        """A call that was over before it could ring, for the history only."""
        return self._ask("call.report_missed", {
            "call": call, "remote": remote, "reason": reason, "at_ms": at_ms, **update})

    def report_update(self, call: str, *, remote: Optional[Handle] = None,
                      **update: Unpack[Update]) -> Reply[JSON]:
        """Something about the call changed."""
        return self._ask("call.report_update", {"call": call, **update}, remote=remote)

    def report_external(self, call: str, remote: Optional[Handle] = None, *,
                        direction: Optional[str] = None, at_ms: Optional[int] = None,
                        **update: Unpack[Update]) -> Reply[JSON]:
        """A call is live on another device of the same account, or has changed there. With
        `supports_pull` an `answer` is to bring it here."""
        return self._ask("call.report_external", {"call": call, **update}, remote=remote,
                         direction=direction, at_ms=at_ms)

    def report_ended(self, call: str, reason: str, at_ms: Optional[int] = None, *,
                     detail: Optional[EndDetail] = None,
                     elsewhere: Optional[str] = None) -> Reply[JSON]:
        """The call is over, and not because anybody here wanted it: failed, remote_ended,
        unanswered, answered_elsewhere or declined_elsewhere. `detail` is the app's own word, and
        `elsewhere` the device that has answered or declined it instead."""
        return self._ask("call.report_ended", {"call": call, "reason": reason}, end_detail=detail,
                         elsewhere=elsewhere, at_ms=at_ms)

    def register(self, **members: Any) -> Reply[JSON]:
        """Registers; done by itself in each session."""
        return self.request("provider.register", members, timeout=OPENING_SECONDS, opening=True)

    def update(self, *, lines: Optional[Sequence[Line]] = None, **members: Any) -> Reply[JSON]:
        """Changes members of the registration, now and for sessions to come. `lines` is the whole
        list, which replaces the former."""
        members = _some(members, lines=lines)
        self.registration.update(members)
        return self.request("provider.update", _Registered(members))

    def unregister(self) -> Reply[JSON]:
        """No more calls from here."""
        return self._ask("provider.unregister", {})

    def request_authorization(self) -> Reply[JSON]:
        """Has the user asked whether there may be calls from here. The result has the `status` and
        whether the user is `asked`; the answer comes to `on("provider.authorization_changed")`."""
        return self._ask("provider.request_authorization", {})

    def settle(self, action: str, outcome: str = "fulfilled", *, at_ms: Optional[int] = None,
               reason: Optional[str] = None, message: Optional[str] = None,
               app_code: Optional[str] = None) -> Reply[JSON]:
        """Settles an action of a transaction that was taken over: fulfilled or failed."""
        return self._ask("action.settle", {"action": action, "outcome": outcome}, at_ms=at_ms,
                         reason=reason, message=message, app_code=app_code)

    # -- Sessions and actions

    def _start(self, reply: Reply[Any], method: str, params: JSON, seconds: Optional[float],
               then: Optional[Then]) -> None:
        if isinstance(params, _Registered):
            params = {name: self.registration.get(name, value) for name, value in params.items()}
        super()._start(reply, method, params, seconds, then)

    async def _opened(self) -> None:
        await super()._opened()
        members, pages = dict(self.registration), [[]]  # type: Tuple[JSON, List[List[LiveCall]]]
        if self._reconcile is not None:
            calls = list(await self._invoke(self._reconcile))
            pages = [calls[at:at + RECONCILED_AT_ONCE]
                     for at in range(0, len(calls), RECONCILED_AT_ONCE)] or [[]]
            members["calls"] = pages[-1]
        dropped: List[str] = []
        for page in pages[:-1]:
            result = await self.register(**{**members, "calls": page, "more": True})
            dropped += result.get("dropped", [])
        self.registered = await self.register(**members)
        dropped += self.registered.get("dropped", [])
        if dropped and self._dropped is not None:
            await self._invoke(self._dropped, dropped)

    def _requested(self, number: Any, method: str, params: JSON) -> None:
        if method == "provider.execute":
            self._executing.add(number)
        if method != "provider.perform":
            return super()._requested(number, method, params)
        if not isinstance(params.get("action"), str):
            return self._send({"id": number, "error": Failed(
                "missing_member", "params.action is required", -32602).json()})
        action = self._actions.get(params["action"])
        if action is None:
            action = self._actions[params["action"]] = Action(self, params)
            self._forget()
            action._task = self._spawn(self._perform(action))
            action._task.add_done_callback(lambda _: self._performed(action))
        action.attempt = params.get("attempt", 1)
        action.age_ms = params.get("age_ms", 0)
        action._request = number
        self._settle(action)

    def _must_wait(self, method: str) -> bool:
        """Nothing is settled before the broker knows that it was taken over."""
        return super()._must_wait(method) or method == "action.settle" and bool(self._executing)

    def _answer(self, number: Any, outcome: JSON) -> None:
        super()._answer(number, outcome)
        if number in self._executing:
            self._executing.remove(number)
            self._catch_up()

    async def _perform(self, action: Action) -> JSON:
        handler = self._kinds.get(action.kind)
        if handler is None:
            return {"error": _unsupported(action.kind)}
        return await self._outcome(self._fulfil, (handler, action))

    def _performed(self, action: Action) -> None:
        if action._task is not None:
            action._outcome = _result(action._task)
        self._settle(action)

    async def _fulfil(self, work: Tuple[Handler, Action]) -> JSON:
        at_ms = await self._invoke(*work)
        return {"at_ms": at_ms} if type(at_ms) is int else {}

    def _settle(self, action: Action) -> None:
        if action._outcome is not None and action._request is not None:
            number, action._request = action._request, None
            self._answer(number, action._outcome)

    def _forget(self) -> None:
        for key in list(self._actions)[:-ACTIONS_REMEMBERED]:
            if self._actions[key]._outcome is not None:
                del self._actions[key]

    def _notified(self, method: str, params: JSON) -> None:
        action = self._actions.get(str(params.get("action")))
        if method == "provider.timed_out" and action is not None:
            action.timed_out = True
            self._withdraw(action)
        super()._notified(method, params)

    def _cancelled(self, params: JSON) -> None:
        request = params.get("request")
        if "action" in params and request in self._executing:
            return                              # the others are still offered
        for action in self._actions.values():
            if action._request is not None and action._request == request:
                return self._withdraw(action)
        super()._cancelled(params)

    def _withdraw(self, action: Action) -> None:
        action.withdrawn.set()
        if action._task is not None and action._outcome is None:
            action._task.cancel()

    def _lost(self) -> None:
        for action in self._actions.values():
            action._request = None              # it comes again, under another number
        self._executing.clear()
        super()._lost()


# ---- The other roles

class Screen(Controller, Observer):
    """Shows calls and takes the user's wishes.

    Once it has claimed, calls come to `on("ui.present")`, which returns {"presented": True} for
    those that the user can see here, and go with `on("ui.dismiss")`. With the feature `ask`, what an
    app would like to be allowed comes to `on("ui.ask")`, which returns {"answer": "allow"}, deny or
    later.
    """

    roles: Tuple[str, ...] = ("ui", "controller", "observer")
    _claimed: Optional[JSON] = None

    def claim(self, **members: Any) -> Reply[JSON]:
        """Wants to present calls, in every new session again; the result says whether it is
        `primary`."""
        def granted(_: JSON) -> None:
            self._claimed = members
        return self.request("ui.claim", members, then=granted)

    def release(self) -> Reply[JSON]:
        """Leaves that to another."""
        self._claimed = None
        return self.request("ui.release", {})

    async def _opened(self) -> None:
        await super()._opened()
        if self._claimed is not None:
            await self.request("ui.claim", self._claimed, opening=True)


class AudioHost(Observer):
    """Has the audio endpoints of the host: reports them, and is asked to use the one that the user
    chooses, by `on("audio.use_endpoint")`, which returns {} once the sound is there."""

    roles: Tuple[str, ...] = ("audio", "observer")
    _endpoints: Optional[Sequence[Endpoint]] = None

    def report_endpoints(self, endpoints: Sequence[Endpoint]) -> Reply[JSON]:
        """The whole list, whenever it changes, and in every new session again; the result has the
        user's last choice as `chosen`."""
        reported = list(endpoints)

        def accepted(_: JSON) -> None:
            self._endpoints = reported
        return self.request("audio.report_endpoints", {"endpoints": reported}, then=accepted)

    async def _opened(self) -> None:
        await super()._opened()
        if self._endpoints is not None:
            await self.request("audio.report_endpoints", {"endpoints": self._endpoints}, opening=True)


class Screener(Client):
    """Decides before calls ring: `on("screener.check")` returns {"verdict": "continue"}, or allow,
    silence, block, with an optional label."""

    roles: Tuple[str, ...] = ("screener",)


class Directory(Client):
    """Knows who calls: `on("directory.lookup")`, or lists of numbers put there in advance."""

    roles: Tuple[str, ...] = ("directory",)

    put_entries = _verb("directory.put_entries", "At most 500, sorted and unique.")
    change_entries = _verb("directory.change_entries", "Changes the generation that serves.")
    clear = _verb("directory.clear", "Forgets the directory.")


class Admin(Controller):
    """Looks after plugins and the broker itself."""

    roles: Tuple[str, ...] = ("admin", "controller", "observer")

    def plugin(self, verb: str, **members: Any) -> Reply[JSON]:
        """list, start, stop, restart, enable, disable, set_option, rescan, logs or doctor."""
        return self._ask(f"plugin.{verb}", members)

    stats = _verb("broker.stats", "Counters since the start.")
    metrics = _verb("broker.metrics", "Figures for monitoring: counters, latencies, journal, store, plugins.")
    backup = _verb("broker.backup", "Copies the user's data into a folder, from which callbroker backup makes one file.")
    dump = _verb("broker.dump", "What the broker is doing: transactions, timers, screens, subscriptions.")
    list_connections = _verb("connection.list", "A page of the clients, and which programs they are.")
    issue_grant = _verb("grant.issue", "A credential for a program of another user or of a container.")
    list_grants = _verb("grant.list", "The grants, without their credentials.")
    revoke_grant = _verb("grant.revoke", "Closes the connections of a grant, named by its `name`.")
    list_questions = _verb("question.list", "What apps would like to be allowed.")
    answer_question = _verb("question.answer", "Answers a `question`: allow, deny or later.")
    reset_pushes = _verb("push.reset", "Lets a `provider` that has reported no calls have VoIP pushes again.")
    shutdown = _verb("broker.shutdown", "Stops the broker.")
    advance = _verb("test.advance", "Moves the clock of `serve --test-mode` by so many `ms`.")
    settle_all = _verb("test.settle", "Waits until the broker in test mode has nothing to do.")
