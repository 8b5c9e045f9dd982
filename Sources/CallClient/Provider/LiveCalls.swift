package import CallModel

/// The calls that a provider has, as far as they can be told from what it reports and performs: what
/// it lists when it comes back after its connection was lost.
package struct LiveCalls: Equatable {
    package struct Entry: Equatable {
        package let call: CallID
        package let direction: Direction
        package var state: CallState
        package var update: CallUpdate
    }

    /// Oldest first.
    package private(set) var entries: [Entry] = []
    /// Reported, and the broker has not said yet whether they may ring.
    private var unanswered: Set<CallID> = []

    package init() {}

    /// What can be listed: the broker knows of a call that is starting, and sends its start again;
    /// and a call that it has not taken is not one yet.
    package var listed: [Entry] {
        entries.filter { $0.state != .starting && !unanswered.contains($0.call) }
    }

    package func contains(_ call: CallID) -> Bool {
        entries.contains { $0.call == call }
    }

    // MARK: - What happens to them

    /// It is here from when it is reported: it may be over before the broker has answered.
    package mutating func reported(_ call: CallID, _ update: CallUpdate) {
        guard !contains(call) else { return }
        add(Entry(call: call, direction: .incoming, state: .ringing, update: update))
        unanswered.insert(call)
    }

    /// The broker has taken the report.
    package mutating func rings(_ call: CallID) {
        unanswered.remove(call)
    }

    /// The broker has not. What it took before stays: this was a second report.
    package mutating func refused(_ call: CallID) {
        if unanswered.contains(call) { ended(call) }
    }

    package mutating func updated(_ call: CallID, _ update: CallUpdate) {
        change(call) { $0.update.merge(update) }
    }

    package mutating func connecting(_ call: CallID) {
        change(call) { if $0.state == .dialing || $0.state == .starting { $0.state = .connecting } }
    }

    package mutating func connected(_ call: CallID) {
        change(call) { if $0.state != .held { $0.state = .active } }
    }

    package mutating func held(_ call: CallID, _ isHeld: Bool) {
        change(call) { $0.state = isHeld ? .held : .active }
    }

    package mutating func ended(_ call: CallID) {
        entries.removeAll { $0.call == call }
        unanswered.remove(call)
    }

    package mutating func endedAll() {
        entries = []
        unanswered = []
    }

    /// The provider is asked to do something.
    package mutating func asked(_ action: CallAction, _ call: CallID) {
        guard case .start(let start) = action else { return }
        var update = CallUpdate()
        update.remote = .set(start.remote)
        if start.hasVideo { update.hasVideo = .set(true) }
        add(Entry(call: call, direction: .outgoing, state: .starting, update: update))
    }

    /// The provider has done it.
    package mutating func fulfilled(_ action: CallAction, _ call: CallID) {
        switch action {
        case .start: change(call) { if $0.state == .starting { $0.state = .dialing } }
        case .answer: connected(call)
        case .end: ended(call)
        case .setHeld(let isHeld): held(call, isHeld)
        case .setMuted, .setGroup, .playDTMF: break
        }
    }

    /// The provider could not: a start or an answer that fails ends its call, and so does an end.
    package mutating func failed(_ action: CallAction, _ call: CallID) {
        switch action {
        case .start, .answer, .end: ended(call)
        case .setHeld, .setMuted, .setGroup, .playDTMF: break
        }
    }

    private mutating func add(_ entry: Entry) {
        if !contains(entry.call) { entries.append(entry) }
    }

    private mutating func change(_ call: CallID, _ change: (inout Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.call == call }) else { return }
        change(&entries[index])
    }
}
