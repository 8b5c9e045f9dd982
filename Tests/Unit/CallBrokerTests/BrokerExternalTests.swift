import CallBroker
import CallTesting
import Testing

/// Calls on other devices of the same account (rule 47): who is told of them, and how they come here.
struct BrokerExternalTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private func watcher(_ features: String) -> MemoryPeer {
        let peer = host.connect()
        _ = peer.ask(
            Frame.hello(#""roles":["observer","controller"],"features":[\#(features)]"#))
        _ = peer.tell("events.subscribe", #"{"topics":["call.*"],"snapshot":false}"#)
        return peer
    }

    private var knowing: MemoryPeer { watcher(#""external_calls""#) }

    private func report(_ members: String = #","supports_pull":true"#) -> [String] {
        app.tell(
            "call.report_external",
            #"{"call":"c1","remote":{"type":"phone","value":"+15550101"},"elsewhere":"Kitchen phone"\#(members)}"#
        )
    }

    private func fulfill() {
        _ = app.brief()
        for id in app.audit.performs.keys.sorted() { app.fulfil(id) }
    }

    private func topics(_ peer: MemoryPeer) -> [String] {
        peer.lines().compactMap { line in
            ["call.added", "call.changed", "call.removed", "call.allowed_changed"]
                .first { line.contains(#""topic":"\#($0)""#) }
        }
    }

    // MARK: - Listed

    @Test func `a call on another device is listed with that device, and can be pulled`() throws {
        let watcher = knowing
        _ = report()
        let added = try #require(watcher.lines().first)
        #expect(added.contains(#""state":"external""#) && added.contains(#""allowed":["pull"]"#))
        #expect(added.contains(#""elsewhere":"Kitchen phone","supports_pull":true"#))
        #expect(watcher.tell("call.list").joined().contains("c1 external"))
        #expect(watcher.ask(Frame.request(9, "provider.list")).joined().contains(#""calls":0"#))
    }

    @Test func `a client that has not named the feature does not see it`() {
        let watcher = watcher("")
        _ = report()
        _ = report(#","display_name":"Ada""#)
        #expect(watcher.lines() == [])
        #expect(watcher.tell("call.list").last?.contains("c1") == false)
        #expect(watcher.tell("call.get", #"{"call":"c1"}"#).last?.contains("unknown_call") == true)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(watcher.lines() == [])
    }

    @Test func `one that has named it sees every change and the end, and no entry is left`() throws
    {
        let watcher = knowing
        _ = report()
        _ = report(#","display_name":"Ada""#)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(
            topics(watcher) == ["call.added", "call.changed", "call.changed", "call.removed"])
        #expect(
            watcher.tell("call.list", #"{"include_ended":true}"#).last?.contains("c1") == false)
    }

    // MARK: - Pulled

    @Test func `it is pulled as a call is answered, and everybody sees it then`() throws {
        let (new, old) = (knowing, watcher(""))
        _ = report()
        _ = new.lines()
        _ = new.tell("call.pull", #"{"call":"c1"}"#)
        #expect(app.lines().joined().contains(#""kind":"answer""#))
        #expect(old.lines() == [])
        fulfill()
        let added = try #require(old.lines().first { $0.contains("call.added") })
        #expect(added.contains(#""state":"active""#))
        let changed = new.lines()
        #expect(changed.contains { $0.contains("call.changed") && $0.contains(#""active""#) })
        #expect(!changed.contains { $0.contains("call.added") })
        #expect(old.tell("call.list").last?.contains("c1 active") == true)
    }

    @Test func `one without support cannot be pulled, and one that is here is no other`() {
        _ = report("")
        #expect(user.tell("call.pull", #"{"call":"c1"}"#).last?.contains("not_supported") == true)
        app.ring(2)
        let again = app.tell("call.report_external", #"{"call":"c2"}"#).last
        #expect(again?.contains("invalid_state rule=30a") == true)
    }

    @Test func `who resumes from a number is sent what it may see`() {
        let old = watcher("")
        _ = report()
        _ = user.tell("call.pull", #"{"call":"c1"}"#)
        fulfill()
        let resumed = host.connect()
        _ = resumed.ask(Frame.hello(#""roles":["observer"]"#))
        let reply = resumed.tell(
            "events.subscribe",
            #"{"topics":["call.added"],"cursor":{"epoch":"\#(host.broker.epoch)","seq":1}}"#)
        #expect(reply.filter { $0.contains("call.added") || $0.contains("+ c1") }.count <= 1)
        #expect(topics(old).first == "call.added")
    }

    // MARK: - Clients that do not know them

    /// A client without the feature, with all topics.
    private func stranger() -> MemoryPeer {
        let peer = host.connect()
        _ = peer.ask(Frame.hello(#""roles":["observer","controller"]"#))
        _ = peer.tell("events.subscribe", #"{"topics":["*"],"snapshot":false}"#)
        return peer
    }

    @Test func `actions on it, and what has gone wrong with it, are not for them`() {
        let old = stranger()
        _ = report()
        _ = user.tell("call.pull", #"{"call":"c1"}"#)
        _ = app.brief()
        for id in app.audit.performs.keys.sorted() { app.fail(id) }
        _ = app.tell("call.report_quality", #"{"call":"c1","loss_percent":1}"#)
        _ = app.tell(
            "call.report_participants", #"{"call":"c1","changed":[{"participant":"a"}]}"#)
        _ = app.tell("call.report_connecting", #"{"call":"c1"}"#)
        // That there will be a call is in the state of the host.
        let lines = old.lines().filter { !$0.contains(#""topic":"host.changed""#) }
        #expect(!lines.joined().contains(ShortID.call(1)), "\(lines)")
        #expect(!lines.contains { $0.contains(#""topic":"transaction."#) })
        #expect(!old.tell("transaction.list").joined().contains("c1"))
    }

    @Test func `those who know it are told of its actions`() {
        let new = host.connect()
        _ = new.ask(Frame.hello(#""roles":["observer"],"features":["external_calls"]"#))
        _ = new.tell("events.subscribe", #"{"topics":["*"],"snapshot":false}"#)
        _ = report()
        _ = user.tell("call.pull", #"{"call":"c1"}"#)
        let lines = new.lines().joined()
        #expect(lines.contains("action.dispatched") && lines.contains("transaction.accepted"))
        #expect(new.tell("transaction.list").joined().contains("c1"))
    }

    @Test(arguments: ["call.explain", "call.timeline"])
    func `its story is not for them, also when it is over`(method: String) {
        let (old, new) = (stranger(), knowing)
        _ = report()
        _ = user.tell("call.pull", #"{"call":"c1"}"#)
        _ = app.brief()
        for id in app.audit.performs.keys.sorted() { app.fail(id) }
        _ = (old.lines(), new.lines())
        #expect(old.tell(method, #"{"call":"c1"}"#).last?.contains("-32004") == true)
        #expect(new.tell(method, #"{"call":"c1"}"#).last?.contains("-32004") == false)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        _ = (old.lines(), new.lines())
        #expect(old.tell(method, #"{"call":"c1"}"#).last?.contains("-32004") == true)
    }

    @Test func `a call that was pulled is like any other`() {
        let old = stranger()
        _ = report()
        _ = user.tell("call.pull", #"{"call":"c1"}"#)
        fulfill()
        _ = old.lines()
        #expect(old.tell("call.timeline", #"{"call":"c1"}"#).last?.contains("-32004") == false)
        #expect(old.tell("transaction.list").joined().contains("c1"))
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        _ = old.lines()
        #expect(old.tell("call.explain", #"{"call":"c1"}"#).last?.contains("-32004") == false)
    }

    // MARK: - Elsewhere

    @Test func `who has answered or declined elsewhere is in the call and its explanation`() throws
    {
        app.ring(1)
        let watcher = knowing
        _ = app.tell(
            "call.report_ended",
            #"{"call":"c1","reason":"answered_elsewhere","elsewhere":"Kitchen phone"}"#)
        let ended = try #require(watcher.lines().first { $0.contains(#""state":"ended""#) })
        #expect(ended.contains(#""elsewhere":"Kitchen phone""#))
        let explained = user.ask(
            Frame.request(7, "call.explain", #"{"call":"\#(ShortID.call(1))"}"#))
        #expect(explained.joined().contains(#""elsewhere":"Kitchen phone""#))
    }
}
