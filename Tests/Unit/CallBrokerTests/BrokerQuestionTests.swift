import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Questions to the user about apps: by a screen, or by the tool.
struct BrokerQuestionTests {
    private let host = MemoryBroker()
    private let admin: MemoryPeer

    init() {
        admin = host.ready("admin")
        set(#""new_providers":"ask""#)
    }

    private func set(_ members: String) {
        #expect(ask("policy.set", "{\(members)}").contains("result"))
    }

    private func ask(_ method: String, _ params: String = "{}") -> String {
        admin.post(method, params)
        return admin.lines().joined()
    }

    private func connect(
        _ identity: String, _ roles: String, features: String = "",
        known: PeerProcess = PeerProcess(executable: "/usr/bin/phone", unit: "phone.service")
    ) -> MemoryPeer {
        let peer = host.connect(known: known)
        _ = peer.ask(
            Frame.hello(
                #""roles":[\#(roles)],"identity":"\#(identity)","features":[\#(features)]"#))
        return peer
    }

    private func screen(_ identity: String = "org.screen") -> MemoryPeer {
        let peer = connect(identity, #""ui""#, features: #""ask""#)
        peer.post("ui.claim", "{}")
        _ = peer.lines()
        return peer
    }

    private func app(_ identity: String = "org.a") -> MemoryPeer {
        let peer = connect(identity, #""provider","controller""#)
        peer.post("provider.register", #"{"display_name":"Phone","handle_types":["phone"]}"#)
        #expect(peer.lines().joined().contains("result"))
        return peer
    }

    /// The questions that a peer has been sent: their requests and their params.
    private func questions(_ peer: MemoryPeer) -> [JSONTree] {
        peer.lines().compactMap { try? JSONTree($0) }
            .filter { $0["method"]?.string == "ui.ask" }
    }

    private func answer(_ question: JSONTree, _ answer: String, by screen: MemoryPeer) {
        let id = question["id"]?.integer ?? 0
        screen.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"answer":"\#(answer)"}}"#)
    }

    private func authorization(_ provider: String = "org.a") throws -> String? {
        let policy = try JSONTree(ask("policy.get"))["result"]?["policy"]
        return policy?["authorization"]?[provider]?.string
    }

    // MARK: - Screens

    @Test func `the holder of the screen is asked who, which program and what for`() throws {
        let (screen, _) = (screen(), app())
        let question = try #require(questions(screen).first?["params"])
        #expect(question["subject"]?.string == "calls")
        #expect(question["provider"]?.string == "org.a")
        #expect(question["display_name"]?.string == "Phone")
        #expect(question["sandbox"]?.string == "none")
        #expect(question["executable"]?.string == "/usr/bin/phone")
        #expect(question["unit"]?.string == "phone.service")
        #expect(question["deadline_ms"]?.integer == 300_000)
    }

    @Test(arguments: [("allow", "authorized"), ("deny", "denied")])
    func `an answer is kept by the policy, and sent to the app`(
        word: String, status: String
    ) throws {
        let (screen, app) = (screen(), app())
        answer(try #require(questions(screen).first), word, by: screen)
        #expect(try authorization() == status)
        #expect(app.lines().joined().contains(#""status":"\#(status)""#))
        #expect(ask("question.list").contains(#""questions":[]"#))
    }

    @Test(arguments: [
        #""result":{"answer":"later"}"#, #""result":{}"#, #""error":{"code":1,"message":"no"}"#,
    ])
    func `later, nonsense and an error decide nothing`(reply: String) throws {
        let (screen, app) = (screen(), app())
        let question = try #require(questions(screen).first)
        screen.send(#"{"jsonrpc":"2.0","id":\#(question["id"]?.integer ?? 0),\#(reply)}"#)
        #expect(try authorization() == nil)
        app.post("provider.request_authorization")
        let again = app.lines().joined()
        #expect(again.contains(#"{"status":"not_determined","asked":false}"#))
        host.turn(afterMS: 600_000)
        app.post("provider.request_authorization")
        #expect(app.lines().joined().contains(#""asked":true"#))
        #expect(questions(screen).count == 1)
    }

    @Test func `no answer in time is later, and the screen is told that it is over`() throws {
        let (screen, _) = (screen(), app())
        let question = try #require(questions(screen).first)
        host.turn(afterMS: 300_000)
        let line = screen.lines().joined()
        #expect(line.contains("broker.cancel"))
        answer(question, "allow", by: screen)
        #expect(try authorization() == nil)
        #expect(ask("question.list").contains(#""questions":[]"#))
    }

    @Test func `a screen without the feature is not asked, and the next one is`() throws {
        let old = connect("org.old", #""ui""#)
        old.post("ui.claim", #"{"priority":10}"#)
        let (new, _) = (screen(), app())
        #expect(questions(old).isEmpty)
        #expect(questions(new).count == 1)
    }

    @Test func `a question waits for a screen, and goes to the next one when that leaves`() throws {
        _ = app()
        #expect(ask("question.list").contains(#""provider":"org.a""#))
        let first = connect("org.first", #""ui""#, features: #""ask""#)
        first.post("ui.claim", "{}")
        #expect(questions(first).count == 1)
        let second = screen("org.second")
        #expect(questions(second).isEmpty)
        first.vanish()
        let question = try #require(questions(second).first)
        answer(question, "allow", by: second)
        #expect(try authorization() == "authorized")
    }

    @Test func `a screen that releases its claim is asked no more`() throws {
        let (screen, _) = (screen(), app())
        _ = screen.lines()
        screen.post("ui.release")
        #expect(screen.lines().joined().contains("broker.cancel"))
        #expect(ask("question.list").contains(#""provider":"org.a""#))
    }

    @Test func `an app that is gone is not asked about`() throws {
        let (screen, app) = (screen(), app())
        _ = screen.lines()
        app.post("provider.unregister")
        #expect(screen.lines().joined().contains("broker.cancel"))
        #expect(ask("question.list").contains(#""questions":[]"#))
    }

    @Test func `few questions are open at a time, however many apps come`() {
        let screen = screen()
        let apps = (1...20).map { app("org.a\($0)") }
        #expect(questions(screen).count == 16)
        #expect(!apps.isEmpty)
    }

    // MARK: - The tool

    @Test func `an admin answers what a screen was asked`() throws {
        let (screen, _) = (screen(), app())
        let number = try #require(questions(screen).first?["params"]?["question"]?.integer)
        #expect(
            ask("question.answer", #"{"question":\#(number),"answer":"allow"}"#).contains("seq"))
        #expect(screen.lines().joined().contains("broker.cancel"))
        #expect(try authorization() == "authorized")
        #expect(
            ask("question.answer", #"{"question":\#(number),"answer":"deny"}"#)
                .contains(#""reason":"not_found""#))
        let user = host.ready("controller")
        user.post("question.answer", #"{"question":1,"answer":"allow"}"#)
        #expect(user.lines().joined().contains("-32003"))
    }

    @Test func `a policy that decides closes the question`() throws {
        let (screen, _) = (screen(), app())
        _ = screen.lines()
        set(#""authorization":{"org.a":"denied"}"#)
        #expect(screen.lines().joined().contains("broker.cancel"))
        #expect(ask("question.list").contains(#""questions":[]"#))
    }

    @Test func `apps that are there when the policy begins to ask are asked about`() {
        set(#""new_providers":"allow""#)
        let (screen, _) = (screen(), app())
        #expect(questions(screen).isEmpty)
        set(#""new_providers":"ask""#)
        #expect(questions(screen).count == 1)
    }

    // MARK: - Emergencies

    @Test func `a claim of an emergency is asked about where the policy says so`() throws {
        set(#""new_providers":"allow","emergency":{"claims":{"org.a":{"outgoing":"ask"}}}"#)
        let (screen, app) = (screen(), app())
        app.post(
            "call.start",
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"emergency":true}"#)
        let question = try #require(questions(screen).first)
        #expect(question["params"]?["subject"]?.string == "outgoing_emergencies")
        answer(question, "allow", by: screen)
        #expect(
            ask("policy.get").contains(
                #""org.a":{"outgoing":"allowed","incoming":"denied"}"#))
    }

    @Test func `a claim that the policy denies is not asked about`() {
        set(#""new_providers":"allow","emergency":{"claims":{"org.a":{"outgoing":"denied"}}}"#)
        let (screen, app) = (screen(), app())
        app.post(
            "call.start",
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"emergency":true}"#)
        #expect(questions(screen).isEmpty)
    }

    @Test func `an incoming call that its app marks rings as an ordinary one meanwhile`() throws {
        set(#""new_providers":"allow","emergency":{"claims":{"org.a":{"incoming":"ask"}}}"#)
        let (screen, app) = (screen(), app())
        app.ring(1, #""priority":"emergency""#)
        let subjects = questions(screen).map { $0["params"]?["subject"]?.string }
        #expect(subjects == ["incoming_emergencies"])
    }
}
