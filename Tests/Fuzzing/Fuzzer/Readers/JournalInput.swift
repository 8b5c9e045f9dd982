internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallTesting
internal import Logging

@testable internal import CallBroker
@testable internal import CallJournal

/// A journal, as it is and with lengths and checksums that fit, so that what is behind them is reached.
///
/// What can be read is written and read as the same again. A broker that recovers from it has an
/// arbiter whose invariants hold.
enum JournalInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        try checkReading(bytes)
        try checkReading(repaired(bytes))
    }

    private static func checkReading(_ bytes: [UInt8]) throws(Finding) {
        _ = try? JournalReader(bytes, Pseudonyms(key: UUIDBits(high: 1, low: 2)))
        guard let (snapshot, turns) = read(bytes) else { return }
        let medium = MemoryMedium()
        write(snapshot, turns, to: medium)
        guard let (snapshotAgain, turnsAgain) = read(medium.bytes) else {
            throw Finding(words: "what was written cannot be read")
        }
        try require(snapshotAgain == snapshot, "the snapshot was read otherwise")
        try require(turnsAgain == turns, "the turns were read otherwise")
        try checkRecovery(bytes)
    }

    private static func checkRecovery(_ bytes: [UInt8]) throws(Finding) {
        guard var reader = try? JournalReader(bytes) else { return }
        var configuration = BrokerConfiguration()
        configuration.isTestMode = true
        configuration.epoch = reader.snapshot.epoch
        let broker = Broker(
            configuration: configuration, clock: .manual(.zero), ownUID: 0,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
        broker.recover(&reader)
        let broken = broker.arbiter.brokenInvariants()
        try require(broken.isEmpty, broken.joined(separator: "; "))
    }

    /// Turns in which nothing happened are not written.
    private static func read(_ bytes: [UInt8]) -> (JournalSnapshot, [JournalReader.Turn])? {
        guard var reader = try? JournalReader(bytes) else { return nil }
        var turns: [JournalReader.Turn] = []
        while let turn = reader.nextTurn() {
            if !turn.entries.isEmpty { turns.append(turn) }
        }
        return (reader.snapshot, turns)
    }

    private static func write(
        _ snapshot: JournalSnapshot, _ turns: [JournalReader.Turn], to medium: MemoryMedium
    ) {
        let journal = Journal(medium)
        journal.beginAnew(snapshot)
        for turn in turns {
            journal.wallOffsetMS = turn.wallOffsetMS
            for entry in turn.entries { journal.append(entry) }
            journal.commit(mayBeginAnew: false) { snapshot }
        }
    }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var repaired = JournalForm.firstLine
        var rest = bytes[...]
        if rest.starts(with: repaired) { rest = rest.dropFirst(repaired.count) }
        while rest.count > JournalForm.headBytes {
            let length = (0..<4).reduce(0) { $0 | Int(rest[rest.startIndex + $1]) << ($1 * 8) }
            rest = rest.dropFirst(JournalForm.headBytes)
            let content = Array(rest.prefix(length))
            repaired += JournalForm.head(of: content) + content
            rest = rest.dropFirst(length)
        }
        return repaired
    }
}
