internal import CallModel

/// The latest 1,024 actions that the arbiter stopped waiting for. If one succeeds after all, the
/// arbiter has to reconcile its state with that of the provider.
struct AbandonedActions: Equatable, Sendable {
    private static let countMax = 1_024
    struct Entry: Equatable, Sendable {
        let call: CallID
        let provider: ProviderID
        let action: CallAction
        /// True if the action was cancelled, or was a hold for room that timed out.
        let wasCalledOff: Bool
        /// The call because of which the action was sent, such as the one that a hold was to make
        /// room for.
        let because: CallID?
    }

    private var entries: [ActionID: Entry] = [:]
    private var order: [ActionID] = []

    mutating func insert(_ action: ActionID, _ entry: Entry) {
        entries[action] = entry
        order.append(action)
        if order.count > Self.countMax { entries[order.removeFirst()] = nil }
    }

    mutating func remove(_ action: ActionID, of provider: ProviderID) -> Entry? {
        guard let entry = entries[action], entry.provider == provider else { return nil }
        entries[action] = nil
        order.removeAll { $0 == action }
        return entry
    }
}

// MARK: - Stored

extension AbandonedActions: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(order.count))
        for action in order { writer.write(action, entries[action]) }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        for _ in 0..<(try reader.takeCount("the abandoned actions")) {
            let action: ActionID = try reader.read()
            entries[action] = try reader.read() as Entry?
            order.append(action)
        }
    }
}

extension AbandonedActions.Entry: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(call, provider, action, wasCalledOff, because)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            call: try reader.read(), provider: try reader.read(), action: try reader.read(),
            wasCalledOff: try reader.read(), because: try reader.read())
    }
}
