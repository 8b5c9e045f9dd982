internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The latest events of calls, for `call.timeline`; the decisions about them are in `DecisionLog`.
struct CallEventLog {
    struct Entry {
        let call: CallID
        let event: Event
        let stamp: Stamp

        /// Indicates whether the event concerns a call.
        func isAbout(_ call: CallID) -> Bool {
            if case .audio(_, let calls) = event { return calls.contains(call) }
            return self.call == call
        }
    }

    enum Event {
        case change(Change)
        case action(Action)
        /// Microphone and speaker were given to the calls of a group, or taken from them.
        case audio(isActive: Bool, calls: [CallID])
        case anomaly(Anomaly)
        case quality(CallQuality)
    }

    /// A call as it was added, or has changed.
    struct Change {
        let provider: ProviderID
        let direction: Direction
        let state: CallState
        /// The changed properties; nil if the call was added.
        let properties: ChangedProperties?
        /// The values of some properties, as far as they have changed.
        var values = Values()
        let cause: Cause
    }

    /// Values of changed properties; nil for one that has not changed.
    struct Values {
        var isMuted: Bool?
        var group: CallID?
        var heldBecauseOf: CallID?

        init() {}

        init(_ properties: ChangedProperties, of view: CallView?) {
            guard let view else { return }
            if properties.contains(.muted) { isMuted = view.isMuted }
            if properties.contains(.group) { group = view.group }
            if properties.contains(.heldBecauseOf) { heldBecauseOf = view.heldBecauseOf }
        }
    }

    /// An action as it was sent, or settled.
    struct Action {
        let action: ActionID
        let kind: ActionKind
        let transaction: TransactionID
        /// A word of `ActionState`, or `late`.
        let state: StaticString
        let attempt: Int
        let failure: ActionFailure?

        init(_ dispatch: Dispatch, _ state: StaticString, _ failure: ActionFailure? = nil) {
            action = dispatch.action
            kind = dispatch.kind.kind
            transaction = dispatch.transaction
            self.state = state
            attempt = dispatch.attempt
            self.failure = failure
        }
    }

    private var entries: Ring<Entry>

    init(countMax: Int) {
        entries = Ring(countMax: countMax)
    }

    mutating func add(_ event: Event, of call: CallID, at stamp: Stamp) {
        entries.append(Entry(call: call, event: event, stamp: stamp))
    }

    /// Returns the events of a call, oldest first. Searches all of them: `call.timeline` is rare.
    func entries(of call: CallID) -> [Entry] {
        entries.values { $0.isAbout(call) }
    }

    /// Returns whether a call that is over was on another device to its end.
    func wasExternal(_ call: CallID) -> Bool {
        let states = entries(of: call).compactMap { entry in
            if case .change(let change) = entry.event { change.state } else { nil }
        }
        return states.last { $0 != .ended } == .external
    }

    /// Returns the provider of a call, also of one that is over; nil if its events are forgotten.
    func provider(of call: CallID) -> ProviderID? {
        for entry in entries(of: call) {
            if case .change(let change) = entry.event { return change.provider }
        }
        return nil
    }
}

/// The place of a decision or an event among all others.
struct Stamp {
    /// Its number since the start, which orders decisions and events.
    let number: Int64
    /// The number of the latest published event.
    let seq: Int64
    let atMS: Int64
}
