"use strict";
/* Opening, losing and renewing sessions; requests that fail, time out or are taken back. */
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const net = require("node:net");
const path = require("node:path");
const { test } = require("node:test");
const { BrokerError, Controller, Disconnected, ERROR_NAMES, Provider, TakenBack,
        delayMs } = require("../callbroker.js");
const { CALL, Peer, SESSION, ScriptedBroker, TEST, heard,
        withPeer } = require("./scripted-broker.js");

const PHONE = { handle_types: ["phone"] };
const controller = (t, more) =>
    withPeer(t, (options) => new Controller("t", { ...options, ...more }));
const provider = (t) =>
    withPeer(t, (options) => new Provider("org.example.a", "A", PHONE, options));

test("a client says who it is", TEST, async (t) => {
    const { client, opened, peer } = await controller(t, {
        version: "1.2", url: "https://example.org", credential: "token",
        roles: ["ui", "observer"] });
    const hello = await peer.greet();
    assert.deepEqual(hello.params, {
        protocol: { min: 1, max: 1 }, roles: ["ui", "observer"], credential: "token",
        client: { name: "t", version: "1.2", url: "https://example.org" } });
    await opened;
    assert.equal(client.connected, true);
    assert.equal(client.hello.epoch, "e");
});

test("a lost session is renewed and resumed", TEST, async (t) => {
    const { broker, client, ...first } = await provider(t);
    let { peer } = first;
    await peer.greetProvider();
    for (let i = 0; i < 3; i++) {
        peer.close();
        peer = await broker.accept();
        assert.deepEqual((await peer.read("broker.hello")).params.resume, SESSION);
        peer.close();
        peer = await broker.accept();
        const open = heard(client, "open");
        assert.deepEqual((await peer.greet()).params.resume, SESSION);
        peer.reply(await peer.read("provider.register"));
        await open;
    }
    const reply = client.request("call.report_connected", { call: CALL });
    peer.reply(await peer.read("call.report_connected"), { seq: 9 });
    assert.deepEqual(await reply, { seq: 9 });
});

test("a session that is not resumable is opened anew", TEST, async (t) => {
    const { broker, peer } = await provider(t);
    await peer.greetProvider();
    peer.send({ method: "broker.goodbye", params: {
        reason: "restarting", resumable: false, reconnect_after_ms: 0 } });
    peer.socket.end();
    assert.equal("resume" in (await (await broker.accept()).greet()).params, false);
});

test("the broker says when to come back", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    const timers = t.mock.method(globalThis, "setTimeout");
    const lost = heard(client, "lost");
    peer.send({ method: "broker.goodbye", params: {
        reason: "restarting", resumable: true, reconnect_after_ms: 600_000 } });
    peer.socket.end();
    await lost;
    assert.equal(timers.mock.calls.at(-1).arguments[1], 600_000);
});

test("who is superseded or stopped does not come back", TEST, async (t) => {
    for (const reason of ["superseded", "stop"]) {
        const { client, opened, peer } = await controller(t);
        const closed = heard(client, "close");
        await peer.greet();
        await opened;
        peer.send({ method: "broker.goodbye", params: { reason } });
        assert.equal(await closed, undefined);
    }
});

test("close says goodbye", TEST, async (t) => {
    for (const resumable of [false, true]) {
        const { client, opened, peer } = await controller(t);
        await peer.greet();
        await opened;
        const closed = client.close({ resumable });
        const { params } = await peer.read("broker.goodbye");
        assert.deepEqual(params, { reason: "closed", resumable });
        assert.equal(await peer.lines.next(), undefined);
        await closed;
        await assert.rejects(client.request("call.end", { call: CALL }), Disconnected);
    }
});

test("a client that waits for its next try can be closed", TEST, async (t) => {
    const client = new Controller("t", { socket: "no-such-folder/x", backoffMs: [1e6, 1e6] });
    const opened = client.open({ patient: true });
    await heard(client, "lost");
    await client.close();
    await assert.rejects(opened, Disconnected);
});

test("a hello that is refused for good ends it", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    const closed = heard(client, "close");
    peer.refuse(await peer.read("broker.hello"), -32015, {
        reason: "version_unsupported", supported: { min: 2, max: 3 } });
    await assert.rejects(opened, { name: "version_unsupported", data: {
        reason: "version_unsupported", supported: { min: 2, max: 3 } } });
    assert.equal((await closed).name, "version_unsupported");
});

test("an identity in use is tried again", TEST, async (t) => {
    const { broker, opened, peer } = await provider(t);
    peer.refuse(await peer.read("broker.hello"), -32005, { reason: "identity" });
    await (await broker.accept()).greetProvider();
    await opened;
});

test("a role that is denied ends it", TEST, async (t) => {
    const { opened, peer } = await controller(t);
    await peer.greet({ denied_roles: [{ role: "controller", reason: "not_granted" }] });
    await assert.rejects(opened, { name: "permission_denied", reason: "not_granted" });
});

test("a reconciliation that breaks ends it", TEST, async (t) => {
    const { client, opened, peer } = await provider(t);
    client.reconcile(() => { throw new RangeError("x"); });
    await peer.greet();
    await assert.rejects(opened, RangeError);
});

test("a hello without a reply is said anew", TEST, async (t) => {
    const { client, peer } = await controller(t, { openingMs: 0 });
    const lost = heard(client, "lost");
    await peer.read("broker.hello");
    await peer.read("broker.cancel");
    assert.equal((await peer.read("broker.goodbye")).params.resumable, true);
    assert.ok(await lost instanceof TakenBack);
});

test("requests wait for a session that is being opened", TEST, async (t) => {
    const { client, peer } = await provider(t);
    await peer.greet();
    const register = await peer.read("provider.register");
    const ended = client.request("call.report_ended", { call: CALL, reason: "failed" });
    peer.send({ id: 77, method: "broker.ping" });
    assert.equal((await peer.read()).id, 77);
    peer.reply(register);
    peer.reply(await peer.read("call.report_ended"), { seq: 1 });
    assert.deepEqual(await ended, { seq: 1 });
});

test("every open request fails when the connection is lost", TEST, async (t) => {
    const { broker, client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    const replies = [1, 2, 3].map(() => client.request("call.end", { call: CALL }));
    for (const _ of replies) await peer.read("call.end");
    peer.close();
    for (const reply of replies) await assert.rejects(reply, Disconnected);
    await (await broker.accept()).greet();
});

test("a request that is not wanted any more is taken back", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    const unwanted = new AbortController();
    const reply = client.request("call.end", { call: CALL }, { signal: unwanted.signal });
    const { id } = await peer.read("call.end");
    unwanted.abort();
    await assert.rejects(reply, TakenBack);
    assert.deepEqual((await peer.read("broker.cancel")).params, { request: id });
    peer.send({ id, result: {} });
    await assert.rejects(client.request("call.end", {}, { signal: unwanted.signal }), TakenBack);
    const late = client.request("call.list", {}, { timeoutMs: 0 });
    await assert.rejects(late, { name: "TakenBack", message: "no reply to call.list" });
    assert.deepEqual([(await peer.read("call.list")).id, (await peer.read("broker.cancel")).params],
                     [id + 1, { request: id + 1 }]);
});

test("a request that was answered is not taken back", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    const unwanted = new AbortController();
    const reply = client.request("call.list", {}, { signal: unwanted.signal });
    peer.reply(await peer.read("call.list"));
    await reply;
    unwanted.abort();
    client.request("broker.ping").catch(() => {});
    await peer.read("broker.ping");
});

test("nothing too long is sent, and nothing that cannot be", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet({ limits: { frame_bytes: 200 } });
    await opened;
    await assert.rejects(client.request("call.play_dtmf", { digits: "1".repeat(200) }), {
        name: "frame_limit", reason: "frame_bytes" });
    await assert.rejects(client.request("x", { a: 1n }), TypeError);
    client.request("call.end", { call: CALL }).catch(() => {});
    await peer.read("call.end");
});

test("a broker that does not read is not buried", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    peer.socket.pause();
    const fill = () => client.notify("broker.log", { level: "info", message: "x".repeat(60_000) });
    assert.throws(() => { for (;;) fill(); }, { name: "overloaded", retryable: true });
    peer.socket.resume();
    await peer.read("broker.log");
});

test("what stands in the way is told", TEST, async (t) => {
    const { client, opened, peer } = await controller(t);
    await peer.greet();
    await opened;
    const reply = client.request("call.answer", { call: CALL });
    const data = { reason: "cannot_hold", retryable: true, rule: "6",
                   blocking: [{ call: CALL, provider: "org.a" }] };
    peer.refuse(await peer.read(), -32006, data);
    await assert.rejects(reply, (error) => {
        assert.ok(error instanceof BrokerError);
        assert.deepEqual([error.code, error.name, error.reason, error.retryable, error.data],
                         [-32006, "invalid_state", "cannot_hold", true, data]);
        return true;
    });
});

test("errors of any shape are errors", () => {
    for (const shape of [null, [], "x", {}, { code: "x" }, { code: -1, data: [] },
                         { code: -32004, message: null, data: null }]) {
        const error = new BrokerError(shape);
        assert.deepEqual([error.reason, error.data, error.retryable], ["", {}, false]);
        assert.ok(error.name in Object.fromEntries(Object.values(ERROR_NAMES).map((n) => [n, 1])));
    }
});

test("tries come later and later, but not all at once", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 100].map((n) => delayMs(n, [100, 5000], 0.5));
    assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    assert.deepEqual([delayMs(0, [100, 5000], 0), delayMs(9, [100, 5000], 1)].map(Math.round),
                     [80, 6000]);
});

test("without patience there must be a broker", TEST, async () => {
    const client = new Controller("t", { socket: "no-such-folder/broker.sock" });
    await assert.rejects(client.open(), { code: "ENOENT" });
});

test("with patience a broker is waited for", TEST, async (t) => {
    const broker = new ScriptedBroker();
    const client = new Controller("t", { socket: broker.path, backoffMs: [1, 1] });
    const opened = client.open({ patient: true });
    t.after(async () => {
        await client.close();
        await broker.close();
    });
    await heard(client, "lost");
    await broker.listen();
    await (await broker.accept()).greet();
    await opened;
});

test("a connected socket is not renewed", TEST, async (t) => {
    const broker = new ScriptedBroker();
    await broker.listen();
    t.after(() => broker.close());
    const client = new Controller("t", { socket: net.connect(broker.path) });
    const opened = client.open();
    const peer = await broker.accept();
    await peer.greet();
    await opened;
    const closed = heard(client, "close");
    peer.close();
    await closed;
});

test("a plugin talks over its standard input, and prints to its log", TEST, async (t) => {
    const library = path.join(__dirname, "..", "callbroker.js");
    const program = `const c = require(${JSON.stringify(library)});
        const app = new c.Provider("org.example.a", "A", {}, { socket: c.stdio() });
        app.perform("answer", () => console.log("answering")).open();`;
    const starter = path.join(__dirname, "on-a-socket.py");
    const plugin = spawn("python3", [starter, process.execPath, "-e", program], {
        stdio: ["pipe", "pipe", "pipe"] });
    t.after(() => plugin.kill());
    const peer = new Peer(pair(plugin));
    let log = "";
    plugin.stderr.on("data", (text) => (log += text));
    await peer.greetProvider();
    peer.perform(7);
    assert.deepEqual(await peer.read(), { jsonrpc: "2.0", id: 7, result: {} });
    peer.send({ method: "broker.goodbye", params: { reason: "stop" } });
    await peer.read("broker.goodbye");
    assert.equal(await new Promise((resolve) => plugin.on("close", resolve)), 0);
    assert.equal(log, "answering\n");
});

/** A child's standard input and output as one stream. */
function pair(child) {
    const { Duplex } = require("node:stream");
    return Duplex.from({ readable: child.stdout, writable: child.stdin });
}
