internal import CallModel

/// Emergency calls, and the apps that may be called back after one (rule 20).
struct Emergencies: Equatable, Sendable {
    /// Calls that are emergencies now, in the order in which they became so. An incoming emergency
    /// that only rings is not among them.
    private(set) var calls: [Slot<CallRecord>] = []
    /// Providers whose emergency ended a short time ago: their incoming calls are call-backs. They
    /// are listed by id, since an app that crashed in an emergency is just the one to be called
    /// back.
    private(set) var callbackProviders: [ProviderID] = []

    init() {}

    @inline(__always)
    var isEmpty: Bool {
        calls.isEmpty
    }

    @inline(__always)
    func contains(_ call: Slot<CallRecord>) -> Bool {
        calls.contains(call)
    }

    func expectsCallback(from provider: ProviderID) -> Bool {
        callbackProviders.contains(provider)
    }

    mutating func append(_ call: Slot<CallRecord>) {
        calls.append(call)
    }

    mutating func remove(_ call: Slot<CallRecord>) {
        calls.removeAll { $0 == call }
    }

    mutating func appendCallback(_ provider: ProviderID) {
        if !callbackProviders.contains(provider) { callbackProviders.append(provider) }
    }

    mutating func removeCallback(_ provider: ProviderID) {
        callbackProviders.removeAll { $0 == provider }
    }
}

// MARK: - Stored

extension Emergencies: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(calls, callbackProviders)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        calls = try reader.read()
        callbackProviders = try reader.read()
    }
}
