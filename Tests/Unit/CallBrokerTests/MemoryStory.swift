import CallBroker
import CallTesting
import Testing

/// Parts of a story, so that each test tells only its own. Ids are short here, see `ShortID`, and
/// what comes back is brief, see `Brief`.
extension BrokerConfiguration {
    /// Room for so many calls, all of which may ring.
    mutating func makeRoom(for calls: Int) {
        let limits = ["ringing", "calls", "calls_per_provider"].map { #""\#($0)":\#(calls)"# }
        let text = #"{"policy":{"limits":{\#(limits.joined(separator: ","))}}}"#
        do { try merge(Array(text.utf8)) } catch { Issue.record(error) }
    }
}

extension MemoryBroker {
    /// A provider that has registered.
    func provider(
        _ identity: String = "org.a", _ members: String = "", pid: Int32 = 1
    ) -> MemoryPeer {
        let peer = ready("provider", identity: identity, pid: pid)
        peer.register(members)
        peer.lastID = 0
        return peer
    }

    /// A controller that speaks for the user.
    func controller() -> MemoryPeer {
        ready("controller")
    }

    /// The word of an app counts, whatever it says of its calls.
    func letClaimEmergencies(_ identity: String) {
        let claims = #"{"\#(identity)":{"outgoing":"allowed","incoming":"allowed"}}"#
        _ = ready("admin").tell("policy.set", #"{"emergency":{"claims":\#(claims)}}"#)
    }

    /// An observer of topics, without the snapshot.
    func observer(_ topics: String...) -> MemoryPeer {
        let peer = ready("observer")
        let names = (topics.isEmpty ? ["*"] : topics).map { #""\#($0)""# }
        _ = peer.tell(
            "events.subscribe", #"{"topics":[\#(names.joined(separator: ","))],"snapshot":false}"#)
        peer.lastID = 0
        return peer
    }

    /// A call of the provider that was answered and speaks. Everybody has read everything.
    func talk(_ call: Int, of provider: MemoryPeer, by controller: MemoryPeer) {
        provider.ring(call)
        _ = controller.tell("call.answer", #"{"call":"c\#(call)"}"#)
        settle(provider)
        forget()
    }

    /// An app with a call that speaks, its user, and an observer of a topic.
    func conversation(
        observing topic: String
    ) -> (app: MemoryPeer, user: MemoryPeer, observer: MemoryPeer) {
        let (app, user) = (provider(), controller())
        talk(1, of: app, by: user)
        return (app, user, observer(topic))
    }

    /// The provider fulfils all that it is asked for, until it is asked for nothing more.
    func settle(_ providers: MemoryPeer...) {
        var isBusy = true
        while isBusy {
            isBusy = false
            for provider in providers {
                _ = provider.brief()
                for id in provider.audit.performs.keys.sorted() {
                    provider.fulfil(id)
                    isBusy = true
                }
            }
        }
        forget()
    }

    /// Everybody reads and forgets what came.
    func forget() {
        for peer in peers where !peer.isClosed { _ = peer.brief() }
    }

    /// The id that this broker made as number `number`.
    func made(_ number: Int) -> String {
        ShortID.made(number, in: broker.epoch.description)
    }
}

extension MemoryPeer {
    /// What came, each frame on one short line.
    func brief() -> [String] {
        lines().map { Brief.line($0) }
    }

    /// Sends a request with the next id and reads what comes.
    func tell(_ method: String, _ params: String? = nil) -> [String] {
        post(method, params)
        return brief()
    }

    /// Sends a request with the next id.
    func post(_ method: String, _ params: String? = nil) {
        lastID += 1
        send(Frame.request(lastID, method, params.map { long($0) }))
    }

    func long(_ text: String) -> String {
        ShortID.long(text, in: host.broker.epoch.description)
    }

    // MARK: - Providers

    @discardableResult
    func register(_ members: String = "") -> [String] {
        let more = members.isEmpty ? "" : "," + members
        return tell(
            "provider.register", #"{"display_name":"A","handle_types":["phone"]\#(more)}"#)
    }

    @discardableResult
    func ring(_ call: Int, _ members: String = "") -> [String] {
        let more = members.isEmpty ? "" : "," + members
        return tell(
            "call.report_incoming",
            #"{"call":"c\#(call)","remote":{"type":"phone","value":"+1555\#(call)"}\#(more)}"#)
    }

    /// Reports something of a call that speaks: the method's last word, and its members.
    func report(_ word: String, of call: String, _ members: String) -> [String] {
        tell("call.report_\(word)", #"{"call":"\#(call)",\#(members)}"#)
    }

    func fulfil(_ id: Int) {
        send(Frame.result(id))
    }

    func fail(_ id: Int, _ code: Int = -32_000, _ reason: String = "remote_refused") {
        send(
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"no","#
                + #""data":{"reason":"\#(reason)"}}}"#)
    }

    /// Fulfils and reads what comes.
    func fulfilling(_ id: Int) -> [String] {
        fulfil(id)
        return brief()
    }
}
