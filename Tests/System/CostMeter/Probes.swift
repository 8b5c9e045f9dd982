internal import BrokerSocket
internal import CallBroker
internal import CallProtocol
internal import CallTesting

/// Everything that is done while there is a crowd, each so often that what comes once in a while, as
/// the growth of a table, is not in the cheapest.
struct Probes {
    let host: Host
    let cast: Cast
    let meter: Meter
    let times: Int
    let methods: String
    var numbering: Numbering
    /// Says how the examples were answered.
    let tell: (String) -> Void

    // MARK: - Methods

    /// Every example of every row that a client may call.
    mutating func callMethods() {
        for method in host.broker.table.methods where method.direction != .toClient {
            guard method.name.rawValue.hasPrefix(methods) else { continue }
            // Afterwards there is no broker, or no session.
            guard ![.shutdown, .goodbye, .hello].contains(method.name) else { continue }
            for example in method.examples {
                // The document is long, and nobody makes it longer.
                for _ in 0..<(method.name == .discover ? 1 : times) { call(method, example) }
            }
        }
    }

    private mutating func call(_ method: Method, _ example: Method.Example) {
        let (call, other) = (numbering.next(), numbering.next())
        cast.set(Scene(for: method.name, example.params), call, other)
        if method.name == .register { cast.provider.post("provider.unregister") }
        let caller = cast.caller(of: method)
        var params = example.params.replacing(Self.call, with: call)
            .replacing(Self.otherCall, with: other)
        if method.name.rawValue.hasPrefix("plugin.") {
            params = params.replacing(Self.provider, with: Self.plugin)
        }
        cast.forget()
        let frame = caller.frame(
            method.name.rawValue, params, isNotification: method.isNotification)
        meter.measure("\(method.name.rawValue)/\(example.name)") {
            caller.send(frame)
            host.settleStore()
        }
        let reply = caller.read().last { $0["id"] != nil && $0["method"] == nil }
        let outcome = method.isNotification ? "ok" : reply?["result"].map { _ in "ok" }
        tell(
            "\(method.name.rawValue)/\(example.name): "
                + (outcome ?? reply?["error"]?["data"]?["reason"]?.string ?? "silence"))
        cast.clear(after: method.name, example.params)
    }

    private static let call = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
    private static let otherCall = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b02"
    private static let provider = "org.example.phone"
    private static let plugin = "org.example.bell"

    // MARK: - The life of a connection

    mutating func liveOn() {
        for _ in 0..<times {
            visit()
            subscribeAndLeave()
            provide()
            ring()
            stall()
        }
    }

    /// Comes, says hello, takes leave.
    private func visit() {
        var visitor: Client?
        meter.measure("connect") { visitor = host.connect() }
        guard let visitor else { return }
        let hello = visitor.hello(["observer"])
        meter.measure("hello") { visitor.send(hello) }
        visitor.forget()
        meter.measure("close") { host.close(visitor) }
        let polite = host.client("observer")
        let goodbye = polite.frame(
            "broker.goodbye", #"{"reason":"done","message":"x","resumable":false}"#,
            isNotification: true)
        meter.measure("goodbye") { polite.send(goodbye) }
        host.close(polite)
    }

    private func subscribeAndLeave() {
        let subscriber = host.client("observer")
        for _ in 0..<16 { subscriber.subscribe("*") }
        meter.measure("close with 16 subscriptions") { host.close(subscriber) }
    }

    /// A provider with a call is lost, comes back, is lost again, and its time runs out.
    private mutating func provide() {
        let call = numbering.next()
        let first = host.client("provider", identity: "org.example.guest")
        let register =
            #"{"display_name":"Guest","handle_types":["phone"],"calls":[{"#
            + #""call":"\#(call)","direction":"incoming","state":"held","#
            + #""remote":{"type":"phone","value":"+15550123"}}]}"#
        let hello =
            #"{"protocol":{"min":1,"max":1},"client":{"name":"cost","version":"1"},"#
            + #""roles":["provider"],"identity":"org.example.guest"}"#
        meter.measure("provider registers") { first.post("provider.register", register) }
        meter.measure("provider is lost") { host.close(first) }
        let second = host.connect()
        meter.measure("provider comes back") {
            second.post("broker.hello", hello)
            second.post("provider.register", register)
        }
        host.close(second)
        meter.measure("grace is over") {
            host.turn(afterMS: 5_000)
            host.settleStore()
        }
        cast.forget()
    }

    /// A call rings for too long.
    private mutating func ring() {
        let call = numbering.next()
        cast.provider.post(
            "call.report_incoming",
            #"{"call":"\#(call)","remote":{"type":"phone","value":"+15550123"}}"#)
        meter.measure("bookmarks and other timers") { host.turn(afterMS: 1_000) }
        cast.provider.post("call.report_ended", #"{"call":"\#(call)","reason":"failed"}"#)
        host.settleStore()
        cast.forget()
    }

    /// Somebody does not read, and does again.
    private func stall() {
        let client = host.client("observer")
        client.post("broker.ping", #"{"payload":"x"}"#)
        meter.measure("blocked") { host.turn { host.broker.handle(.blocked(client.connection)) } }
        client.forget()
        meter.measure("drained") { host.turn { host.broker.handle(.drained(client.connection)) } }
        host.close(client)
    }

    // MARK: - All at once

    /// What concerns as many as there are: so much for each.
    mutating func settleAll() {
        let count = meter.count
        let pings = Array(repeating: cast.admin.frame("broker.ping"), count: count)
        meter.measure("a read of pings", units: count) {
            cast.admin.send(pings.joined(separator: "\n"))
        }
        cast.admin.forget()
        meter.measure("batches of pings", units: count) {
            for start in stride(from: 0, to: count, by: 500) {
                let part = pings[start..<min(count, start + 500)]
                cast.admin.send("[" + part.joined(separator: ",") + "]")
            }
        }
        cast.admin.forget()
        meter.measure("rescan", units: count) {
            host.turn { host.broker.rescan() }
            host.settleStore()
        }
        meter.measure("snapshot", units: count) { _ = host.broker.snapshot() }
        meter.measure("recovery", units: count) { host.recover() }
        let rich = host.provider("org.example.rich")
        rich.list((0..<count).map { _ in numbering.next() }, "held")
        let goodbye = rich.frame("provider.unregister")
        meter.measure("a provider goes with all its calls", units: count) {
            rich.send(goodbye)
            host.settleStore()
        }
    }
}
