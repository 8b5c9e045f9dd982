"use strict";
/* Odd and hostile input: nothing that comes in may end the client, confuse it or go unanswered. */
const assert = require("node:assert/strict");
const { randomInt } = require("node:crypto");
const { test } = require("node:test");
const { Disconnected, Observer, Provider } = require("../callbroker.js");
const { CALL, SESSION, TEST, encoded, heard, withPeer } = require("./scripted-broker.js");

const ODD = [
    "", "   ", "\r", "null", "7", '"x"', "[]", "[[]]", "[{}]", "{}", "{", "}", "\xff\xfe", '{"a":1',
    "[".repeat(30000), '{"a":'.repeat(30000), "\0", '{"id":1e400}', "1".repeat(5000), "NaN",
    '{"method":7}', '{"method":"event"}', '{"method":"event","params":[]}',
    '{"method":"event","params":{"topic":7,"seq":"x","data":null}}',
    '{"method":"event","params":{"topic":"error","subscription":1,"data":null}}',
    '{"method":"event","params":{"topic":"call.added","subscription":1,"data":[]}}',
    '{"method":"event","params":{"topic":"call.added","subscription":1,"seq":{},"data":7}}',
    '{"method":"events.gap"}', '{"method":"events.gap","params":{"subscription":[]}}',
    '{"method":"broker.cancel"}', '{"method":"broker.cancel","params":{"request":{}}}',
    '{"method":"broker.cancel","params":{"request":null}}',
    '{"method":"provider.timed_out","params":{"action":[]}}', '{"method":"x_new.thing"}',
    '{"method":"error"}', '{"method":"close"}', '{"method":"__proto__"}',
    '{"method":"broker.goodbye","params":{"reason":[],"reconnect_after_ms":"x"}}',
    '{"method":"broker.warning"}', '{"id":{},"method":"x"}',
    '{"id":[],"method":"provider.perform"}',
    '{"id":null,"error":{"code":-32600,"message":"x"}}', '{"id":1,"result":{}}',
    '{"id":"1","result":{}}', '{"id":true,"result":{}}', '{"id":-1,"error":null}',
    '{"id":[],"result":{}}', '{"result":{}}', '{"error":7}', '{"id":"__proto__","result":{}}',
];

const MENDED = { subscription: 1, epoch: "e", seq: 0, snapshot: {} };

async function ready(t, Kind = Provider) {
    const made = await withPeer(t, (options) => Kind === Provider
        ? new Provider("org.example.a", "A", {}, options) : new Observer("t", options));
    made.client.on("fault", () => {});
    if (Kind === Provider) {
        made.client.perform("answer", () => {});
        await made.peer.greetProvider();
    } else {
        await made.peer.greetObserver();
    }
    await made.opened;
    return made;
}

test("odd lines change nothing", TEST, async (t) => {
    for (const Kind of [Provider, Observer]) {
        const { client, peer } = await ready(t, Kind);
        for (const line of ODD) {
            peer.raw(line + "\n");
            const pong = client.request("broker.ping", { payload: line.slice(0, 60) });
            let frame = await peer.read();
            for (; frame.method !== "broker.ping"; frame = await peer.read()) {
                if (frame.method === undefined) assert.ok(frame.error.code < -32000, line);
                else peer.reply(frame, MENDED);
            }
            peer.reply(frame, frame.params);
            assert.deepEqual(await pong, frame.params);
        }
    }
});

test("odd replies to the opening are refused", TEST, async (t) => {
    const odd = [{ denied_roles: 7 }, { limits: 7, session: [], denied_roles: [null] }];
    for (const result of odd) {
        const { client, opened, peer } = await withPeer(t, (options) => new Observer("t", options));
        const closed = heard(client, "close");
        peer.reply(await peer.read("broker.hello"), result);
        await assert.rejects(opened, TypeError);
        await closed;
    }
});

test("frames may come in pieces or together", TEST, async (t) => {
    const { peer } = await ready(t);
    const whole = Buffer.from([
        { id: 70, method: "broker.ping", params: { payload: "ü€" } },
        { id: 71, method: "provider.perform", params: { action: "a", kind: "answer", call: CALL } },
        { id: 72, method: "broker.ping" }].map(encoded).join(""));
    for (const cuts of [0, 1, 4, 40, whole.length - 1]) {
        const at = Array.from({ length: cuts }, (_, n) =>
            cuts === whole.length - 1 ? n + 1 : randomInt(1, whole.length)).sort((a, b) => a - b);
        [0, ...at].forEach((from, n) => peer.raw(whole.subarray(from, at[n])));
        const replies = [await peer.read(), await peer.read(), await peer.read()];
        assert.deepEqual(Object.fromEntries(replies.map(({ id, result }) => [id, result])),
                         { 70: { payload: "ü€" }, 71: {}, 72: {} }, `cut at ${at}`);
    }
});

test("a reply counts once, and replies may overtake each other", TEST, async (t) => {
    const { client, peer } = await ready(t);
    const replies = [0, 1, 2].map((n) => client.request("broker.ping", { payload: n }));
    const frames = [await peer.read(), await peer.read(), await peer.read()];
    for (const { id, params } of frames.reverse()) {
        peer.send({ id: id + 10, result: {} }, { id: String(id), result: {} },
                  { id, result: { ...params, x_new: {} } }, { id, result: {} },
                  { id, error: { code: -32004, message: "x" } });
    }
    assert.deepEqual(await Promise.all(replies),
                     [0, 1, 2].map((payload) => ({ payload, x_new: {} })));
});

test("the last line needs no end", TEST, async (t) => {
    const { client, peer } = await ready(t);
    const reply = client.request("call.report_ended", { call: CALL, reason: "failed" });
    const { id } = await peer.read();
    peer.socket.end(encoded({ id, result: { seq: 5 } }).trimEnd());
    assert.deepEqual(await reply, { seq: 5 });
});

test("a long document comes through, and an endless line ends the connection", TEST, async (t) => {
    const { broker, client, peer } = await ready(t);
    const reply = client.request("rpc.discover");
    peer.reply(await peer.read(), { methods: ["x".repeat(900_000)] });
    assert.equal((await reply).methods[0].length, 900_000);
    peer.raw("x".repeat(2_000_000));
    await (await broker.accept()).greetProvider();
});

test("lost at each point of the opening", TEST, async (t) => {
    const { broker, client, ...first } = await ready(t);
    let { peer } = first;
    const opening = encoded({ id: 1, result: { session: SESSION } });
    for (let cut = 0; cut < opening.length; cut += 7) {
        peer.close();
        peer = await broker.accept();
        const { id } = await peer.read("broker.hello");
        peer.socket.end(opening.slice(0, cut).replace(/"id":1/, `"id":${id}`));
    }
    peer = await broker.accept();
    await peer.greetProvider();
    const asked = client.request("call.report_connected", { call: CALL });
    const { id } = await peer.read("call.report_connected");
    peer.socket.end(encoded({ id, result: {} }).slice(0, 9));
    await assert.rejects(asked, Disconnected);
    peer = await broker.accept();
    await peer.greetProvider();
    peer.perform(7);
    assert.equal((await peer.read()).id, 7);
});
