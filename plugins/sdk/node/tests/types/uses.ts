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
    app.perform("x_blink", async (action) => Number(action.arguments["times"]));
    const live = { call: newId(), direction: "incoming", remote: phone("1") } as const;
    app.reconcile(() => [{ ...live, state: "active" }, { ...live, state: "alerting" }]);
    app.execute(({ actions }) => actions.length > 1);
    app.on("audio.activated", ({ group, calls }) => [group, ...calls].join());
    app.on("lost", (error) => error.message);
    await app.open({ patient: true });
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
