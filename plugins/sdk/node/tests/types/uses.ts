// What a program writes, and what it must not: this compiles, or the types are wrong.
import {
    BrokerError, Controller, EndDetail, Failed, Observer, Provider, newId, phone
} from "../../callbroker";

async function provider(): Promise<void> {
    const app = new Provider("org.example.phone", "Phone", { handle_types: ["phone"] });
    app.perform("set_held", (action) => {
        const held: boolean = action.arguments.held;
        action.progress({ extend_ms: 5000 });
        if (held) throw new Failed("cannot_hold");
    });
    app.perform("set_endpoint", ({ arguments: { endpoint } }) => endpoint.length);
    app.perform("set_video", ({ arguments: { video } }) => video === "receive" ? 1 : undefined);
    app.perform("set_text", ({ arguments: { text } }) => text ? 1 : 0);
    app.perform("transfer", ({ arguments: { to } }) => to.value.length);
    app.perform("attended_transfer", async (action) => action.arguments.with.length);
    app.perform("deflect", ({ arguments: { to } }) => {
        if (to.type !== "phone") throw new Failed("not_supported");
    });
    app.changeSetting(async (line, { setting, on, to, after_ms }) => {
        if (setting === "forward_no_reply" && on) [line, to?.value, after_ms].join();
        await app.update({ lines: [] });
    });
    app.push(async (type, payload, signal) => signal.aborted || type === "voip" && payload["caller"]);
    app.sendText((call, text, signal) => signal.aborted || (call + text).length);
    app.changeParticipant((call, participant, { muted, hand_raised = false }) =>
        app.request("call.report_participants", {
            call, changed: [{ participant, muted, hand_raised }] }));
    app.perform("x_blink", async (action) => Number(action.arguments["times"]));
    const live = { call: newId(), direction: "incoming", remote: phone("1") } as const;
    app.reconcile(() => [{ ...live, state: "active" }, { ...live, state: "alerting" }]);
    app.execute(({ actions }) => actions.length > 1);
    app.on("audio.activated", ({ group, calls }) => [group, ...calls].join());
    app.on("lost", (error) => error.message);
    await app.open({ patient: true });
    const { status, asked } = await app.requestAuthorization();
    app.on("provider.authorization_changed", (now) => asked && now.status !== status);
    const { presentation } = await app.request("call.report_incoming", {
        call: newId(), remote: phone("+15550100"), display_name: "Ann" });
    const loud: boolean = presentation === "ring";
    await app.request("call.report_alerting", { call: newId(), has_early_media: true });
    const detail: EndDetail = { code: "SIP 486", reason: "busy" };
    await app.request("call.report_ended", {
        call: newId(), reason: "remote_ended", end_detail: detail });
    app.perform("start", () => {
        throw new Failed(undefined, "Busy Here", undefined, "SIP 486");
    });
    await app.request("provider.update", {
        lines: [{ line: "work", label: "Work", state: "failed", reason: "403 Forbidden" }] });
    await app.request("call.report_update", { call: newId(), line: "work" });
    app.perform("start", ({ arguments: { line } }) => line?.length);
    // @ts-expect-error: a line without its name for people
    await app.request("provider.update", { lines: [{ line: "work" }] });
    // @ts-expect-error: an argument of another kind
    app.perform("deflect", ({ arguments: { video } }) => video);
    // @ts-expect-error: a setting that there is not
    app.changeSetting((line, { setting }) => setting === "call_shouting");
    // @ts-expect-error: a value that no participant has
    app.changeParticipant((call, participant, { volume }) => volume);
    // @ts-expect-error: a reason that there is not
    await app.request("call.report_ended", { call: newId(), reason: "bored" });
    // @ts-expect-error: without what is needed
    await app.request("call.report_ended");
    // @ts-expect-error: a method that there is not
    await app.request("call.teleport", { loud });
    // @ts-expect-error: a state in which no call lives
    app.reconcile(() => [{ ...live, state: "ended" }]);
}

async function watcher(): Promise<void> {
    const watch = new Observer("watch", { topics: ["call.*"] });
    watch.on("call.changed", ({ data }) => data.allowed.includes("hold"));
    watch.on("call.changed", ({ data }) =>
        data.state === "alerting" ? data.alerting_at_ms : data.end_detail?.reason === "busy");
    watch.handle("audio.handover", async ({ group, calls }) => [group, ...calls] && {});
    await watch.open();
    for await (const event of watch) {
        if (event.topic === "call.removed") watch.calls.get(event.call ?? "")?.state;
    }
    // @ts-expect-error: no member of a call
    watch.on("call.changed", ({ data }) => data.colour);
}

async function user(): Promise<void> {
    const me = new Controller("me");
    try {
        const { calls } = await me.request("call.list");
        const answer = { call: calls[0].call, wait: "completed" } as const;
        await me.request("call.answer", answer, { timeoutMs: 5000 });
    } catch (error) {
        if (error instanceof BrokerError && error.reason === "cannot_hold") {
            error.data.blocking?.map(({ provider }) => provider);
        }
    }
    await me.close({ resumable: false });
}

export { provider, user, watcher };
