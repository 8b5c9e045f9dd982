import CallArbitration
import CallModel
import CallTesting
import Testing

@testable import CallJournal

struct JournalReaderTests {
    private func turns(of bytes: [UInt8]) throws -> ([JournalReader.Turn], JournalFault?) {
        var reader = try JournalReader(bytes)
        var turns: [JournalReader.Turn] = []
        while let turn = reader.nextTurn() { turns.append(turn) }
        return (turns, reader.fault)
    }

    @Test func `a journal gives back what it was given`() throws {
        #expect(try JournalReader(Samples.journal).snapshot == Samples.snapshot)
        let (turns, fault) = try turns(of: Samples.journal)
        #expect(
            turns == [
                JournalReader.Turn(wallOffsetMS: 1_000, entries: Array(Samples.entries.prefix(4))),
                JournalReader.Turn(wallOffsetMS: -1, entries: Array(Samples.entries.dropFirst(4))),
            ])
        #expect(fault == nil)
    }

    @Test func `an event that is appended reads as the entry of it`() throws {
        let medium = MemoryMedium()
        let journal = Journal(medium)
        journal.beginAnew(Samples.snapshot)
        journal.append(Samples.end, at: .zero)
        journal.commit { Samples.snapshot }
        let (turns, _) = try turns(of: medium.bytes)
        #expect(turns.flatMap(\.entries) == [JournalEntry(.event(Samples.end), at: .zero)])
    }

    @Test func `whatever is cut off, the turns before it can be read`() throws {
        let whole = Samples.journal
        var counts: Set<Int> = []
        for length in 0..<whole.count {
            guard let (turns, fault) = try? turns(of: Array(whole.prefix(length))) else { continue }
            let isAtEnd = fault == nil
            counts.insert(turns.count)
            #expect(isAtEnd || turns.count < 2)
        }
        #expect(counts == [0, 1])
    }

    @Test(arguments: [1, 7, 8, 9, 5_000])
    func `zeros behind the last turn are room`(count: Int) throws {
        var reader = try JournalReader(Samples.journal + [UInt8](repeating: 0, count: count))
        while reader.nextTurn() != nil {}
        #expect(reader.fault == nil)
        #expect(reader.count == Samples.journal.count)
    }

    @Test func `content without a length is a turn that was not committed`() throws {
        let room = [UInt8](repeating: 0, count: 8)
        let (turns, fault) = try turns(of: Samples.journal + room + [1, 2, 3] + room)
        #expect(turns.count == 2)
        #expect(fault == nil)
    }

    @Test(arguments: 0..<8)
    func `a head that is there in part is damage`(index: Int) throws {
        var room = [UInt8](repeating: 0, count: 100)
        room[index] = 1
        let (turns, fault) = try turns(of: Samples.journal + room)
        #expect(turns.count == 2)
        let place = Samples.journal.count
        let isCutOff = fault == .cutOff(at: place)
        #expect(isCutOff || fault == .changed(at: place))
    }

    @Test func `before form 7 zeros are damage`() throws {
        let content = Samples.stored(Samples.snapshot, inForm: 5)
        let frame = JournalForm.head(of: content) + content
        let bytes = Array("callbroker journal 5\n".utf8) + frame
        let (_, fault) = try turns(of: bytes + [UInt8](repeating: 0, count: 8))
        #expect(fault != nil)
    }

    @Test func `whatever bit is flipped, it is noticed`() {
        let whole = Samples.journal
        for place in whole.indices {
            var flipped = whole
            flipped[place] ^= 1 << (place % 8)
            guard let (_, fault) = try? turns(of: flipped) else { continue }
            #expect(fault != nil, "byte \(place)")
        }
    }

    @Test(arguments: [2, 3, 4, 5])
    func `an earlier form is read, and not gone on with`(form: Int) throws {
        var snapshot = Samples.snapshot
        snapshot.configured.emergency = EmergencyChoices()
        snapshot.choices.emergency = EmergencyChoices()
        snapshot.configured.screening.doNotDisturb.letsPriorityCallersPass = false
        snapshot.choices.screening.doNotDisturb.letsPriorityCallersPass = false
        (snapshot.configured.rights, snapshot.choices.rights, snapshot.grants) = ([], [], [])
        // Before form 4 there was no heartbeat.
        if form < 4 {
            (snapshot.configured.heartbeatMS, snapshot.choices.heartbeatMS) = (10_000, 10_000)
        }
        // Form 2 had no copy of the blocks.
        if form == 2 { snapshot.screeningCopy = ScreeningCopy() }
        let content = Samples.stored(snapshot, inForm: form)
        let frame = JournalForm.head(of: content) + content
        let reader = try JournalReader(Array("callbroker journal \(form)\n".utf8) + frame)
        #expect(reader.snapshot == snapshot)
        let medium = MemoryMedium()
        Journal(medium).goOn(after: reader) { snapshot }
        #expect(medium.bytes.starts(with: JournalForm.firstLine))
    }

    @Test func `a journal of another form says which it is`() {
        let bytes = Array("callbroker journal 77\n".utf8) + Samples.journal.dropFirst(21)
        #expect(throws: JournalFault.version("77")) { try JournalReader(bytes) }
    }

    @Test func `another file is no journal`() {
        for text in ["", "\n", "SQLite format 3", "callbroker journal 1"] {
            #expect(throws: JournalFault.noJournal) { try JournalReader(Array(text.utf8)) }
        }
    }
}
