import CallTesting

/// The calls as a subscriber knows them that keeps them up to date by events.
struct CallCopy {
    typealias Members = [String: JSONTree]

    /// What changes without a numbered event.
    private static let choices = ["allowed", "can_hold_now", "merge_with", "paused_tones"]

    let wantsChanges: Bool
    private(set) var calls: [String: Members] = [:]
    /// The call of each numbered event, as it was after it; nil once it was removed.
    private(set) var states: [Int: Members?] = [:]
    private(set) var cursor: (epoch: String, seq: Int)?
    /// The number of events that had nothing but changes.
    private(set) var changeCount = 0
    private(set) var faults: [String] = []

    init(wantsChanges: Bool) {
        self.wantsChanges = wantsChanges
    }

    /// The params of the subscription, which goes on after the latest event unless all is read anew.
    func params(anew: Bool = false) -> String {
        var members = [#""topics":["call.*"]"#]
        if wantsChanges { members.append(#""detail":"changes""#) }
        if !anew, let cursor {
            members.append(#""cursor":{"epoch":"\#(cursor.epoch)","seq":\#(cursor.seq)}"#)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    mutating func begin(_ result: JSONTree) {
        guard let snapshot = result["snapshot"] else { return }
        let calls = (snapshot["calls"]?.elements ?? []).map(Self.members)
        self.calls = [:]
        for call in calls { self.calls[call["call"]?.string ?? ""] = call }
        cursor = (result["epoch"]?.string ?? "", result["seq"]?.integer ?? 0)
    }

    private static func members(of value: JSONTree) -> Members {
        Dictionary(uniqueKeysWithValues: value.members.map { ($0.name, $0.value) })
    }

    /// Applies an event.
    mutating func apply(_ event: JSONTree) {
        let (topic, seq) = (event["topic"]?.string ?? "", event["seq"]?.integer ?? 0)
        let (call, data) = (event["call"]?.string ?? "", event["data"] ?? .null)
        cursor = (event["epoch"]?.string ?? "", seq)
        switch topic {
        case "call.added", "call.changed": change(call, data)
        case "call.removed": calls[call] = nil
        case "call.allowed_changed":
            guard calls[call] != nil else { return }
            for name in Self.choices { calls[call]?[name] = data[name] }
            return
        default: return
        }
        states[seq] = .some(calls[call])
    }

    private mutating func change(_ call: String, _ data: JSONTree) {
        guard let members = data["set"] else {
            calls[call] = Self.members(of: data.without("changed", "cause"))
            return
        }
        changeCount += 1
        if !wantsChanges { faults.append("not asked for: \(data)") }
        if calls[call] == nil { faults.append("of an unknown call: \(data)") }
        for name in data["removed"]?.elements.compactMap(\.string) ?? [] {
            calls[call]?[name] = nil
        }
        for member in members.members { calls[call]?[member.name] = member.value }
    }
}

/// A client that keeps the calls twice, by two subscriptions: one to whole calls, one to changes.
final class ComparingObserver {
    private typealias Place = ReferenceWritableKeyPath<ComparingObserver, CallCopy>

    private(set) var peer: MemoryPeer
    private(set) var full = CallCopy(wantsChanges: false)
    private(set) var short = CallCopy(wantsChanges: true)
    /// The copies by the ids of the requests, and by the numbers of the subscriptions.
    private var (requested, subscribed): ([Int: Place], [Int: Place]) = ([:], [:])
    private(set) var gaps = 0

    init(_ peer: MemoryPeer) {
        self.peer = peer
        subscribe(anew: false)
    }

    /// Goes on with another connection.
    func move(to peer: MemoryPeer, anew: Bool) {
        self.peer = peer
        (requested, subscribed) = ([:], [:])
        subscribe(anew: anew)
    }

    private func subscribe(anew: Bool) {
        subscribe(\.full, anew: anew)
        subscribe(\.short, anew: anew)
        read()
    }

    private func subscribe(_ copy: Place, anew: Bool) {
        peer.post("events.subscribe", self[keyPath: copy].params(anew: anew))
        requested[peer.lastID] = copy
    }

    /// Reads what came.
    func read() {
        for line in peer.drain() {
            guard let frame = try? JSONTree(line) else { continue }
            if let copy = frame["id"]?.integer.flatMap({ requested[$0] }),
                let result = frame["result"]
            {
                subscribed[result["subscription"]?.integer ?? 0] = copy
                self[keyPath: copy].begin(result)
            }
            guard let params = frame["params"], let number = params["subscription"]?.integer,
                let copy = subscribed[number]
            else { continue }
            if frame["method"] == .string("events.gap") {
                gaps += 1
                subscribe(copy, anew: true)
            } else {
                self[keyPath: copy].apply(params)
            }
        }
    }

    /// What is not the same in both copies, and what should not have been sent.
    var differences: [String] {
        let numbers = Set(full.states.keys).intersection(short.states.keys).sorted()
        let first = numbers.first { full.states[$0] != short.states[$0] }
        let earlier = first.map { seq in
            ["after \(seq): \(full.states[seq] as Any) / \(short.states[seq] as Any)"]
        }
        let last = full.calls == short.calls ? [] : ["at the end: " + comparison]
        return (earlier ?? []) + last + full.faults + short.faults
    }

    private var comparison: String {
        let calls = Set(full.calls.keys).union(short.calls.keys).sorted()
        return calls.filter { full.calls[$0] != short.calls[$0] }.map { call in
            let (left, right) = (full.calls[call] ?? [:], short.calls[call] ?? [:])
            let names = Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }.sorted()
            return call + " "
                + names.map { "\($0) \(left[$0] ?? .null) / \(right[$0] ?? .null)" }
                .joined(separator: ", ")
        }.joined(separator: "; ")
    }
}
