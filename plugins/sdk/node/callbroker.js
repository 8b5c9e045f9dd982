"use strict";
/* Talk to CallBroker, the call system of a Linux host. One file without dependencies, for Node 18.
 *
 * A provider is an app that owns calls, a controller asks for things to be done to calls, an
 * observer watches them. Each is an EventEmitter that opens a session, and renews it when it is
 * lost.
 *
 * Requests and notifications have their names of the wire: `callbroker methods` lists them, and
 * `callbroker.d.ts` has their types. Ids are UUIDs in lower case, `*_ms` are durations in
 * milliseconds, `*_at_ms` Unix times in milliseconds. */
const { Console } = require("node:console");
const { randomUUID } = require("node:crypto");
const { EventEmitter } = require("node:events");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");

const FRAME_BYTES = 65_536; // of what we send, the line feed included
const FRAME_BYTES_RECEIVED = 1_048_576; // only rpc.discover comes near it
const OUTPUT_BYTES = 1_048_576; // that the broker has not read yet
const HANGING_UP_MS = 2_000;
const RECONCILED_AT_ONCE = 32; // calls in one provider.register
const ACTIONS_REMEMBERED = 256; // settled ones, to answer a repetition alike
/** They repeat the number of the latest event. */
const UNNUMBERED = new Set(["plugin.log", "call.allowed_changed", "call.quality", "host.presence"]);
const EVENTS_KEPT = 10_000; // for a consumer who is slower than the calls

// ---- Errors

/** The names of the broker's codes. */
const ERROR_NAMES = Object.freeze({
    "-32700": "parse_error", "-32600": "invalid_request", "-32601": "method_not_found",
    "-32602": "invalid_params", "-32603": "internal", "-32000": "broker_error",
    "-32002": "hello_required", "-32003": "permission_denied", "-32004": "not_found",
    "-32005": "already_exists", "-32006": "invalid_state", "-32007": "limit_reached",
    "-32008": "filtered", "-32009": "deadline_exceeded", "-32010": "cancelled",
    "-32011": "frame_limit", "-32012": "overloaded", "-32013": "provider_failed",
    "-32014": "provider_gone", "-32015": "version_unsupported", "-32018": "stopping",
});
const PASSING = new Set(["already_exists", "overloaded", "stopping"]);

/** An error reply. Decide by `name` and `reason`; the message is for people. */
class BrokerError extends Error {
    constructor(error) {
        const { code, message, data } = isObject(error) ? error : {};
        super(typeof message === "string" ? message : "");
        this.code = Number.isInteger(code) ? code : -32000;
        this.name = ERROR_NAMES[this.code] ?? "broker_error";
        this.data = isObject(data) ? data : {};
        this.reason = typeof this.data.reason === "string" ? this.data.reason : "";
        this.retryable = this.data.retryable === true;
    }
}

/** There is no connection, or it was lost before the reply. The request may have been done. */
class Disconnected extends Error {
    name = "Disconnected";
}

/** No reply in time, or no longer wanted: the request was taken back. */
class TakenBack extends Error {
    name = "TakenBack";
}

/** Throw it in a handler to refuse what was asked; the reason is a word in snake_case, `appCode` the
 * code of the app's protocol or network, such as "SIP 486". */
class Failed extends Error {
    constructor(reason = "unspecified", message, code = -32000, appCode) {
        const isSilent = reason === "unspecified" && appCode !== undefined;
        super(message ?? (isSilent ? appCode : reason.replaceAll("_", " ")));
        Object.assign(this, { name: "Failed", reason, code, appCode, text: message ?? "" });
    }
}

const failure = (reason, message, code, appCode) =>
    ({ error: { code, message, data: { reason, app_code: appCode } } });
const unsupported = (name) => failure("not_supported", `${name} is not supported`, -32601);
const BROKEN = failure("internal", "the handler failed", -32603);
const CANCELLED = failure("cancelled", "cancelled", -32010);

// ---- Values

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A fresh id for a call or a transaction. */
const newId = () => randomUUID();

/** The address of a telephone, best written with + and the country's code. */
const phone = (number) => ({ type: "phone", value: number });

/** Any other address, such as a SIP URI. */
const generic = (address) => ({ type: "generic", value: address });

/** Where the broker listens, unless BROKER_SOCKET says otherwise. */
function defaultSocket() {
    const { BROKER_SOCKET, XDG_RUNTIME_DIR } = process.env;
    if (BROKER_SOCKET) return BROKER_SOCKET;
    if (XDG_RUNTIME_DIR) return path.join(XDG_RUNTIME_DIR, "callbroker", "broker.sock");
    if (process.getuid() === 0) return "/run/callbroker/broker.sock";
    return path.join(os.tmpdir(), `callbroker-${process.getuid()}`, "broker.sock");
}

/** The connection of a plugin that the broker started with `"transport": "stdio"`. From then on
 * `console` writes to standard error, which the broker keeps as the plugin's log. */
function stdio() {
    globalThis.console = new Console(process.stderr);
    return new net.Socket({ fd: 0 });
}

/** How long to wait before the next try: doubling, and a fifth more or less so that not all come
 * back at once. */
function delayMs(tries, [first, longest], random = Math.random()) {
    return Math.min(first * 2 ** Math.min(tries, 16), longest) * (0.8 + 0.4 * random);
}

/** A promise with its two ends. */
function deferred() {
    const ends = {};
    ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
    ends.promise.catch(() => {}); // whoever asks for it hears of it
    return ends;
}

/** Cuts a stream of bytes into lines, and calls back with each. */
class Lines {
    constructor(longest, take) {
        Object.assign(this, { longest, take, pieces: [], length: 0 });
    }

    /** False when a line is too long. */
    add(bytes) {
        for (let feed; (feed = bytes.indexOf(10)) >= 0; bytes = bytes.subarray(feed + 1)) {
            this.pieces.push(bytes.subarray(0, feed));
            this.end();
        }
        this.pieces.push(bytes);
        this.length += bytes.length;
        return this.length < this.longest;
    }

    /** What is left counts as a line. */
    end() {
        const line = Buffer.concat(this.pieces).toString("utf8");
        this.pieces = [];
        this.length = 0;
        if (line.trim()) this.take(line);
    }
}

// ---- The connection

/** A connection to the broker. Emits `open` with each session, `lost` (error) when it is to be
 * renewed, `close` (error, or nothing) when it is over, and each notification under its name. */
class Client extends EventEmitter {
    static roles = ["observer"];

    /** The options are in callbroker.d.ts. */
    constructor(name, options = {}) {
        super();
        this.name = name;
        this.options = { version: "0", openingMs: 10_000, backoffMs: [100, 5000], ...options };
        this.roles = options.roles ?? new.target.roles;
        /** The broker's reply to the latest hello: limits, options, granted_roles, ... */
        this.hello = {};
        this._handlers = new Map();
        this._requests = 0;
        this._pending = new Map(); // number to {resolve, reject, then, ...}
        this._backlog = []; // requests that wait for the session
        this._serving = new Map(); // the broker's requests: id to AbortController
        this._up = deferred();
        this._ready = false;
        this._closed = false;
        this._retryAfterMs = 0;
    }

    // -- Life

    /** Opens a session. Rejects if there is no broker, or with `patient` waits for one. Later
     * sessions are opened by themselves. */
    open({ patient = false } = {}) {
        this._life ??= this._live(patient);
        return this._up.promise;
    }

    /** Says goodbye and ends; `resumable`: to come back soon. Resolves when it is done. */
    async close({ resumable = false } = {}) {
        this._closed = true;
        if (this._socket) this._hangUp(resumable);
        this._wake?.();
        await this._life;
    }

    /** Whether a session is open. */
    get connected() {
        return this._ready;
    }

    async _live(patient) {
        let reason;
        try {
            await this._sessions(patient);
        } catch (error) {
            reason = error;
        }
        this._closed = true;
        this._lost();
        this._up.reject(reason ?? new Disconnected("closed"));
        this._ended();
        this._tell("close", reason);
    }

    /** One session after the other. */
    async _sessions(patient) {
        let tries = 0, wasOpen = false;
        while (!this._closed) {
            const error = await this._session();
            if (this._wasReady) [tries, wasOpen] = [0, true];
            if (this._closed) return;
            if (this._isHopeless(error) || !(patient || wasOpen)) throw error;
            if (this.options.socket instanceof net.Socket) return;
            this._tell("lost", error);
            await this._sleep(Math.max(delayMs(tries++, this.options.backoffMs),
                                       this._retryAfterMs));
        }
    }

    /** What another try would not change. */
    _isHopeless(error) {
        if (error instanceof BrokerError) return !error.retryable && !PASSING.has(error.name);
        return !(error instanceof Disconnected || error instanceof TakenBack || error.syscall);
    }

    _sleep(ms) {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, ms);
            this._wake = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }

    /** One connection from its first byte to its last. Resolves with why it ended. */
    async _session() {
        this._retryAfterMs = 0;
        this._wasReady = false;
        const socket = this._connect();
        const over = this._read(socket);
        try {
            await this._open();
            this._begin();
        } catch (error) {
            if (this._socket !== socket) return over; // which says more than that it is lost
            this._hangUp(true);
            await over;
            return error;
        }
        return over;
    }

    _connect() {
        const { socket } = this.options;
        this._socket = socket instanceof net.Socket
            ? socket : net.connect(socket ?? defaultSocket());
        return this._socket;
    }

    /** Resolves when the connection is over, with the reason. */
    _read(socket) {
        const lines = new Lines(FRAME_BYTES_RECEIVED, (line) => this._receive(line));
        let reason = new Disconnected("connection lost");
        return new Promise((resolve) => {
            socket.on("data", (bytes) => {
                if (!lines.add(bytes)) socket.destroy();
            });
            socket.on("end", () => {
                lines.end();
                socket.destroy();
            });
            socket.on("error", (error) => (reason = error));
            socket.on("close", () => {
                this._lost();
                resolve(reason);
            });
        });
    }

    async _open() {
        const { version, url, identity, credential, features } = this.options;
        const { session } = this.hello;
        const resume = session && this.roles.includes("provider")
            ? { session: session.session, secret: session.secret } : undefined;
        this.hello = await this._opening("broker.hello", {
            protocol: { min: 1, max: 1 }, client: { name: this.name, version, url },
            roles: this.roles, identity, credential, features, resume,
        });
        const denied = (this.hello.denied_roles ?? []).find(({ role }) => role === this.roles[0]);
        if (denied) {
            throw new BrokerError({ code: -32003, message: `no ${denied.role} here`,
                                    data: { reason: denied.reason } });
        }
        await this._opened();
    }

    /** What a kind of client does first in a new session. */
    async _opened() {}

    _begin() {
        this._ready = this._wasReady = true;
        this._catchUp();
        this._up.resolve();
        this._tell("open");
    }

    _catchUp() {
        for (const { method, start } of this._backlog.splice(0)) {
            this._startWhenReady(method, start);
        }
    }

    _lost() {
        this._ready = false;
        this._socket = undefined;
        for (const pending of this._pending.values()) {
            pending.reject(new Disconnected("connection lost"));
        }
        this._backlog.splice(0).forEach(({ start }) => start());
        this._serving.forEach((controller) => controller.abort());
        this._serving.clear();
    }

    /** Nothing will come any more. */
    _ended() {}

    /** Says goodbye, and gives the broker a moment to read it. */
    _hangUp(resumable) {
        const socket = this._socket;
        try {
            this.notify("broker.goodbye", { reason: "closed", resumable });
        } catch { // who does not read does not miss it
        }
        socket.destroySoon();
        setTimeout(() => socket.destroy(), HANGING_UP_MS).unref();
    }

    // -- Requests

    /** Sends any request, and resolves with its result. While a session is being opened requests
     * wait for it. A `signal` (AbortSignal) or `timeoutMs` takes the request back. */
    request(method, params = {}, { signal, timeoutMs = this.options.timeoutMs } = {}) {
        return new Promise((resolve, reject) => {
            const pending = { resolve, reject, signal, timeoutMs };
            const start = () => this._start(method, params, pending);
            this._startWhenReady(method, start);
        });
    }

    /** Now, or when nothing is in the way any more. */
    _startWhenReady(method, start) {
        if (this._socket && this._mustWait(method)) this._backlog.push({ method, start });
        else start();
    }

    _mustWait() {
        return !this._ready;
    }

    /** A request that opens the session. `then` sees the result before any later frame. */
    _opening(method, params, then) {
        return new Promise((resolve, reject) =>
            this._start(method, params, {
                resolve, reject, then, timeoutMs: this.options.openingMs }));
    }

    _start(method, params, pending) {
        const { signal, timeoutMs } = pending;
        if (signal?.aborted) return pending.reject(new TakenBack("not wanted any more"));
        const number = ++this._requests;
        try {
            this._send({ id: number, method, params });
        } catch (error) {
            return pending.reject(error);
        }
        const takeBack = (why) => {
            this.notify("broker.cancel", { request: number });
            finish(pending.reject)(new TakenBack(why));
        };
        const unwanted = () => takeBack("not wanted any more");
        const timer = timeoutMs === undefined ? undefined
            : setTimeout(() => takeBack(`no reply to ${method}`), timeoutMs);
        const finish = (settle) => (value) => {
            this._pending.delete(number);
            clearTimeout(timer);
            signal?.removeEventListener("abort", unwanted);
            settle(value);
        };
        signal?.addEventListener("abort", unwanted);
        this._pending.set(number, { then: pending.then, resolve: finish(pending.resolve),
                                    reject: finish(pending.reject) });
    }

    /** Sends any notification; without a connection it is dropped. */
    notify(method, params = {}) {
        if (this._socket) this._send({ method, params });
    }

    _send(frame) {
        const line = JSON.stringify({ jsonrpc: "2.0", ...frame }) + "\n";
        const limit = this.hello.limits?.frame_bytes;
        const most = Number.isInteger(limit) ? limit : FRAME_BYTES;
        if (Buffer.byteLength(line) > most) {
            throw new BrokerError({
                code: -32011, message: "the frame is too long to be sent",
                data: { reason: "frame_bytes", limit: { name: "frame_bytes", value: most } } });
        }
        if (!this._socket) throw new Disconnected("not connected");
        if (this._socket.writableLength > OUTPUT_BYTES) {
            throw new BrokerError({
                code: -32012, message: "the broker does not read",
                data: { reason: "pending", retryable: true } });
        }
        this._socket.write(line);
    }

    // -- Frames

    /** Nothing that comes in may end the session. */
    _receive(line) {
        try {
            const frame = JSON.parse(line);
            if (isObject(frame)) this._dispatch(frame);
        } catch (error) {
            this._fault(error);
        }
    }

    _dispatch({ id, method, params, result, error }) {
        if (typeof method !== "string") return this._replied(id, result, error);
        const given = isObject(params) ? params : {};
        if (id === undefined) this._notified(method, given);
        else this._requested(id, method, given);
    }

    _replied(id, result, error) {
        const pending = this._pending.get(id); // late, twice and unasked ones are ignored
        if (!pending) return;
        if (error !== undefined) return pending.reject(new BrokerError(error));
        const given = isObject(result) ? result : {};
        try {
            pending.then?.(given);
            pending.resolve(given);
        } catch (fault) {
            pending.reject(fault);
        }
    }

    /** Answers a kind of request of the broker, such as `screener.check`. What the handler returns
     * (or resolves to) is the result; it throws `Failed` to refuse. It is called with the params
     * and an AbortSignal for when its answer is no longer wanted. */
    handle(method, handler) {
        this._handlers.set(method, handler);
        return this;
    }

    _requested(id, method, params) {
        if (method === "broker.ping") {
            return this._answer(id, { result: { payload: params.payload } });
        }
        const handler = this._handlers.get(method);
        if (!handler) return this._answer(id, unsupported(method));
        const controller = new AbortController();
        this._serving.set(id, controller);
        const { signal } = controller;
        this._outcome(() => handler(params, signal), signal).then((outcome) => {
            if (this._serving.get(id) !== controller) return;
            this._serving.delete(id);
            this._answer(id, outcome);
        });
    }

    /** Every request is answered exactly once, also with what cannot be sent. */
    _answer(id, outcome) {
        if (!this._socket) return;
        try {
            this._send({ id, ...outcome });
        } catch (error) {
            if (error.name === "overloaded") return this._socket.destroy(); // it will ask again
            this._fault(error);
            this._send({ id, ...BROKEN });
        }
    }

    async _outcome(work, signal) {
        if (signal.aborted) return CANCELLED;
        try {
            const result = await work();
            return isObject(result) ? { result } : { result: {} };
        } catch (error) {
            if (error instanceof Failed) {
                return failure(error.reason, error.text, error.code, error.appCode);
            }
            if (signal.aborted) return CANCELLED;
            this._fault(error);
            return BROKEN;
        }
    }

    /** Something has failed in a way that nobody meant: a handler, a listener, an odd frame. */
    _fault(error) {
        if (!this.emit("fault", error)) console.error(error);
    }

    _tell(name, ...what) {
        try {
            this.emit(name, ...what);
        } catch (error) {
            this._fault(error);
        }
    }

    _notified(method, params) {
        if (method === "broker.cancel") return this._cancelled(params);
        if (method === "broker.goodbye") this._dismissed(params);
        if (!OWN_EVENTS.has(method)) this._tell(method, params);
    }

    _cancelled({ request }) {
        this._serving.get(request)?.abort();
    }

    _dismissed({ reason, resumable, reconnect_after_ms: after }) {
        this._retryAfterMs = Number.isInteger(after) && after > 0 && after <= 600_000 ? after : 0;
        if (resumable === false) delete this.hello.session;
        if (reason === "superseded" || reason === "stop") { // another of us, or nobody, goes on
            this._closed = true;
            this._hangUp(false);
        }
    }
}

/** What a notification of the wire cannot be mistaken for. */
const OWN_EVENTS = new Set(["open", "lost", "close", "fault", "snapshot", "dropped", "withdrawn",
                            "error", "newListener", "removeListener"]);

// ---- Controllers

/** Asks for things to be done to calls, in the name of the user. */
class Controller extends Client {
    static roles = ["controller", "observer"];
}

// ---- Observers

/** The data of an event with the whole call, of which the broker has sent what has changed. */
function wholeCall(call, { set, removed = [], changed, cause }) {
    const whole = { ...call, ...set, changed, cause };
    removed.forEach((name) => delete whole[name]);
    return whole;
}

/** Watches calls: `calls` is always their state, as a Map from id to call. Emits each event as
 * `event` and under its topic, and `snapshot` when all was read anew. Iterating yields them. */
class Observer extends Client {
    static roles = ["observer"];

    constructor(name, { topics = ["*"], includeEnded, cursor, ...options } = {}) {
        super(name, options);
        this.calls = new Map();
        this.cursor = cursor;
        this._topics = topics;
        this._includeEnded = includeEnded;
        this._hasReadCalls = false; // changes need what they change
        this._subscription = undefined;
        this._seen = 0; // the newest event that was delivered
        this._floor = 0; // the snapshot has everything up to here
        this._early = []; // before the reply that names their subscription
        this._queued = [];
        this._waiting = [];
    }

    /** The next thing that happens; undefined when the client is over. */
    next() {
        if (this._queued.length > 0) return Promise.resolve(this._queued.shift());
        if (this._over) return Promise.resolve(undefined);
        return new Promise((resolve) => this._waiting.push(resolve));
    }

    async *[Symbol.asyncIterator]() {
        for (let event; (event = await this.next()); ) yield event;
    }

    _ended() {
        this._over = true;
        this._waiting.splice(0).forEach((resolve) => resolve(undefined));
    }

    async _opened() {
        await this._watch();
    }

    _watch() {
        this._subscription = undefined;
        this._early = [];
        return this._opening("events.subscribe", {
            topics: this._topics, cursor: this.cursor, include_ended: this._includeEnded,
            detail: this._wantsChanges() ? "changes" : undefined,
        }, (result) => this._watched(result));
    }

    _wantsChanges() {
        const knowsCalls = this.cursor === undefined || this._hasReadCalls;
        const seesNewOnes = this._topics.some((topic) => /^(\*|call\.(\*|added))$/.test(topic));
        return knowsCalls && seesNewOnes && this.hello.features?.call_changes !== undefined;
    }

    _watched({ subscription, snapshot, epoch, seq = 0 }) {
        this._subscription = subscription;
        this._seen = snapshot ? seq : this.cursor?.seq ?? seq;
        this._floor = snapshot ? seq : 0;
        if (snapshot) {
            this.calls.clear();
            this._hasReadCalls = true;
            this.cursor = { epoch, seq };
            this._page(snapshot);
        }
        for (const event of this._early.splice(0)) this._happened(event);
    }

    /** Applied before the next frame is looked at, so that pages and events cannot cross. */
    _page({ calls = [], next }) {
        calls.forEach((call) => this._keep(call));
        if (next === undefined || next === null) {
            return this._deliver({ topic: "snapshot", data: {}, ...this.cursor });
        }
        this._opening("call.list", { after: next }, (page) => this._page(page))
            .catch(() => this._socket?.destroy()); // a new session begins anew
    }

    _keep(call) {
        const known = this.calls.get(call.call);
        if ((call.rev ?? 0) >= (known?.rev ?? 0)) this.calls.set(call.call, call);
    }

    _allow(given) {
        const known = this.calls.get(given.call);
        if (!known) return;
        const { merge_with, paused_tones, ...others } = known;
        this.calls.set(given.call, { ...others, ...given });
    }

    _notified(method, params) {
        const isOurs = params.subscription === this._subscription;
        if (method === "event" && typeof params.topic === "string") this._happened(params);
        else if (method === "events.gap" && isOurs) this._again();
        super._notified(method, params);
    }

    /** Something was missed: the next snapshot repairs it. */
    _again() {
        if (this._subscription === undefined) return;
        this._opening("events.unsubscribe", { subscription: this._subscription }).catch(() => {});
        this.cursor = undefined;
        this._watch().catch(() => this._socket?.destroy());
    }

    _happened(event) {
        const { subscription, epoch, seq = 0, prev = 0, topic } = event;
        if (this._subscription === undefined) return this._early.push(event);
        if (subscription !== this._subscription) return;
        if (this.cursor && epoch !== this.cursor.epoch) return this._again();
        if (prev > this._seen) return this._again();
        this._seen = Math.max(this._seen, seq);
        if (seq <= this._floor && !UNNUMBERED.has(topic)) return;
        this.cursor = { epoch, seq: this._seen };
        if (topic === "broker.bookmark") return;
        if (topic === "call.changed" && isObject(event.data?.set)) {
            const known = this.calls.get(event.call);
            if (!known) return this._again();
            event.data = wholeCall(known, event.data);
        }
        this._apply(event);
        this._deliver(event);
    }

    _apply({ topic, call, data }) {
        const given = isObject(data) ? data : {};
        if (topic === "call.removed") this.calls.delete(call ?? given.call);
        else if (/^call\.(added|changed)$/.test(topic) && given.call) this._keep(given);
        else if (topic === "call.allowed_changed") this._allow(given);
    }

    _deliver(event) {
        if (this._waiting.length > 0) this._waiting.shift()(event);
        else this._queue(event);
        const { topic } = event;
        if (!OWN_EVENTS.has(topic) || topic === "snapshot") this._tell(topic, event);
    }

    _queue(event) {
        if (this._queued.length >= EVENTS_KEPT) {
            this._queued = [];
            event = { topic: "snapshot", data: {}, ...this.cursor };
        }
        this._queued.push(event);
    }
}

// ---- Providers

/** Something the broker asks a provider to do to a call. */
class Action {
    constructor(provider, params) {
        this.id = params.action;
        this.kind = String(params.kind ?? "");
        this.call = String(params.call ?? "");
        this.arguments = isObject(params.arguments) ? params.arguments : {};
        this.transaction = params.transaction;
        this.cause = params.cause;
        this.deadline_ms = params.deadline_ms;
        this.attempt = 1;
        this.age_ms = params.age_ms ?? 0; // how long ago it was asked for
        this._provider = provider;
        this._controller = new AbortController();
        this._request = undefined; // the id to answer to, in this connection
        this._outcome = undefined;
    }

    /** Aborted when the broker takes the action back, or its time is over. */
    get signal() {
        return this._controller.signal;
    }

    /** Tells how far it is: phase, percent, message. `extend_ms` asks for more time, up to twice
     * the deadline in all. */
    progress(members = {}) {
        if (this._request === undefined) return;
        this._provider.notify("broker.progress", { request: this._request, ...members });
    }

    _settle() {
        if (this._outcome === undefined || this._request === undefined) return;
        const request = this._request;
        this._request = undefined;
        this._provider._answer(request, this._outcome);
    }

    _withdraw() {
        if (this._outcome === undefined) this._controller.abort();
    }
}

/** An app that owns calls. Emits `dropped` with the ids of calls that the broker did not take,
 * `withdrawn` with the id of an action that was taken over and is no longer wanted, and what it is
 * told: `audio.activated`, `provider.reset`, ... */
class Provider extends Client {
    static roles = ["provider", "controller"];

    /** The registration holds handle_types and what else differs from the usual. */
    constructor(identity, displayName, registration = {}, options = {}) {
        super(options.name ?? identity, { ...options, identity });
        this.registration = { display_name: displayName, ...registration };
        /** The reply to the latest registration: authorization, limits, calls, dropped. */
        this.registered = {};
        this._kinds = new Map();
        this._actions = new Map();
        this._executing = new Set(); // the requests that ask to take a transaction over
    }

    /** Performs actions of a kind: start answer end set_held set_muted set_group play_dtmf
     * set_endpoint set_video set_text transfer attended_transfer deflect. When
     * the handler returns (or resolves) the action is done, at the `at_ms` it may return as a
     * number; when it throws `Failed` it is not. A kind without a handler is not supported. */
    perform(kind, handler) {
        this._kinds.set(kind, handler);
        return this;
    }

    /** Is offered whole transactions {transaction, actions, deadline_ms}. Returns true to take one
     * over, and then settles each action with the request `action.settle`. */
    execute(handler) {
        this.registration.takes_transactions = true;
        return this.handle("provider.execute", async (params, signal) =>
            ({ taken: (await handler(params, signal)) === true }));
    }

    /** Changes what the network keeps for a line: is given its id and {setting, on, to, after_ms}, one
     * of the line's `settings`. Resolves when that is done and `update` has reported it; throws
     * `Failed` if it is as it was. */
    changeSetting(handler) {
        return this.handle("line.change_setting", async ({ line, deadline_ms, ...setting }, signal) => {
            await handler(line, setting, signal);
            return {};
        });
    }

    /** Handles pushes of the app's server, of the registered `push_types`: is given the type and the
     * payload. Resolves when that is done: for a VoIP push, when a call is reported. */
    push(handler) {
        return this.handle("push.received", async ({ type, payload }, signal) => {
            await handler(type, payload, signal);
            return {};
        });
    }

    /** Sends characters that the user has typed: is given a call's id and the text. Resolves when they are
     * on their way. */
    sendText(handler) {
        return this.handle("provider.send_text", async ({ call, text }, signal) => {
            await handler(call, text, signal);
            return {};
        });
    }

    /** Mutes a participant, or raises a hand: is given a call's id, the participant's and {muted} or
     * {hand_raised}. Resolves when `call.report_participants` has reported the change; throws `Failed`
     * if there is none. */
    changeParticipant(handler) {
        return this.handle("participant.change", async (params, signal) => {
            const { call, participant, deadline_ms, ...values } = params;
            await handler(call, participant, values, signal);
            return {};
        });
    }

    /** Lists the calls that live ({call, direction, state, remote, ...}) in each new session. One
     * that the broker knows and the list does not have ends. */
    reconcile(handler) {
        this._reconcile = handler;
        return this;
    }

    /** Changes members of the registration, now and for sessions to come. */
    update(members) {
        Object.assign(this.registration, members);
        // An update that waited for the session must not take back what a later one has changed.
        const asNow = () => Object.fromEntries(
            Object.keys(members).map((name) => [name, this.registration[name]]));
        return this.request("provider.update", { toJSON: asNow });
    }

    /** Has the user asked whether there may be calls from here. Resolves to the `status` and whether
     * the user is `asked`; the answer comes as the event `provider.authorization_changed`. */
    requestAuthorization() {
        return this.request("provider.request_authorization");
    }

    /** Whether a call ({remote, ...}) would ring now: resolves and rejects as
     * `call.report_incoming`, with the `rule` that decides and the filters that were left
     * `unasked`, as they do not run. Nothing is recorded, shown or started. */
    mayRing(members) {
        return this.request("call.report_incoming",
            { ...members, call: newId(), dry_run: true });
    }

    async _opened() {
        const calls = await this._reconcile?.();
        const dropped = [];
        for (let at = 0; at === 0 || at < calls?.length; at += RECONCILED_AT_ONCE) {
            const more = calls && at + RECONCILED_AT_ONCE < calls.length ? true : undefined;
            this.registered = await this._opening("provider.register", {
                ...this.registration, calls: calls?.slice(at, at + RECONCILED_AT_ONCE), more });
            dropped.push(...(this.registered.dropped ?? []));
        }
        if (dropped.length > 0) this._tell("dropped", dropped);
    }

    _requested(id, method, params) {
        if (method === "provider.execute") this._executing.add(id);
        if (method !== "provider.perform") return super._requested(id, method, params);
        if (typeof params.action !== "string") {
            return this._answer(id, failure("missing_member", "params.action is required", -32602));
        }
        const action = this._actions.get(params.action) ?? this._begun(params);
        action.attempt = params.attempt ?? 1;
        action.age_ms = params.age_ms ?? 0;
        action._request = id;
        action._settle();
    }

    _begun(params) {
        const action = new Action(this, params);
        this._actions.set(action.id, action);
        this._forget();
        const handler = this._kinds.get(action.kind);
        this._fulfil(handler, action).then((outcome) => {
            action._outcome = outcome;
            action._settle();
        });
        return action;
    }

    async _fulfil(handler, action) {
        if (!handler) return unsupported(action.kind);
        await undefined; // it may be taken back in the same moment
        return this._outcome(async () => {
            const atMs = await handler(action);
            return Number.isInteger(atMs) ? { at_ms: atMs } : {};
        }, action.signal);
    }

    _forget() {
        for (const [id, action] of this._actions) {
            if (this._actions.size <= ACTIONS_REMEMBERED) return;
            if (action._outcome !== undefined) this._actions.delete(id);
        }
    }

    /** Nothing is settled before the broker knows that it was taken over. */
    _mustWait(method) {
        return super._mustWait(method) || (method === "action.settle" && this._executing.size > 0);
    }

    _answer(id, outcome) {
        super._answer(id, outcome);
        if (this._executing.delete(id) && this._ready) this._catchUp();
    }

    _notified(method, params) {
        if (method === "provider.timed_out") this._actions.get(params.action)?._withdraw();
        super._notified(method, params);
    }

    _cancelled({ request, action: one }) {
        if (typeof one === "string") return this._withdrawn(one);
        for (const action of this._actions.values()) {
            if (action._request !== undefined && action._request === request) {
                return action._withdraw();
            }
        }
        super._cancelled({ request });
    }

    /** One of a transaction that was offered or taken over, so that it is perhaps none of ours. */
    _withdrawn(id) {
        const action = this._actions.get(id);
        if (action) action._withdraw();
        else this._tell("withdrawn", id);
    }

    _lost() {
        for (const action of this._actions.values()) action._request = undefined;
        this._executing.clear();
        super._lost();
    }
}

module.exports = { Action, BrokerError, Client, Controller, Disconnected, ERROR_NAMES, Failed,
                   Observer, Provider, TakenBack, defaultSocket, delayMs, generic, newId, phone,
                   stdio };
