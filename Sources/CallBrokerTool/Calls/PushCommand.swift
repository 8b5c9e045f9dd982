internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker push`: what a server's push does to an app.
struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Deliver a push to an app.",
        discussion: """
            As the app's server does by a gateway: the app is started if it does not run, and reports \
            the call that the payload announces. Exits with 1 if the app handles a VoIP push \
            without reporting a call (--wait).

              callbroker push org.example.phone '{"caller":"Ada"}' --wait
            """)

    @Argument(help: "The app, by its identity.", completion: Suggestions.providers)
    var app: String

    @Argument(help: "The payload, a JSON object; - reads it from standard input.")
    var payload = "{}"

    @Option(help: "The type of push: voip, file_provider, complication, or another.")
    var type = PushSchemas.voip

    @Option(
        help: "How long the push waits for the app: seconds, or a time \(TimeSpan.forms).",
        transform: { try TimeSpan(option: $0, .seconds) })
    var ttl: TimeSpan?

    @Flag(help: "Wait until the app has handled the push.") var wait = false

    @Flag(help: "Deliver VoIP pushes again to an app that has reported no calls for several.")
    var reset = false

    @OptionGroup var client: ClientOptions

    func run() throws {
        guard !reset else { return try resetPushes() }
        let payload = try object()
        let ttlMS = ttl.map { Int($0.milliseconds) }
        let patienceMS = (ttlMS ?? PushSchemas.ttlMS) + MethodTable.receivePushMS + 10_000
        let session = try client.open(.controller, waiting: Double(patienceMS) / 1_000)
        let reply = try session.request(.deliverPush) { writer in
            writer.member("provider", app)
            writer.member("type", type)
            writer.name("payload")
            writer.value(json: payload)
            writer.member("ttl_ms", ifSet: ttlMS)
            if wait { writer.member("wait", "completed" as StaticString) }
        }
        session.show(reply, text)
        if type == PushSchemas.voip, reply.result["reported_call"]?.boolean == false {
            throw ExitCode(ToolFailure.Code.errorReply.rawValue)
        }
    }

    private func resetPushes() throws {
        let session = try client.open(.admin)
        let reply = try session.request(.resetPushes) { $0.member("provider", app) }
        session.show(reply) { _ in Messages.pushReset(app: app.printable) }
    }

    /// The payload, if it is a JSON object.
    private func object() throws(ToolFailure) -> [UInt8] {
        let bytes =
            payload == "-" ? Terminal.readInput(bytesMax: 65_536) : Array(payload.utf8)
        guard let bytes, let document = try? Frame.parse(bytes), document.root.kind == .object
        else {
            throw ToolFailure(.usage, Messages.pushNoObject)
        }
        var writer = JSONWriter()
        writer.value(document.root)
        return writer.bytes
    }

    private func text(_ result: JSONValue) -> String {
        let app = app.printable
        switch result["reported_call"]?.boolean {
        case true?: return Messages.pushHandledWithCall(app: app)
        case false? where type == PushSchemas.voip: return Messages.pushHandledWithoutCall(app: app)
        case false?: return Messages.pushHandled(app: app)
        case nil: break
        }
        if result["delivered"]?.boolean == true { return Messages.pushDelivered(app: app) }
        if result["started"]?.boolean == true { return Messages.pushStarted(app: app) }
        return ttl?.milliseconds == 0
            ? Messages.pushDropped(app: app) : Messages.pushWaits(app: app)
    }
}

/// The words for an app that has handled VoIP pushes without a call.
struct UnreportedPushes {
    let words: String
    /// The command that lets it have pushes again; nil if it still gets them.
    let remedy: String?

    /// Nil for an app that has reported a call each time.
    init?(_ provider: JSONValue) {
        guard let count = provider["unreported_pushes"]?.integer else { return nil }
        let app = provider["provider"]?.string?.printable ?? ""
        let isStopped = provider["pushes_stopped"]?.boolean ?? false
        words =
            isStopped
            ? Messages.pushStopped(app: app, number: "\(count)")
            : Messages.pushUnreported(app: app, number: "\(count)")
        remedy = isStopped ? "callbroker push \(app) --reset" : nil
    }
}
