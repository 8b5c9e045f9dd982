internal import BrokerSocket
internal import CallBroker
internal import CallJournal
internal import Logging

extension MemoryBroker {
    /// Returns the parts of the state in which a broker that is loaded from this one's journal
    /// differs.
    package func journalDifferences() throws -> [String] {
        var reader = try kept()
        var configuration = broker.configuration
        configuration.epoch = reader.snapshot.epoch
        let other = Broker(
            configuration: configuration, clock: .manual(now), ownUID: Self.ownUID,
            logger: Logger(label: "test") { _ in CapturingLogHandler(log) })
        other.recover(&reader)
        let fault = reader.fault.map { ["\($0)"] } ?? []
        return fault + other.snapshot().differences(from: broker.snapshot())
    }
}

extension JournalSnapshot {
    /// Returns the parts that differ. Unordered parts are sorted before they are compared.
    fileprivate func differences(from other: JournalSnapshot) -> [String] {
        let parts: [(String, (JournalSnapshot) -> [String])] = [
            ("timers", { $0.timers.map { "\($0)" }.sorted() }),
            ("dispatches", { $0.dispatches.map { "\($0)" }.sorted() }),
            ("sessions", { $0.sessions.map { "\($0)" }.sorted() }),
            ("asked", { $0.asked.map { "\($0)" } }),
            ("waiting", { $0.waiting.map { "\($0)" }.sorted() }),
            ("blocks", { ["\($0.screeningCopy)"] }),
            ("counters", { ["\($0.seq) \($0.topics) \($0.lastToken)"] }),
            ("choices", { ["\($0.choices.defaultProviders.count) \($0.configured)"] }),
        ]
        let different = parts.filter { $0.1(self) != $0.1(other) }.map {
            "\($0.0): \($0.1(self)) and \($0.1(other))"
        }
        return different + (arbiter == other.arbiter ? [] : ["arbiter"])
    }
}
