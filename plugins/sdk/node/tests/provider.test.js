"use strict";
/* What a provider does with actions, and with what it is told. */
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Failed, Provider } = require("../callbroker.js");
const { ACTION, CALL, TEST, heard, withPeer } = require("./scripted-broker.js");

const FULFILLED = { jsonrpc: "2.0", id: 7, result: {} };
const error = (id, code, reason, message, data = {}) =>
    ({ jsonrpc: "2.0", id, error: { code, message, data: { reason, ...data } } });
const PHONE = { handle_types: ["phone"] };
const provider = (t) =>
    withPeer(t, (options) => new Provider("org.example.a", "A", PHONE, options));

test("an action reaches the handler of its kind", TEST, async (t) => {
    const { client, peer } = await provider(t);
    const told = new Promise((resolve) => client.perform("set_held", resolve));
    await peer.greetProvider();
    peer.perform(7, { kind: "set_held", arguments: { held: true }, attempt: 2, x_new: 1 });
    assert.deepEqual(await peer.read(), FULFILLED);
    const { id, kind, call, arguments: given, transaction, cause, deadline_ms, attempt, signal } =
        await told;
    assert.deepEqual([id, kind, call, given, transaction, cause, deadline_ms, attempt],
                     [ACTION, "set_held", CALL, { held: true }, "t", { origin: "user" }, 5000, 2]);
    assert.equal(signal.aborted, false);
});

test("fulfilled, failed, broken and unknown", TEST, async (t) => {
    const { client, peer } = await provider(t);
    client.perform("answer", async ({ id }) => {
        if (id === "fails") throw new Failed("remote_refused", "far end refused");
        if (id === "breaks") throw new RangeError("x");
        return 1763712000000;
    });
    client.perform("x_blink", () => { throw new Failed("no_lamp", undefined, undefined, "LED 4"); });
    client.perform("x_glow", () => { throw new Failed(undefined, undefined, undefined, "LED 5"); });
    await peer.greetProvider();
    peer.perform(7, { action: "works" });
    assert.deepEqual((await peer.read()).result, { at_ms: 1763712000000 });
    peer.perform(8, { action: "fails" });
    assert.deepEqual(await peer.read(), error(8, -32000, "remote_refused", "far end refused"));
    const fault = heard(client, "fault");
    peer.perform(9, { action: "breaks" });
    assert.deepEqual(await peer.read(), error(9, -32603, "internal", "the handler failed"));
    assert.ok(await fault instanceof RangeError);
    peer.perform(10, { action: "b", kind: "x_blink" });
    assert.deepEqual(await peer.read(),
                     error(10, -32000, "no_lamp", "", { app_code: "LED 4" }));
    peer.perform(10, { action: "g", kind: "x_glow" });
    assert.deepEqual(await peer.read(),
                     error(10, -32000, "unspecified", "", { app_code: "LED 5" }));
    peer.perform(11, { action: "c", kind: "teleport" });
    assert.deepEqual(await peer.read(),
                     error(11, -32601, "not_supported", "teleport is not supported"));
    peer.send({ id: 12, method: "provider.perform", params: {} });
    assert.equal((await peer.read()).error.code, -32602);
    peer.send({ id: 13, method: "provider.unheard_of" });
    assert.equal((await peer.read()).error.code, -32601);
});

test("an action is taken back", TEST, async (t) => {
    const { client, opened, peer } = await provider(t);
    client.perform("answer", (action) => {
        action.progress({ phase: "ringing", percent: 10, message: "soon", extend_ms: 5000 });
        return new Promise((_, reject) => action.signal.addEventListener("abort", reject));
    });
    await peer.greetProvider();
    await opened;
    peer.perform(7);
    assert.deepEqual((await peer.read("broker.progress")).params, {
        request: 7, phase: "ringing", percent: 10, message: "soon", extend_ms: 5000 });
    const late = heard(client, "provider.timed_out");
    peer.send({ method: "broker.cancel", params: { request: 8 } },
              { method: "broker.cancel", params: { request: 7 } },
              { method: "provider.timed_out",
                params: { action: ACTION, kind: "answer", call: CALL } });
    assert.deepEqual(await peer.read(), error(7, -32010, "cancelled", "cancelled"));
    assert.equal((await late).call, CALL);
});

test("an action that succeeds after all is told as it is", TEST, async (t) => {
    const { client, peer } = await provider(t);
    client.perform("answer", (action) => {
        action.progress();
        return new Promise((resolve) =>
            action.signal.addEventListener("abort", () => resolve(5)));
    });
    await peer.greetProvider();
    peer.perform(7);
    await peer.read("broker.progress");
    peer.send({ method: "broker.cancel", params: { request: 7 } });
    assert.deepEqual((await peer.read()).result, { at_ms: 5 });
});

test("an action that is taken back in the same moment is not begun", TEST, async (t) => {
    const { client, peer } = await provider(t);
    let hasBegun = false;
    client.perform("end", () => void (hasBegun = true));
    await peer.greetProvider();
    peer.send({ id: 7, method: "provider.perform", params: { action: "a", kind: "end" } },
              { method: "broker.cancel", params: { request: 7 } });
    assert.deepEqual(await peer.read(), error(7, -32010, "cancelled", "cancelled"));
    assert.equal(hasBegun, false);
});

test("a request of a lost connection is not answered in the next", TEST, async (t) => {
    const { broker, client, peer } = await provider(t);
    let asked, go;
    const begun = new Promise((resolve) => (asked = resolve));
    client.handle("x_slow", () => new Promise((resolve) => asked(go = resolve)));
    await peer.greetProvider();
    peer.send({ id: 7, method: "x_slow" });
    await begun;
    peer.close();
    const again = await broker.accept();
    await again.greetProvider();
    go({});
    again.send({ id: 8, method: "broker.ping" });
    assert.equal((await again.read()).id, 8);
});

test("a result that cannot be sent is an error", TEST, async (t) => {
    const { client, peer } = await provider(t);
    client.handle("x_long", () => ({ x: "y".repeat(70_000) })).handle("x_odd", () => ({ x: 1n }));
    await peer.greetProvider();
    for (const method of ["x_long", "x_odd"]) {
        const fault = heard(client, "fault");
        peer.send({ id: 7, method });
        assert.deepEqual(await peer.read(), error(7, -32603, "internal", "the handler failed"));
        await fault;
    }
});

test("a repeated action is done once and answered twice", TEST, async (t) => {
    const { client, peer } = await provider(t);
    const done = [];
    client.perform("answer", (action) => void done.push(action));
    await peer.greetProvider();
    peer.perform(7);
    assert.deepEqual(await peer.read(), FULFILLED);
    peer.perform(8, { attempt: 2 });
    assert.deepEqual(await peer.read(), { ...FULFILLED, id: 8 });
    assert.deepEqual(done.map(({ attempt }) => attempt), [2]);
});

test("an action outlives the connection", TEST, async (t) => {
    const { broker, client, peer } = await provider(t);
    const lost = heard(client, "lost");
    let asked, go;
    const begun = new Promise((resolve) => (asked = resolve));
    client.perform("answer", () => {
        asked();
        return new Promise((resolve) => (go = resolve));
    });
    await peer.greetProvider();
    peer.perform(7);
    await begun;
    peer.close();
    await lost;
    const again = await broker.accept();
    await again.greetProvider();
    again.perform(1, { attempt: 2 });
    go(9);
    assert.deepEqual(await again.read(), { jsonrpc: "2.0", id: 1, result: { at_ms: 9 } });
});

test("old actions are forgotten", TEST, async (t) => {
    const { client, peer } = await provider(t);
    client.perform("answer", () => {});
    await peer.greetProvider();
    for (let id = 0; id < 266; id++) {
        peer.perform(id, { action: `a${id}` });
        assert.equal((await peer.read()).id, id);
    }
    assert.equal(client._actions.size, 256);
});

test("reconciling lists the live calls and drops what is not taken", TEST, async (t) => {
    const { broker, client, ...first } = await provider(t);
    let { peer } = first;
    let calls = Array.from({ length: 70 }, (_, n) => ({ call: `c${n}` }));
    client.reconcile(async () => calls);
    const dropped = heard(client, "dropped");
    await peer.greet();
    const seen = [];
    for (let n = 0; n < 3; n++) {
        const register = await peer.read("provider.register");
        seen.push([register.params.calls.length, register.params.calls[0].call,
                   register.params.more]);
        peer.reply(register, { dropped: [`c${n}`] });
    }
    assert.deepEqual(seen, [[32, "c0", true], [32, "c32", true], [6, "c64", undefined]]);
    assert.deepEqual(await dropped, ["c0", "c1", "c2"]);
    calls = [];
    peer.close();
    peer = await broker.accept();
    assert.deepEqual((await peer.greetProvider()).params.calls, []);
});

test("a changed registration is kept", TEST, async (t) => {
    const { broker, client, opened, peer } = await provider(t);
    await peer.greetProvider();
    await opened;
    assert.equal(client.registered.provider, "org.example.a");
    const updated = client.update({ display_name: "B" });
    peer.reply(await peer.read("provider.update"));
    await updated;
    peer.close();
    assert.deepEqual((await (await broker.accept()).greetProvider()).params,
                     { display_name: "B", handle_types: ["phone"] });
});

test("updates that waited for the session take nothing back", TEST, async (t) => {
    const { client, peer } = await provider(t);
    for (const icon of ["x", "y"]) client.update({ icon }).catch(() => {});
    const frames = [await peer.greetProvider()];
    for (let n = 0; n < 2; n++) frames.push(await peer.read("provider.update"));
    assert.deepEqual(frames.map(({ params }) => params.icon), ["y", "y", "y"]);
});

test("a transaction is taken over, and settled afterwards", TEST, async (t) => {
    const { client, peer } = await provider(t);
    client.execute(async ({ transaction }) => {
        client.request("action.settle", { action: ACTION, outcome: "fulfilled" }).catch(() => {});
        return transaction === "t1";
    });
    assert.equal((await peer.greetProvider()).params.takes_transactions, true);
    for (const [id, transaction] of ["t1", "t2"].entries()) {
        peer.send({ id, method: "provider.execute", params: { transaction, actions: [] } });
        assert.deepEqual((await peer.read()).result, { taken: transaction === "t1" });
        assert.equal((await peer.read("action.settle")).params.action, ACTION);
    }
});

test("a setting of a line is changed, or is as it was", TEST, async (t) => {
    const { client, peer } = await provider(t);
    const asked = [];
    client.changeSetting((line, setting) => {
        asked.push([line, setting]);
        if (!setting.on) throw new Failed("barred");
    });
    await peer.greetProvider();
    for (const on of [true, false]) {
        peer.send({ id: 7, method: "line.change_setting", params: {
            line: "sim", setting: "call_waiting", on, deadline_ms: 60000 } });
        const { result, error } = await peer.read();
        assert.deepEqual(on ? result : error.data.reason, on ? {} : "barred");
    }
    assert.deepEqual(asked, [true, false].map((on) => ["sim", { setting: "call_waiting", on }]));
});

test("a push is handled, or is not", TEST, async (t) => {
    const { client, peer } = await provider(t);
    const pushes = [];
    client.push((type, payload) => {
        pushes.push([type, payload]);
        if (!payload.caller) throw new Failed("unknown_account");
    });
    await peer.greetProvider();
    for (const payload of [{ caller: "Ada" }, {}]) {
        peer.send({ id: 7, method: "push.received", params: {
            push: "p", type: "voip", payload, deadline_ms: 30000 } });
        const { result, error } = await peer.read();
        assert.deepEqual(payload.caller ? result : error.data.reason, payload.caller ? {} : "unknown_account");
    }
    assert.deepEqual(pushes, [["voip", { caller: "Ada" }], ["voip", {}]]);
});

test("one action of a transaction is taken back", TEST, async (t) => {
    const { client, peer } = await provider(t);
    let end;
    client.execute((_, signal) => new Promise((resolve) => (end = () => resolve(!signal.aborted))));
    const withdrawn = heard(client, "withdrawn");
    await peer.greetProvider();
    peer.send({ id: 7, method: "provider.execute", params: { transaction: "t", actions: [] } },
              { method: "broker.cancel", params: { request: 7, action: ACTION } });
    assert.equal(await withdrawn, ACTION);
    end();
    assert.deepEqual((await peer.read()).result, { taken: true });
});

test("what the broker tells reaches its listeners", TEST, async (t) => {
    const { client, opened, peer } = await provider(t);
    const told = [];
    for (const name of ["provider.reset", "audio.activated", "open", "error"]) {
        client.on(name, (params) => told.push([name, params]));
    }
    const last = heard(client, "x_last");
    await peer.greetProvider();
    await opened;
    peer.send({ method: "provider.reset", params: { reason: "admin" } },
              { method: "error", params: {} }, { method: "close" },
              { method: "audio.activated", params: { group: CALL, calls: [CALL] } },
              { method: "x_last" });
    await last;
    assert.deepEqual(told, [["open", undefined], ["provider.reset", { reason: "admin" }],
                            ["audio.activated", { group: CALL, calls: [CALL] }]]);
});

test("requests of other roles are answered, or taken back", TEST, async (t) => {
    const { client, opened, peer } = await provider(t);
    client.handle("screener.check", async () => ({ verdict: "block", label: "spam" }));
    client.handle("ui.present", (_, signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", reject)));
    await peer.greetProvider();
    await opened;
    peer.send({ id: "a", method: "screener.check", params: { call: CALL } });
    assert.deepEqual((await peer.read()).result, { verdict: "block", label: "spam" });
    peer.send({ id: 2, method: "ui.present" }, { method: "broker.cancel", params: { request: 2 } });
    assert.deepEqual(await peer.read(), error(2, -32010, "cancelled", "cancelled"));
});
