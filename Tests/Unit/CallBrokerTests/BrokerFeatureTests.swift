import CallBroker
import CallTesting
import Testing

/// Words that only clients which name a feature are sent; others are sent the nearest older one.
struct BrokerFeatureTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    /// A client with these features in its hello.
    private func client(_ roles: String, _ features: String, _ members: String = "") -> MemoryPeer {
        let peer = host.connect()
        _ = peer.ask(Frame.hello(#""roles":[\#(roles)],"features":[\#(features)]\#(members)"#))
        return peer
    }

    /// The far end of a dialed call rings.
    private func alert() {
        _ = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.a","remote":{"type":"phone","value":"1"}}"#)
        host.settle(app)
        _ = app.tell("call.report_alerting", #"{"call":"c1"}"#)
    }

    private func watcher(_ features: String) -> MemoryPeer {
        let peer = client(#""observer""#, features)
        _ = peer.tell("events.subscribe", #"{"topics":["call.*"],"snapshot":false}"#)
        return peer
    }

    // MARK: - The hello

    @Test(arguments: [
        (#""alerting""#, true), (#""alerting/1""#, true), (#""alerting/7""#, true),
        (#""alerting/0""#, false), (#""alerting/""#, false), (#""alerting/1/1""#, false),
        (#""alerting/x""#, false), (#""Alerting""#, false), (#""x_own","alerting""#, true),
        ("", false),
    ])
    func `a feature is granted by its name, with or without a version`(
        features: String, isGranted: Bool
    ) {
        let reply = host.connect().ask(Frame.hello(#""features":[\#(features)]"#)).joined()
        #expect(reply.contains(#""alerting":{"version":1,"granted":\#(isGranted)}"#))
    }

    // MARK: - alerting

    @Test func `the text of an event has the state that its reader knows`() throws {
        let (new, old) = (watcher(#""alerting""#), watcher(""))
        alert()
        let (newer, older) = (try #require(new.lines().last), try #require(old.lines().last))
        #expect(newer.contains(#""state":"alerting""#))
        #expect(older.contains(#""state":"dialing""#) && !older.contains(#""alerting""#))
        #expect(newer.contains(#""changed":["state"]"#) && older.contains(#""changed":["state"]"#))
    }

    @Test func `a text of the far end is not taken for a state`() throws {
        let old = watcher("")
        alert()
        _ = old.lines()
        let name = #"\"state\":\"alerting\""#
        _ = app.tell("call.report_update", #"{"call":"c1","display_name":"\#(name)"}"#)
        let line = try #require(old.lines().last)
        #expect(
            line.contains(#""display_name":"\#(name)""#) && line.contains(#""state":"dialing""#))
    }

    @Test func `events that are read later are the same`() throws {
        let old = watcher("")
        let line = try #require(old.tell("events.subscribe", #"{"topics":["call.*"]}"#).last)
        #expect(!line.isEmpty)
        alert()
        let events = old.lines().filter { $0.contains("call.changed") }
        #expect(!events.isEmpty && events.allSatisfy { !$0.contains(#""state":"alerting""#) })
    }

    @Test func `lists, single calls and snapshots have it, too`() {
        alert()
        let (new, old) = (client(#""observer""#, #""alerting""#), client(#""observer""#, ""))
        for (peer, state) in [(new, "alerting"), (old, "dialing")] {
            for (method, params) in [
                ("call.list", "{}"), ("call.get", #"{"call":"c1"}"#),
                ("events.subscribe", #"{"topics":["call.*"],"snapshot":true}"#),
                ("call.list", #"{"filter":{"state":"\#(state)"}}"#),
            ] {
                peer.post(method, params)
                #expect(peer.lines().joined().contains(#""state":"\#(state)""#), "\(method)")
            }
        }
        new.post("call.list", #"{"filter":{"state":"dialing"}}"#)
        #expect(new.lines().joined().contains(#""calls":[]"#))
    }

    // MARK: - tone

    @Test(arguments: [(#""tone""#, "tone"), ("", "silent")])
    func `an app that does not know a tone is silent`(features: String, presentation: String) {
        host.talk(1, of: app, by: user)
        let other = client(
            #""provider""#, features, #","identity":"org.b""#)
        other.register()
        let reply = other.ring(2).joined()
        #expect(reply.contains(#""presentation":"\#(presentation)""#), "\(reply)")
    }
}
