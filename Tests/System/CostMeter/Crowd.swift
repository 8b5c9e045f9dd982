internal import BrokerSocket
internal import CallBroker
internal import CallTesting

/// A quantity that somebody chooses, of which there are many while everything else is done.
enum Crowd: String, CaseIterable {
    /// Connections that have said hello, and those that have not.
    case connections, strangers
    /// Subscribers of a topic that nobody tells, each with a connection; and subscriptions of one.
    case subscribers, subscriptions
    case providers
    /// Providers that are gone.
    case formerProviders
    case held, ringing, ended
    /// Requests that are not done, each about a call of its own; those of one connection, which are
    /// about one call; and those that are done, with ids that their clients chose.
    case waiting, queued, done
    /// Clients that do not read.
    case deaf
    case plugins, pluginLines
    case blocks, contacts, numbers
    /// Contacts that are called with an app of their own.
    case preferences

    func gather(_ count: Int, at host: Host, _ numbering: inout Numbering) {
        switch self {
        case .connections: for _ in 0..<count { _ = host.client("observer") }
        case .strangers: for _ in 0..<count { _ = host.connect() }
        case .subscribers:
            for _ in 0..<count { host.client("observer").subscribe("broker.stopping") }
        case .subscriptions:
            let client = host.client("observer")
            for _ in 0..<count { client.subscribe("broker.stopping") }
        case .providers: for number in 0..<count { _ = host.provider("org.crowd.p\(number)") }
        case .formerProviders:
            for number in 0..<count { host.close(host.provider("org.crowd.p\(number)")) }
            host.turn(afterMS: 20_000)
        case .held: host.provider("org.crowd.held").list(Self.ids(count, &numbering), "held")
        case .ringing, .ended: ring(count, at: host, &numbering)
        case .waiting: wait(count, at: host, &numbering)
        case .queued: queue(count, at: host, &numbering)
        case .done: mute(count, at: host, &numbering)
        case .deaf:
            for _ in 0..<count {
                let client = host.client("observer")
                client.post("broker.ping", #"{"payload":"\#(String(repeating: "x", count: 99))"}"#)
                host.turn { host.broker.handle(.blocked(client.connection)) }
            }
        case .plugins:
            for number in 0..<count {
                let identity = "org.crowd.plugin\(number)"
                host.manifests[identity] = Host.manifest(of: identity)
            }
            host.turn { host.broker.rescan() }
            host.settleStore()
        case .pluginLines: log(count, at: host)
        case .blocks, .contacts, .numbers, .preferences: know(count, at: host)
        }
    }

    private static func ids(_ count: Int, _ numbering: inout Numbering) -> [String] {
        (0..<count).map { _ in numbering.next() }
    }

    private func ring(_ count: Int, at host: Host, _ numbering: inout Numbering) {
        let provider = host.provider("org.crowd.ringing")
        for call in Self.ids(count, &numbering) {
            provider.ring(call)
            if self == .ended {
                provider.post("call.report_ended", #"{"call":"\#(call)","reason":"failed"}"#)
            }
        }
        host.settleStore()
        provider.forget()
    }

    /// Everybody is asked to end, and nobody does.
    private func wait(_ count: Int, at host: Host, _ numbering: inout Numbering) {
        let calls = Self.ids(count, &numbering)
        host.provider("org.crowd.waiting").list(calls, "held")
        let controller = host.client("controller")
        for call in calls {
            controller.post("call.end", #"{"call":"\#(call)","wait":"completed"}"#)
        }
    }

    private func queue(_ count: Int, at host: Host, _ numbering: inout Numbering) {
        let call = numbering.next()
        host.provider("org.crowd.queue").list([call], "held")
        let controller = host.client("controller")
        for number in 0..<count {
            controller.post(
                "call.set_muted",
                #"{"call":"\#(call)","muted":\#(number % 2 == 0),"wait":"completed"}"#)
        }
    }

    private func mute(_ count: Int, at host: Host, _ numbering: inout Numbering) {
        let call = numbering.next()
        let provider = host.provider("org.crowd.done")
        provider.list([call], "held")
        let controller = host.client("controller")
        for number in 0..<count {
            controller.post(
                "call.set_muted",
                #"{"call":"\#(call)","muted":\#(number % 2 == 0),"#
                    + #""transaction":"\#(numbering.next())"}"#)
            provider.fulfil()
        }
        controller.forget()
    }

    private func log(_ count: Int, at host: Host) {
        let admin = host.client("admin")
        admin.post("plugin.start", #"{"plugin":"org.example.bell"}"#)
        guard let process = host.processes.first else { return }
        for number in 0..<count {
            Array("line \(number)\n".utf8).withUnsafeBufferPointer { bytes in
                host.turn { host.broker.handle(.logged(process.log, bytes)) }
            }
        }
        admin.forget()
    }

    private func know(_ count: Int, at host: Host) {
        let admin = host.client("admin", "controller")
        for number in 0..<count {
            let handle = #"{"type":"phone","value":"+1555\#(1_000 + number)"}"#
            switch self {
            case .blocks: admin.post("block.add", #"{"handle":\#(handle)}"#)
            case .numbers where number == 0:
                let entries = (0..<count).map { #"{"number":\#(15_551_000 + $0),"label":"x"}"# }
                admin.post(
                    "directory.put_entries",
                    #"{"source":"org.crowd.numbers","generation":1,"final":true,"#
                        + #""entries":[\#(entries.joined(separator: ","))]}"#)
            case .numbers: break
            default:
                let app = self == .preferences ? #","preferred_provider":"org.crowd.app"# : ""
                let member = app.isEmpty ? "" : app + #"\#(number)""#
                admin.post(
                    "contact.put", #"{"name":"n\#(number)","handles":[\#(handle)]\#(member)}"#)
            }
        }
        host.settleStore()
        admin.forget()
    }
}

extension Host {
    /// A client whose session is open.
    func client(_ roles: String..., identity: String? = nil) -> Client {
        let client = connect()
        client.send(client.hello(roles, identity: identity))
        client.forget()
        return client
    }

    func provider(_ identity: String) -> Client {
        let provider = client("provider", identity: identity)
        provider.register(identity)
        return provider
    }
}

extension Client {
    func register(_ name: String) {
        post("provider.register", #"{"display_name":"\#(name)","handle_types":["phone"]}"#)
        forget()
    }

    func subscribe(_ topic: String) {
        post("events.subscribe", #"{"topics":["\#(topic)"],"snapshot":false}"#)
        forget()
    }

    func ring(_ call: String) {
        post(
            "call.report_incoming",
            #"{"call":"\#(call)","remote":{"type":"phone","value":"+15550123"}}"#)
    }

    /// Registers once more, with these calls.
    func list(_ calls: [String], _ state: String) {
        post("provider.unregister")
        let listed = calls.map {
            #"{"call":"\#($0)","direction":"incoming","state":"\#(state)","#
                + #""remote":{"type":"phone","value":"+15550123"}}"#
        }
        post(
            "provider.register",
            #"{"display_name":"crowd","handle_types":["phone"],"calls":["#
                + listed.joined(separator: ",") + "]}")
        forget()
    }
}
