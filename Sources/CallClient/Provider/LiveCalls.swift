package import CallModel

/// The calls of a provider, as its reports and actions show them. The provider lists them when it
/// registers again after a lost connection.
package struct LiveCalls: Equatable {
    package struct Entry: Equatable {
        package let call: CallID
        package let direction: Direction
        package var state: CallState
        package var update: CallUpdate
    }

    /// Oldest first.
    package private(set) var entries: [Entry] = []
    /// Reported calls without a reply of the broker yet.
    private var unanswered: Set<CallID> = []

    package init() {}

    /// The calls to list. A starting call is left out, because the broker has it and sends its
    /// start again; so is a reported call that the broker has not accepted yet.
    package var listed: [Entry] {
        entries.filter { $0.state != .starting && !unanswered.contains($0.call) }
    }

    package func contains(_ call: CallID) -> Bool {
        entries.contains { $0.call == call }
    }

    // MARK: - Changes

    /// Adds a reported call, before the broker's reply, because the call may end before it.
    package mutating func reported(_ call: CallID, _ update: CallUpdate) {
        guard !contains(call) else { return }
        add(Entry(call: call, direction: .incoming, state: .ringing, update: update))
        unanswered.insert(call)
    }

    /// Adds a call that is live on another device, or changes it.
    package mutating func external(
        _ call: CallID, _ direction: Direction, _ update: CallUpdate
    ) {
        guard !contains(call) else { return updated(call, update) }
        add(Entry(call: call, direction: direction, state: .external, update: update))
        unanswered.insert(call)
    }

    /// Marks a reported call as accepted by the broker.
    package mutating func rings(_ call: CallID) {
        unanswered.remove(call)
    }

    /// Removes a reported call that the broker refused. A call that it accepted before stays: this
    /// was a second report.
    package mutating func refused(_ call: CallID) {
        if unanswered.contains(call) { ended(call) }
    }

    package mutating func updated(_ call: CallID, _ update: CallUpdate) {
        change(call) { $0.update.merge(update) }
    }

    package mutating func alerting(_ call: CallID, hasEarlyMedia: Bool?) {
        change(call) { entry in
            if [.starting, .dialing].contains(entry.state) { entry.state = .alerting }
            if let hasEarlyMedia { entry.update.hasEarlyMedia = .set(hasEarlyMedia) }
        }
    }

    package mutating func connecting(_ call: CallID) {
        change(call) { entry in
            if [.starting, .dialing, .alerting].contains(entry.state) { entry.state = .connecting }
        }
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

    /// Adds the call of a requested start.
    package mutating func requested(_ action: CallAction, _ call: CallID) {
        guard case .start(let start) = action else { return }
        var update = CallUpdate()
        update.remote = .set(start.remote)
        if start.hasVideo { update.hasVideo = .set(true) }
        if start.hasText { update.hasText = .set(true) }
        if let line = start.line { update.line = .set(line) }
        add(Entry(call: call, direction: .outgoing, state: .starting, update: update))
    }

    /// Applies an action that the provider performed.
    package mutating func fulfilled(_ action: CallAction, _ call: CallID) {
        switch action {
        case .start: change(call) { if $0.state == .starting { $0.state = .dialing } }
        case .answer: connected(call)
        case .end: ended(call)
        case .setHeld(let isHeld): held(call, isHeld)
        case .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText, .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    /// Applies an action that the provider failed: a start, an answer or an end that fails ends its
    /// call. A call on another device goes on there.
    package mutating func failed(_ action: CallAction, _ call: CallID) {
        switch action {
        case .answer where entries.contains { $0.call == call && $0.state == .external }: break
        case .start, .answer, .end: ended(call)
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
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
