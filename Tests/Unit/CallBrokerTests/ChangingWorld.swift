import BrokerSocket
import CallBroker
import CallTesting
import TestSupport
import Testing

/// Apps, a user and time at random, before observers with different rights and features.
struct ChangingWorld {
    private static let box = PeerProcess(sandbox: .flatpak, app: "org.example.Box")
    private static let apps = ["org.a", "org.b", "org.c"]
    private static let setup =
        #"{"rights":[{"app":"org.example.Box","roles":["provider","controller","observer"],"#
        + #""calls":"own","redacted":true}],"limits":{"ringing":8}}"#

    private var random: SeededRandom
    private var host: MemoryBroker
    private var apps: [MemoryPeer] = []
    private var user: MemoryPeer
    private var observers: [ComparingObserver] = []
    private var callCount = 0

    init(_ random: SeededRandom) throws {
        self.random = random
        host = MemoryBroker {
            $0.limits.queueSoftBytes = 65_536
            $0.limits.feedEvents = 128
        }
        _ = host.ready("admin").tell("policy.set", Self.setup)
        user = host.controller()
        apps = Self.apps.map { Self.app($0, at: host) }
        observers = (0..<5).map { ComparingObserver(Self.observer($0, at: host)) }
    }

    private static func app(_ identity: String, at host: MemoryBroker) -> MemoryPeer {
        let peer = host.ready("provider", "controller", identity: identity)
        peer.register(#""url_schemes":["tel"],"supports_text":true"#)
        return peer
    }

    /// A client that may see all, one without features, one that may not see people, one that sees
    /// the calls of its own app, and one more that may see all, on a connection that is slow.
    private static func observer(_ number: Int, at host: MemoryBroker) -> MemoryPeer {
        let process = [2: PeerProcess(sandbox: .other), 3: box][number] ?? PeerProcess()
        let peer = host.connect(known: process)
        let features =
            number == 1 ? "" : #""alerting","external_calls","text","video_request","tone""#
        let roles = number == 3 ? #""provider","observer""# : #""observer""#
        let identity = number == 3 ? #","identity":"org.box""# : ""
        _ = peer.ask(Frame.hello(#""roles":[\#(roles)],"features":[\#(features)]\#(identity)"#))
        if number == 3 { peer.register() }
        return peer
    }

    // MARK: - Moves

    mutating func move() throws {
        switch random.next() % 32 {
        case 0...3: ring()
        case 4...5: start()
        case 6...12: request()
        case 13...17: perform()
        case 18...23: report()
        case 24: external()
        case 25: host.turn(afterMS: Int(random.next() % 30))
        case 26: read()
        case 27: reconnect(Int(random.next() % 5))
        case 28: if random.chance(40) { try restart() }
        case 29: if random.chance(40) { replaceApp(Int(random.next() % 3)) }
        default: host.turn()
        }
        if random.chance(70) { host.turn() }
        for (number, observer) in observers.enumerated() where number < 4 || random.chance(4) {
            observer.read()
        }
        observers[4].peer.block()
    }

    /// An app, or the observer that is one.
    private func anApp(_ random: inout SeededRandom) -> MemoryPeer {
        random.pick(apps + [observers[3].peer])
    }

    private mutating func aCall() -> String {
        "c\(max(1, callCount - Int(random.next() % 6)))"
    }

    private mutating func ring() {
        callCount += 1
        let more = random.pick([
            "", #""display_name":"Ada \"state\":\"alerting\"""#, #""supports_holding":false"#,
            #""has_video":true,"external_id":"x-7","verification":"passed""#,
            #""forwarded_from":{"type":"phone","value":"+15559"},"priority":"priority_caller""#,
        ])
        let app = anApp(&random)
        app.post(
            "call.report_incoming",
            #"{"call":"c\#(callCount)","remote":{"type":"phone","value":"+1555\#(callCount)"}"#
                + (more.isEmpty ? "}" : ",\(more)}"))
    }

    private mutating func start() {
        callCount += 1
        let app = random.pick(Self.apps)
        user.post(
            "call.start",
            #"{"call":"c\#(callCount)","provider":"\#(app)","remote":{"type":"phone","value":"1"}}"#
        )
    }

    private mutating func request() {
        let (call, other) = (aCall(), aCall())
        let (method, more) = random.pick([
            ("answer", ""), ("answer", #","choice":"hold_and_answer""#), ("end", ""),
            ("set_held", #","held":true"#), ("set_held", #","held":false"#),
            ("set_muted", #","muted":true"#), ("set_muted", #","muted":false"#),
            ("merge", #","with":"\#(other)""#), ("split", ""), ("silence", ""), ("pull", ""),
            ("play_dtmf", #","digits":"1,,2;3""#), ("continue_tones", ""),
            ("set_video", #","video":"both""#), ("swap", ""),
        ])
        user.post("call.\(method)", method == "swap" ? "{}" : #"{"call":"\#(call)"\#(more)}"#)
    }

    /// Apps do some of what they are asked for.
    private mutating func perform() {
        readRequests()
        for app in apps + [observers[3].peer] {
            for id in app.audit.performs.keys.sorted() {
                switch random.next() % 8 {
                case 0: break
                case 1: app.fail(id)
                default: app.fulfil(id)
                }
            }
        }
    }

    /// Apps read what they are asked for.
    private func readRequests() {
        for app in apps { _ = app.drain() }
        observers[3].read()
    }

    /// Apps report what has happened. A report about a call states the outcome of its action, too:
    /// the app has read the request by then.
    private mutating func report() {
        host.turn()
        readRequests()
        let (method, more) = random.pick([
            ("alerting", ""), ("connecting", ""), ("connected", ""),
            ("ended", #","reason":"remote_ended""#), ("held", #","held":true"#),
            ("held", #","held":false"#), ("muted", #","muted":true"#),
            ("update", #","display_name":"Bob""#), ("update", #","display_name":null"#),
            ("update", #","remote":{"type":"phone","value":"+15550"}"#),
            ("update", #","remote":null,"forwarded_from":null"#),
            ("update", #","supports_holding":false,"supports_grouping":true"#),
            ("update", #","supports_set_video":true,"supports_set_text":true"#),
            ("update", #","endpoints":[{"endpoint":"e","kind":"speaker","name":"Ada's"}]"#),
            ("update", #","endpoints":null,"external_id":"y","line":null"#),
            ("video_request", #","video":"both""#), ("text_request", #","text":true"#),
            ("update", #","remote_held":true,"has_early_media":true"#),
        ])
        let call = aCall()
        for app in apps + [observers[3].peer] {
            app.post("call.report_\(method)", #"{"call":"\#(call)"\#(more)}"#)
        }
    }

    private mutating func external() {
        callCount += 1
        let app = anApp(&random)
        let params =
            #"{"call":"c\#(callCount)","remote":{"type":"phone","value":"3"},"elsewhere":"Desk","#
            + #""supports_pull":true}"#
        app.post("call.report_external", params)
    }

    /// A client reads calls outside of the events.
    private mutating func read() {
        user.post("call.list")
        user.post("call.get", #"{"call":"\#(aCall())"}"#)
    }

    private mutating func reconnect(_ number: Int) {
        observers[number].read()
        observers[number].peer.vanish()
        let peer = Self.observer(number, at: host)
        observers[number].move(to: peer, anew: random.chance(30))
    }

    private mutating func replaceApp(_ number: Int) {
        apps[number].vanish()
        if random.chance(50) { host.turn(afterMS: 30) }
        apps[number] = Self.app(Self.apps[number], at: host)
    }

    /// The broker is killed, and another one goes on.
    private mutating func restart() throws {
        for observer in observers { observer.read() }
        host = try MemoryBroker(goingOnAfter: host)
        user = host.controller()
        apps = Self.apps.map { Self.app($0, at: host) }
        for number in observers.indices {
            observers[number].move(to: Self.observer(number, at: host), anew: random.chance(30))
        }
    }

    // MARK: - The end

    /// Everybody reads until nothing comes any more.
    func finish() {
        for _ in 0..<60 {
            host.turn()
            for observer in observers { observer.read() }
        }
    }

    /// The number of events that had nothing but changes, of all observers.
    var changeCount: Int {
        observers.map(\.short.changeCount).reduce(0, +)
    }

    var differences: [String] {
        observers.enumerated().flatMap { number, observer in
            observer.differences.map { "observer \(number), \($0.prefix(2_000))" }
        }
    }
}
