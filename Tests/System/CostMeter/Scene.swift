internal import CallProtocol
internal import CallTesting

/// What an example of a method needs to find, so that it can do what it is there for.
enum Scene {
    /// No call with the ids of the example.
    case empty
    /// The call of the example rings.
    case ringing
    /// It is active, and the other one rings.
    case talking
    /// It is held, and the other one is active.
    case holding

    init(for name: MethodName, _ params: String) {
        switch name {
        case .request where params.contains(#""kind":"start""#): self = .empty
        case .reportIncoming, .register, .unregister, .start, .dial, .updateProvider: self = .empty
        case .answer, .end, .silence, .pressButton, .reportConnecting, .reportConnected, .getCall:
            self = .ringing
        case .setGroup, .merge, .reportGroup, .swap, .split: self = .holding
        default: self = .talking
        }
    }
}

/// Those who send the examples of the methods.
final class Cast {
    let host: Host
    let admin: Client
    let provider: Client
    let screen: Client
    private(set) var calls: [String] = []

    init(_ host: Host) {
        self.host = host
        admin = host.client("admin", "controller", "observer")
        provider = host.provider("org.example.phone")
        screen = host.client("ui", "controller", "observer", identity: "org.example.screen")
    }

    /// Who may call a method.
    func caller(of method: Method) -> Client {
        let admins: RoleSet = [.admin, .controller, .observer]
        if method.isOpen(to: admins) { return admin }
        return method.isOpen(to: .provider) ? provider : screen
    }

    func set(_ scene: Scene, _ call: String, _ other: String) {
        calls = scene == .empty ? [] : [call, other]
        switch scene {
        case .empty: break
        case .ringing: ring(call)
        case .talking:
            answer(call)
            ring(other)
        case .holding:
            answer(call)
            admin.post("call.set_held", #"{"call":"\#(call)","held":true}"#)
            provider.fulfil()
            answer(other)
        }
        forget()
    }

    private func ring(_ call: String) {
        provider.ring(call)
        // It rings when the store has said who calls.
        host.settleStore()
    }

    private func answer(_ call: String) {
        ring(call)
        admin.post("call.answer", #"{"call":"\#(call)"}"#)
        provider.fulfil()
    }

    /// All calls of the example are over, and everybody has read everything.
    func clear(after name: MethodName, _ params: String) {
        provider.fulfil()
        if name == .unregister { provider.register("Phone") }
        if name == .register || name == .start || name == .dial || params.contains("start") {
            provider.list([], "held")
        } else {
            for call in calls {
                provider.post("call.report_ended", #"{"call":"\#(call)","reason":"failed"}"#)
            }
        }
        host.settleStore()
        forget()
    }

    func forget() {
        for client in [admin, provider, screen] { client.forget() }
    }
}
