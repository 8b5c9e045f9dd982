import CallArbitration
import CallJournal
import CallTesting
import Testing

struct JournalTests {
    private let medium = MemoryMedium()

    private func begun() -> Journal {
        let journal = Journal(medium)
        journal.beginAnew(Samples.snapshot)
        return journal
    }

    @Test func `nothing is written before the turn is committed`() {
        let journal = begun()
        let length = medium.bytes.count
        journal.append(Samples.entries[0])
        #expect(medium.bytes.count == length)
        journal.commit { Samples.snapshot }
        #expect(medium.bytes.count > length)
    }

    @Test func `a turn without news writes nothing`() {
        let journal = begun()
        let length = medium.bytes.count
        journal.commit { Samples.snapshot }
        #expect(medium.bytes.count == length)
    }

    @Test func `what must survive a loss of power is synced`() {
        let journal = begun()
        journal.append(Samples.entries[0])
        journal.commit { Samples.snapshot }
        #expect(medium.synced == 0)
        journal.append(Samples.entries[1], isSynced: true)
        journal.commit { Samples.snapshot }
        #expect(medium.synced == medium.bytes.count)
    }

    @Test func `a journal that has grown long begins anew`() {
        let journal = begun()
        let start = medium.bytes.count
        while medium.replacements == 1 {
            for entry in Samples.entries { journal.append(entry) }
            journal.commit { Samples.snapshot }
            #expect(medium.bytes.count < 1_100_000)
        }
        #expect(medium.bytes.count == start)
    }

    @Test func `one that was long when it was read begins anew with the next turn`() throws {
        let journal = begun()
        medium.isFullForReplacements = true
        while journal.fault == nil {
            journal.append(Samples.entries[0])
            journal.commit { Samples.snapshot }
        }
        medium.isFullForReplacements = false
        var reader = try JournalReader(medium.bytes)
        while reader.nextTurn() != nil {}
        let later = Journal(medium)
        later.goOn(after: reader) { Samples.snapshot }
        #expect(medium.replacements == 1 && later.bytes == medium.bytes.count)
        later.append(Samples.entries[0])
        later.commit { Samples.snapshot }
        #expect(medium.replacements == 2 && medium.bytes == Journal.bytes(of: Samples.snapshot))
    }

    @Test func `a medium that fails is not written to until a new journal can begin`() throws {
        let journal = begun()
        let length = medium.bytes.count
        medium.fault = MemoryMedium.full
        journal.append(Samples.entries[0])
        journal.commit { Samples.snapshot }
        #expect(journal.fault == MemoryMedium.full)
        medium.fault = nil
        journal.append(Samples.entries[1])
        journal.commit { Samples.snapshot }
        #expect(medium.bytes.count == length)
        journal.beginAnew(Samples.snapshot)
        #expect(journal.fault == nil)
        #expect(medium.replacements == 2)
    }

    @Test func `a snapshot that cannot be written leaves what there is`() {
        let journal = begun()
        let former = medium.bytes
        medium.fault = MemoryMedium.full
        journal.beginAnew(Samples.snapshot)
        #expect(journal.fault == MemoryMedium.full)
        #expect(medium.bytes == former)
    }

    @Test func `one that has grown long and cannot begin anew stays as it is`() throws {
        let journal = begun()
        medium.isFullForReplacements = true
        var turns = 0
        while journal.fault == nil {
            for entry in Samples.entries { journal.append(entry) }
            journal.commit { Samples.snapshot }
            turns += 1
        }
        #expect(medium.bytes.count < 1_100_000)
        var reader = try JournalReader(medium.bytes)
        while reader.nextTurn() != nil { turns -= 1 }
        #expect(turns == 0)
        #expect(reader.fault == nil)
    }
}
