internal import BrokerJSON

/// What happens to a call, as far as a picture shows it. Words are those of the protocol.
enum TimelineMoment {
    case state(String)
    case muted(Bool)
    case audio(Bool)
    case action(id: String, kind: String, state: String)
    case decision(rule: String, word: String)
    case link(TimelineScene.Link.Kind, String)
    case end(reason: String)
}

/// Collects what happens to a call, in order, as periods.
struct TimelineCallBuilder {
    /// Times beyond this one are taken for this one, so that sums of times cannot overflow.
    private static let timeMaxMS: Int64 = 1 << 50

    private var call: TimelineScene.Call
    private var state: String?
    /// The places of the open spans by their kinds, and of the open actions by their ids.
    private var spans: [String: Int] = [:]
    private var actions: [String: Int] = [:]
    private var isEmpty = true

    init(call: String, provider: String, direction: String) {
        self.call = TimelineScene.Call(
            call: call, provider: provider, direction: direction, fromMS: 0, toMS: 0)
    }

    mutating func add(_ moment: TimelineMoment, at time: Int64) {
        let atMS = min(max(time, 0), Self.timeMaxMS)
        if isEmpty { call.fromMS = atMS }
        isEmpty = false
        // A clock that was set back must not turn a period round.
        call.toMS = max(call.toMS, atMS)
        switch moment {
        case .state(let state): change(to: state, call.toMS)
        case .muted(let isOn): set("muted", isOn, call.toMS)
        case .audio(let isOn): set("audio", isOn, call.toMS)
        case .action(let id, let kind, let state): add(id, kind, state, call.toMS)
        case .decision(let rule, let word):
            call.decisions.append(.init(rule: rule, word: word, atMS: call.toMS))
        case .link(let kind, let other) where other != call.call:
            call.links.append(.init(kind: kind, other: other, atMS: call.toMS))
        case .link: break
        case .end(let reason): call.endReason = reason
        }
    }

    /// The time of the latest event.
    var latestMS: Int64 { call.toMS }

    /// Returns the call; what has not ended lasts until that time.
    func finished(at time: Int64) -> TimelineScene.Call {
        var call = call
        guard state != "ended" else { return call }
        call.toMS = max(call.toMS, min(max(time, 0), Self.timeMaxMS))
        for place in spans.values { call.spans[place].toMS = call.toMS }
        for place in actions.values { call.actions[place].toMS = call.toMS }
        return call
    }

    private mutating func change(to next: String, _ atMS: Int64) {
        guard next != state else { return }
        if let state { set(state, false, atMS) }
        state = next
        guard next == "ended" else { return set(next, true, atMS) }
        call.endReason = call.endReason ?? ""
        for kind in spans.keys { set(kind, false, atMS) }
    }

    private mutating func set(_ kind: String, _ isOn: Bool, _ atMS: Int64) {
        if !isOn {
            guard let place = spans.removeValue(forKey: kind) else { return }
            call.spans[place].toMS = atMS
        } else if spans[kind] == nil, state != "ended" {
            spans[kind] = call.spans.count
            call.spans.append(.init(kind: kind, fromMS: atMS, toMS: atMS))
        }
    }

    private mutating func add(_ id: String, _ kind: String, _ state: String, _ atMS: Int64) {
        if let place = actions.removeValue(forKey: id) {
            call.actions[place].toMS = atMS
            call.actions[place].state = state
            return
        }
        if state == "dispatched" { actions[id] = call.actions.count }
        call.actions.append(.init(kind: kind, state: state, fromMS: atMS, toMS: atMS))
    }
}

// The entries of `call.timeline`.
extension TimelineCallBuilder {
    /// - Parameter timeline: A result of `call.timeline`, with all entries.
    init(_ timeline: JSONValue) {
        self.init(
            call: timeline["call"]?.string ?? "", provider: timeline["provider"]?.string ?? "",
            direction: timeline["direction"]?.string ?? "")
        for entry in timeline["entries"].map({ Array($0.elements) }) ?? [] {
            let atMS = entry["at_ms"]?.integer ?? 0
            for moment in moments(of: entry) { add(moment, at: atMS) }
        }
    }

    private func moments(of entry: JSONValue) -> [TimelineMoment] {
        if let change = entry["change"] { return Self.moments(ofChange: change) }
        if let decision = entry["decision"] { return moments(ofDecision: decision) }
        if let isActive = entry["audio"]?["active"]?.boolean { return [.audio(isActive)] }
        guard let action = entry["action"], let id = action["action"]?.string,
            let kind = action["kind"]?.string, let state = action["state"]?.string
        else { return [] }
        return [.action(id: id, kind: kind, state: state)]
    }

    private static func moments(ofChange change: JSONValue) -> [TimelineMoment] {
        let moments: [TimelineMoment?] = [
            change["state"]?.string.map(TimelineMoment.state),
            change["muted"]?.boolean.map(TimelineMoment.muted),
            change["held_because_of"]?.string.map { .link(.held, $0) },
            change["group"]?.string.map { .link(.joined, $0) },
        ]
        return moments.compactMap(\.self)
    }

    /// Returns a decision about this call; others only name it.
    private func moments(ofDecision decision: JSONValue) -> [TimelineMoment] {
        guard decision["call"]?.string ?? call.call == call.call else { return [] }
        let rule: TimelineMoment? = decision["rule"]?.string.map {
            .decision(rule: $0, word: decision["decision"]?.string ?? "")
        }
        let end = decision["end_reason"]?.string.map(TimelineMoment.end)
        return [rule, end].compactMap(\.self)
    }
}
