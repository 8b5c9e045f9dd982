"use strict";
/* Providers, controllers and observers with the broker itself, whose clock the tests move. */
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { Client, Controller, Failed, Observer, Provider, newId,
        phone } = require("../callbroker.js");
const { RealBroker } = require("./real-broker.js");
const { TEST, heard } = require("./scripted-broker.js");

const ANN = phone("+15550100");
const DONE = { wait: "completed" };

/** A broker, a user, and providers that write down what they are asked for. */
class Stage {
    static async set(t) {
        const stage = new Stage();
        stage.broker = new RealBroker("--test-mode");
        stage.performed = [];
        stage.clients = [];
        await stage.broker.start();
        t.after(async () => {
            await Promise.all(stage.clients.map((client) => client.close()));
            await stage.broker.close();
        });
        stage.user = await stage.enter(new Client("user", stage.options(
            { roles: ["controller", "observer", "admin"] })));
        return stage;
    }

    options(more) {
        return { socket: this.broker.path, backoffMs: [1, 10], ...more };
    }

    async enter(client) {
        this.clients.push(client);
        await client.open();
        return client;
    }

    provider(name, registration = {}) {
        const app = new Provider(name, name, { handle_types: ["phone"], ...registration },
                                 this.options());
        for (const kind of ["start", "answer", "end", "set_held", "set_muted", "set_group"]) {
            app.perform(kind, (action) =>
                void this.performed.push([name, action.kind, action.arguments]));
        }
        return app;
    }

    async incoming(app, update = {}) {
        const call = newId();
        await app.request("call.report_incoming", { call, remote: ANN, ...update });
        return call;
    }

    async done(method, params) {
        assert.equal((await this.user.request(method, { ...params, ...DONE })).state, "completed");
    }
}

test("one app is held before another is answered", TEST, async (t) => {
    const stage = await Stage.set(t);
    const one = await stage.enter(stage.provider("org.one"));
    const other = await stage.enter(stage.provider("org.two"));
    const first = await stage.incoming(one), second = await stage.incoming(other);
    await stage.done("call.answer", { call: first });
    const choice = "hold_and_answer";
    const plan = await stage.user.request("call.answer", { call: second, choice, dry_run: true });
    assert.deepEqual(plan.would_hold, [first]);
    await stage.done("call.answer", { call: second, choice });
    assert.deepEqual(stage.performed, [["org.one", "answer", {}],
                                       ["org.one", "set_held", { held: true }],
                                       ["org.two", "answer", {}]]);
});

test("calls name the lines of their app", TEST, async (t) => {
    const stage = await Stage.set(t);
    const work = { line: "work", label: "Work", state: "failed", reason: "403 Forbidden" };
    const home = { line: "home", label: "Home", default: true };
    const one = await stage.enter(stage.provider("org.one", { lines: [home, work] }));
    const { providers } = await stage.user.request("provider.list");
    assert.deepEqual(providers[0].lines.map(({ line, state, reason }) => [line, state, reason]),
                     [["home", "registered", undefined], ["work", "failed", "403 Forbidden"]]);
    const incoming = await stage.incoming(one, { line: "work" });
    assert.equal((await stage.user.request("call.get", { call: incoming })).line, "work");
    await stage.done("call.end", { call: incoming });
    await stage.done("call.start", { remote: ANN, provider: "org.one", line: "work" });
    assert.deepEqual(stage.performed.at(-1),
                     ["org.one", "start", { remote: ANN, line: "work" }]);
});

test("the lines of an update are registered again, and no other line is known", TEST, async (t) => {
    const stage = await Stage.set(t);
    const one = await stage.enter(stage.provider("org.one"));
    await one.update({ lines: [{ line: "work", label: "Work" }] });
    const again = heard(one, "open");
    await stage.broker.kill();
    await stage.broker.start();
    await again;
    const call = newId();
    await assert.rejects(
        one.request("call.report_incoming", { call, remote: ANN, line: "home" }),
        { reason: "unknown_line" });
    await one.request("call.report_incoming", { call, remote: ANN, line: "work" });
});

test("errors say what stands in the way", TEST, async (t) => {
    const stage = await Stage.set(t);
    const one = await stage.enter(stage.provider("org.one"));
    const other = await stage.enter(stage.provider("org.two"));
    const first = await stage.incoming(one, { supports_holding: false });
    const second = await stage.incoming(other);
    await stage.done("call.answer", { call: first });
    await assert.rejects(stage.user.request("call.answer", { call: second }), (error) => {
        assert.deepEqual([error.name, error.reason, error.data.rule],
                         ["invalid_state", "cannot_hold", "6"]);
        assert.deepEqual(error.data.blocking, [{ call: first, provider: "org.one" }]);
        return true;
    });
    await assert.rejects(stage.incoming(one, { call: first }), { name: "already_exists" });
    await assert.rejects(stage.user.request("call.end", { call: newId() }), { name: "not_found" });
});

test("a provider that fails, and one that is silent", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one");
    app.perform("answer", () => { throw new Failed("no_microphone"); });
    const begun = new Promise((resolve) => app.perform("start", (action) => {
        resolve(action);
        return new Promise((_, reject) => action.signal.addEventListener("abort", reject));
    }));
    await stage.enter(app);
    const call = await stage.incoming(app);
    await assert.rejects(stage.user.request("call.answer", { call, ...DONE }), (error) => {
        assert.deepEqual([error.name, error.data.provider_error.reason],
                         ["provider_failed", "no_microphone"]);
        return true;
    });
    const started = stage.user.request("call.start", { remote: ANN, provider: "org.one", ...DONE });
    started.catch(() => {});
    const { signal } = await begun;
    await stage.user.request("test.advance", { ms: 600_000 });
    await assert.rejects(started, { name: "deadline_exceeded" });
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
});

/** The call as an observer was told of it, each time, until it was over. */
async function story(watch, call) {
    const told = [];
    for await (const event of watch) {
        if (event.call !== call) continue;
        if (event.topic === "call.removed") break;
        if (event.topic === "call.added" || event.topic === "call.changed") told.push(event.data);
    }
    return told;
}

test("whether the user allows an app calls", TEST, async (t) => {
    const stage = await Stage.set(t);
    await stage.user.request("policy.set", { new_providers: "ask" });
    const app = await stage.enter(stage.provider("org.one"));
    const { status } = await app.requestAuthorization();
    assert.equal(status, "not_determined");
    const changed = new Promise((resolve) => app.once("provider.authorization_changed", resolve));
    await stage.user.request("policy.set", { authorization: { "org.one": "authorized" } });
    assert.deepEqual(await changed, { status: "authorized" });
    assert.deepEqual(await app.requestAuthorization(), { status: "authorized", asked: false });
});

test("whether a call would ring", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = await stage.enter(stage.provider("org.one"));
    const { rule, state } = await app.mayRing({ remote: ANN });
    assert.deepEqual({ rule, state }, { rule: "1", state: "ringing" });
    await stage.user.request("policy.set", { do_not_disturb: { on: true } });
    await assert.rejects(app.mayRing({ remote: ANN }), { code: -32008, reason: "do_not_disturb" });
    assert.deepEqual((await stage.user.request("call.list")).calls, []);
});

test("how far a dialled call came, and why it ended", TEST, async (t) => {
    const stage = await Stage.set(t);
    const watch = await stage.enter(new Observer("watch", stage.options({ features: ["alerting"] })));
    assert.deepEqual(watch.hello.features.alerting, { version: 1, granted: true });
    const app = await stage.enter(stage.provider("org.one"));
    const call = newId(), provider = "org.one", detail = { code: "SIP 486", text: "Busy Here" };
    await stage.done("call.start", { remote: ANN, call, provider });
    await app.request("call.report_alerting", { call, has_early_media: true });
    await app.request("call.report_ended", { call, reason: "remote_ended", end_detail: detail });
    const told = await story(watch, call);
    assert.deepEqual(told.map(({ state }) => state).slice(-2), ["alerting", "ended"]);
    assert.equal(told.at(-2).has_early_media, true);
    assert.deepEqual(told.at(-1).end_detail, { reason: "busy", ...detail });
});

test("the far end asks for video, and the user decides", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one", { supports_video: true });
    app.perform("set_video", (action) =>
        void stage.performed.push(["org.one", action.kind, action.arguments]));
    await stage.enter(app);
    const call = await stage.incoming(app, { supports_set_video: true });
    await stage.done("call.answer", { call });
    await app.request("call.report_video_request", { call, video: "both" });
    const asked = await stage.user.request("call.get", { call });
    assert.deepEqual([asked.video_request, asked.has_video], ["both", false]);
    assert.equal(stage.performed.length, 1);
    await stage.done("call.set_video", { call, video: "send" });
    assert.deepEqual(stage.performed.at(-1), ["org.one", "set_video", { video: "send" }]);
    const agreed = await stage.user.request("call.get", { call });
    assert.deepEqual([agreed.video, agreed.video_request], ["send", undefined]);
});

test("both sides type once the user has agreed", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one", { supports_text: true });
    app.perform("set_text", (action) =>
        void stage.performed.push(["org.one", action.kind, action.arguments]));
    const sent = [];
    app.sendText((call, text) => void sent.push([call, text]));
    await stage.enter(app);
    const call = await stage.incoming(app, { supports_set_text: true });
    await stage.done("call.answer", { call });
    await app.request("call.report_text_request", { call, requested: true });
    assert.equal((await stage.user.request("call.get", { call })).text_request, true);
    await stage.done("call.set_text", { call, text: true });
    assert.equal((await stage.user.request("call.get", { call })).has_text, true);
    await stage.user.request("call.send_text", { call, text: "hi" });
    assert.deepEqual(sent, [[call, "hi"]]);
});

test("a background call is refused while another is live", TEST, async (t) => {
    const stage = await Stage.set(t);
    const one = await stage.enter(stage.provider("org.one"));
    const other = await stage.enter(stage.provider("org.two"));
    const live = await stage.incoming(one);
    await stage.done("call.answer", { call: live });
    const start = { remote: ANN, provider: "org.two", background: true };
    for (const refused of [() => stage.user.request("call.start", start),
                           () => stage.incoming(other, { priority: "background" })]) {
        await assert.rejects(refused, (error) => {
            assert.deepEqual([error.name, error.reason, error.data.rule],
                             ["invalid_state", "busy", "44"]);
            assert.deepEqual(error.data.blocking, [{ call: live, provider: "org.one" }]);
            return true;
        });
    }
    await stage.done("call.end", { call: live });
    await stage.done("call.start", start);
    assert.deepEqual(stage.performed.at(-1).slice(0, 2), ["org.two", "start"]);
});

test("a priority caller is answered first where the policy lets the app say so", TEST, async (t) => {
    const stage = await Stage.set(t);
    const one = await stage.enter(stage.provider("org.one", { max_call_groups: 4 }));
    for (const [claims, first] of [[[], 0], [["org.one"], 1]]) {
        await stage.user.request("policy.set", { priority_claims: claims });
        const live = await stage.incoming(one);
        await stage.done("call.answer", { call: live });
        const waiting = [await stage.incoming(one),
                         await stage.incoming(one, { priority: "priority_caller" })];
        const pressed = await stage.user.request("call.press_button", { press: "short" });
        assert.equal(pressed.actions.at(-1).call, waiting[first]);
        for (const call of [live, ...waiting]) await stage.done("call.end", { call });
    }
});

test("a hand is raised in a conference", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one", {});
    app.changeParticipant((call, participant, values) =>
        app.request("call.report_participants", { call, changed: [{
            participant, self: true, changeable: ["hand_raised"], ...values }] }));
    await stage.enter(app);
    const call = await stage.incoming(app, {});
    await stage.done("call.answer", { call });
    await app.request("call.report_participants", { call, changed: [
        { participant: "7", self: true, changeable: ["hand_raised"] }] });
    await stage.user.request("participant.update", { call, participant: "7", hand_raised: true });
    const page = await stage.user.request("participant.list", { call });
    assert.equal(page.participants[0].hand_raised, true);
});

test("a start that fails has the code of the network", TEST, async (t) => {
    const stage = await Stage.set(t);
    const watch = await stage.enter(new Observer("watch", stage.options()));
    const app = stage.provider("org.one"), call = newId();
    app.perform("start", () => { throw new Failed(undefined, "Not Found", undefined, "SIP 404"); });
    await stage.enter(app);
    await assert.rejects(stage.user.request("call.start", { remote: ANN, call, ...DONE }), (error) => {
        assert.equal(error.data.provider_error.app_code, "SIP 404");
        return true;
    });
    assert.deepEqual((await story(watch, call)).at(-1).end_detail,
                     { reason: "invalid_number", text: "Not Found", code: "SIP 404" });
});

test("a provider that takes transactions", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one");
    const taken = [];
    app.execute(({ actions }) => {
        taken.push(actions.map(({ kind }) => kind));
        for (const { action } of actions) {
            app.request("action.settle", { action, outcome: "fulfilled" }).catch(assert.fail);
        }
        return true;
    });
    await stage.enter(app);
    const first = await stage.incoming(app), second = await stage.incoming(app);
    await stage.done("call.answer", { call: first });
    await stage.done("call.answer", { call: second, choice: "hold_and_answer" });
    assert.deepEqual([taken, stage.performed], [[["answer"], ["set_held", "answer"]], []]);
});

test("a call outlives a lost connection, and the broker", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = stage.provider("org.one"), calls = [];
    app.reconcile(() => calls.map((call) => (
        { call, direction: "incoming", state: "active", remote: ANN })));
    await stage.enter(app);
    const call = await stage.incoming(app);
    await stage.done("call.answer", { call });
    calls.push(call);
    let again = heard(app, "open");
    app._socket.destroy();
    await again;
    assert.equal(app.hello.session.resumed, true);
    await stage.done("call.set_muted", { call, muted: true });
    again = Promise.all([heard(app, "open"), heard(stage.user, "open")]);
    await stage.broker.kill();
    await stage.broker.start();
    await again;
    await stage.done("call.end", { call });
    assert.deepEqual(stage.performed.map(([, kind]) => kind), ["answer", "set_muted", "end"]);
});

test("an observer goes on where it was", TEST, async (t) => {
    const stage = await Stage.set(t);
    const app = await stage.enter(stage.provider("org.one"));
    const watch = await stage.enter(new Observer("watch", stage.options({ topics: ["call.*"] })));
    const first = await stage.incoming(app);
    assert.deepEqual([(await watch.next()).topic, (await watch.next()).topic],
                     ["snapshot", "call.added"]);
    watch._socket.destroy();
    await stage.done("call.end", { call: first });
    const second = await stage.incoming(app), seen = [];
    for await (const { topic, call } of watch) {
        if (call === second) break;
        seen.push(topic);
    }
    assert.equal(seen.at(-1), "call.removed");
    assert.equal(seen.includes("snapshot"), false);
    assert.deepEqual([...watch.calls.keys()], [second]);
});

/** A call whose observer is asked about its audio, 1,999 ms ago; and what its app receives. */
async function answeredWithObserver(stage, handover) {
    await stage.user.request("policy.set", { handover: { observers: ["org.recorder"] } });
    const recorder = new Observer("recorder", stage.options({ identity: "org.recorder" }));
    const asked = new Promise((resolve) => recorder.handle("audio.handover", (params, signal) => {
        resolve(params);
        return handover(signal);
    }));
    await stage.enter(recorder);
    const app = await stage.enter(stage.provider("org.one")), given = [];
    app.on("audio.activated", (params) => given.push(params));
    const call = await stage.incoming(app);
    await stage.done("call.answer", { call });
    assert.deepEqual(await asked, { provider: "org.one", group: call, calls: [call],
                                    deadline_ms: 2_000 });
    await stage.user.request("test.advance", { ms: 1_999 });
    await app.request("broker.ping"); // what was sent before its reply has been received
    assert.deepEqual(given, []);
    return { app, call, given };
}

/** What the user is told about the observers. */
async function explainedHandover(stage, call) {
    const { steps } = await stage.user.request("call.explain", { call });
    return steps.filter(({ decision, explanation }) => decision === "audio_granted" && explanation)
        .map(({ explanation }) => explanation);
}

test("the audio of an answered call waits for an observer", TEST, async (t) => {
    const stage = await Stage.set(t);
    let ready;
    const late = new Promise((resolve) => (ready = () => resolve({})));
    const { app, call } = await answeredWithObserver(stage, () => late);
    assert.equal((await stage.user.request("call.get", { call })).state, "active");
    const activated = heard(app, "audio.activated");
    ready();
    assert.deepEqual(await activated, { group: call, calls: [call] });
    assert.deepEqual(await explainedHandover(stage, call),
                     [{ by: "org.recorder", text: "ready after 1999 ms" }]);
});

test("the audio comes without an observer that does not answer", TEST, async (t) => {
    const stage = await Stage.set(t);
    let withdrawn;
    const aborted = new Promise((resolve) => (withdrawn = resolve));
    const { app, call, given } = await answeredWithObserver(stage, (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => {
            withdrawn();
            reject(signal.reason);
        })));
    await stage.user.request("test.advance", { ms: 1 });
    await app.request("broker.ping");
    assert.deepEqual(given, [{ group: call, calls: [call] }]);
    await aborted;
    assert.deepEqual(await explainedHandover(stage, call), [
        { by: "broker", text: "org.recorder did not answer within 2000 ms" }]);
});

test("the provider of the guide", TEST, async (t) => {
    const stage = await Stage.set(t);
    const guide = readFileSync(path.join(__dirname, "..", "README.md"), "utf8");
    const program = guide.split("```js\n")[1].split("```")[0];
    const app = spawn(process.execPath, ["-e", program], { cwd: path.join(__dirname, ".."), env: {
        ...process.env, BROKER_SOCKET: stage.broker.path } });
    t.after(() => app.kill("SIGKILL"));
    let text = "", look = () => {};
    app.stdout.on("data", (more) => look((text += more)));
    const says = (what) => new Promise((resolve) => {
        (look = () => text.includes(what) && resolve())();
    });
    await says("ring\n");
    const [{ call }] = (await stage.user.request("call.list")).calls;
    await stage.done("call.answer", { call });
    await says(`connecting ${call}\n`);
    await stage.done("call.end", { call });
    assert.equal(await new Promise((resolve) => app.on("close", resolve)), 0);
});

test("a controller that is closed leaves nothing behind", TEST, async (t) => {
    const stage = await Stage.set(t);
    const me = await stage.enter(new Controller("me", stage.options()));
    await me.close();
    assert.equal(me.connected, false);
    assert.deepEqual((await stage.user.request("call.list")).calls, []);
});
