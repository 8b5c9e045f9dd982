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

    package init() {}

    /// What can be listed: the broker knows of a call that is starting, and sends its start again.
    package var listed: [Entry] {
        entries.filter { $0.state != .starting }
    }

    package func contains(_ call: CallID) -> Bool {
        entries.contains { $0.call == call }
    }

    // MARK: - What happens to them

    package mutating func rings(_ call: CallID, _ update: CallUpdate) {
        add(Entry(call: call, direction: .incoming, state: .ringing, update: update))
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
    }

    package mutating func endedAll() {
        entries = []
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
