internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallTesting

@testable internal import CallBroker

/// Several clients and a broker in memory. After every turn nothing may be broken: not the arbiter's
/// invariants, not the form of a frame (`FrameAudit`), not the order of the events; no two groups are
/// live; the calls are those that the events tell of. In the end every request has had its one reply,
/// and the journal tells all that the broker knows.
final class SessionPlay {
    private static let movesMax = 120
    private static let roundsMax = 1_000

    private(set) var host: MemoryBroker
    var choices: Choices
    let cast = Actor.Part.allCases.map(Actor.init)
    /// All calls that there are, as the broker lists them.
    private(set) var calls: [JSONTree] = []
    /// Ids of calls that clients have made.
    var madeCalls = 0
    /// Ids of actions that somebody was asked to perform.
    private(set) var actions: [String] = []
    private var chronicle = Chronicle()
    private let faults = Faults()
    /// A planted defect: which lines of the broker's get lost, by their number.
    private let isLost: (Int) -> Bool
    private var lines = 0

    private final class Faults {
        var lines: [String] = []
    }

    init(_ choices: Choices, losing isLost: @escaping (Int) -> Bool = { _ in false }) {
        self.choices = choices
        self.isLost = isLost
        let faults = faults
        host = MemoryBroker(tellFault: { faults.lines.append($0) }) {
            $0.epoch = .init(high: 1, low: 1)
        }
    }

    func run() throws(Finding) {
        defer { everybodyLeaves() }
        for part in [Actor.Part.inspector, .user, .observer, .desk] { try enter(actor(part)) }
        var moves = 0
        while !choices.isOver, moves < Self.movesMax {
            try move()
            try settle()
            moves += 1
        }
        try comeToRest()
    }

    /// A broker and its peers would keep each other.
    private func everybodyLeaves() {
        for actor in cast {
            actor.peer?.vanish()
            actor.forget()
        }
    }

    func actor(_ part: Actor.Part) -> Actor {
        cast.first { $0.part == part } ?? cast[0]
    }

    // MARK: - Connections

    func enter(_ actor: Actor) throws(Finding) {
        actor.connect(to: host)
        try settleFrames()
        switch actor.part {
        case .observer: try subscribe(actor)
        case .screen: actor.request("ui.claim", "{}")
        case .desk, .mobile, .softphone: register(actor)
        case .user, .screener, .inspector: break
        }
        try settle()
    }

    /// All events, from where they were known before.
    private func subscribe(_ observer: Actor) throws(Finding) {
        let cursor = chronicle.cursor.map {
            #","cursor":{"epoch":"\#($0.epoch)","seq":\#($0.seq)}"#
        }
        observer.request("events.subscribe", #"{"topics":["*"]\#(cursor ?? "")}"#)
        try settleFrames(whenSubscribed: observer)
    }

    private func register(_ provider: Actor) {
        let live = calls.filter {
            $0["provider"]?.string == provider.identity && $0["state"] != .string("ending")
        }
        let told = live.filter { _ in !choices.once(in: 8) }.map { call in
            #"{"call":\#(call["call"]?.json ?? ""),"direction":\#(call["direction"]?.json ?? ""),"#
                + #""state":"\#(Self.told(call["state"]?.string))","#
                + #""remote":{"type":"phone","value":"+15550100"}}"#
        }
        let takes = choices.once(in: 3)
        provider.request(
            "provider.register",
            #"{"display_name":"\#(provider.part)","handle_types":["phone"],"#
                + #""url_schemes":["tel"],"takes_transactions":\#(takes),"#
                + #""calls":[\#(told.joined(separator: ","))]}"#)
    }

    /// The states that a provider can tell of.
    private static func told(_ state: String?) -> String {
        switch state {
        case "starting": "dialing"
        case "waiting": "ringing"
        default: state ?? "active"
        }
    }

    /// Goes on in a new process.
    func restart() throws(Finding) {
        do {
            host = try MemoryBroker(goingOnAfter: host)
        } catch {
            throw Finding(words: "the journal cannot be read: \(error)")
        }
        everybodyLeaves()
        try enter(actor(.inspector))
    }

    // MARK: - Turns

    func advance(milliseconds: Int) throws(Finding) {
        let end = host.now.advanced(milliseconds: milliseconds)
        while let due = host.broker.nextDeadline, due <= end {
            host.turn(afterMS: max(0, Int(due.milliseconds - host.now.milliseconds)) + 1)
            try settle()
        }
        host.turn(afterMS: max(0, Int(end.milliseconds - host.now.milliseconds)))
    }

    private func settleFrames(whenSubscribed observer: Actor? = nil) throws(Finding) {
        var rounds = 0
        var isBusy = true
        while isBusy {
            rounds += 1
            try require(rounds < Self.roundsMax, "it never comes to rest")
            host.turn()
            isBusy = host.broker.hasWork
            for actor in cast {
                if try read(actor, isSubscribing: actor === observer) { isBusy = true }
            }
        }
        try require(faults.lines.isEmpty, faults.lines.joined(separator: "; "))
    }

    private func read(_ actor: Actor, isSubscribing: Bool) throws(Finding) -> Bool {
        let wasWaiting = actor.open.values.contains("events.subscribe")
        let isBusy = try actor.read {
            lines += 1
            return isLost(lines)
        }
        for ask in actor.asks {
            if let action = ask.params["action"]?.string, !actions.contains(action) {
                actions.append(action)
            }
        }
        let isSubscribed = wasWaiting && !actor.open.values.contains("events.subscribe")
        if isSubscribing, isSubscribed, let result = actor.lastResult {
            chronicle.begin(with: result)
        }
        guard actor.part == .observer else { return isBusy }
        for event in actor.takeEvents() { try chronicle.take(event) }
        return isBusy
    }

    func settle() throws(Finding) {
        try settleFrames()
        let inspector = actor(.inspector)
        inspector.request("call.list", "{}")
        try settleFrames()
        calls = inspector.lastResult?["calls"]?.elements ?? []
        try checkState()
    }

    private func checkState() throws(Finding) {
        let broken = host.broker.arbiter.brokenInvariants()
        try require(broken.isEmpty, broken.joined(separator: "; "))
        let speaking = ["dialing", "connecting", "active"]
        let groups = calls.filter { speaking.contains($0["state"]?.string ?? "") }
            .compactMap { $0["group"]?.string }
        try require(Set(groups).count <= 1, "two groups are live: \(calls)")
        if actor(.observer).peer != nil { try chronicle.check(calls) }
    }

    // MARK: - The end

    /// Everybody is prompt from now on: no request stays without its reply.
    private func comeToRest() throws(Finding) {
        for _ in 0..<30 {
            for actor in cast {
                for ask in actor.asks { actor.answer(ask, SessionMoves.success(ask)) }
            }
            try advance(milliseconds: 60_000)
            try settle()
        }
        for actor in cast where actor.peer != nil {
            let unanswered = actor.open.values.sorted()
            try require(unanswered.isEmpty, "\(actor.part) waits for \(unanswered)")
        }
        do {
            let differences = try host.journalDifferences()
            try require(differences.isEmpty, differences.joined(separator: "; "))
        } catch {
            throw (error as? Finding) ?? Finding(words: "the journal cannot be read: \(error)")
        }
    }
}
