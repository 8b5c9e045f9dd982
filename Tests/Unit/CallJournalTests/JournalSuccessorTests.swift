import BrokerSocket
import CallJournal
import Testing

/// A journal that begins anew while turns go on.
struct JournalSuccessorTests {
    private let temporary: TemporaryFolder
    private let folder: JournalFolder
    private let wakeup: Wakeup
    private let disk: DiskThread
    private let journal: Journal
    private let size = Size()

    init() throws {
        temporary = try TemporaryFolder()
        folder = try JournalFolder(temporary.path)
        wakeup = try Wakeup()
        disk = try DiskThread(wakes: wakeup)
        journal = Journal(folder)
        journal.beginAnew(Samples.snapshot)
        journal.disk = disk
    }

    private func turn(_ entry: JournalEntry, isSynced: Bool = false) {
        journal.append(entry, isSynced: isSynced)
        journal.commit { Samples.snapshot }
    }

    private func settle() {
        while !disk.isIdle {
            wakeup.wait()
            disk.settle()
        }
    }

    /// The entries that who comes now would find behind the snapshot.
    private func kept() throws -> [JournalEntry] {
        var reader = try JournalReader(try #require(try folder.read()))
        var entries: [JournalEntry] = []
        while let turn = reader.nextTurn() { entries += turn.entries }
        #expect(reader.fault == nil)
        #expect(reader.snapshot == Samples.snapshot)
        size.count = reader.count
        return entries
    }

    /// The size of the journal that was read last.
    private final class Size {
        var count = 0
    }

    @Test func `whenever it is killed, one of the two has everything`() throws {
        turn(Samples.entries[0])
        journal.beginAnew(Samples.snapshot)
        turn(Samples.entries[1])
        #expect(try kept() == Array(Samples.entries[0...1]))
        turn(Samples.entries[2])
        #expect(try kept() == Array(Samples.entries[0...2]))
        settle()
        #expect(try kept() == Array(Samples.entries[1...2]))
        turn(Samples.entries[3])
        #expect(try kept() == Array(Samples.entries[1...3]))
        #expect(journal.fault == nil)
        #expect(journal.bytes == size.count)
    }

    @Test func `one that has grown long begins anew, and the turns go on meanwhile`() throws {
        var count = 0
        while disk.isIdle {
            turn(Samples.entries[count % Samples.entries.count])
            count += 1
        }
        _ = try kept()
        #expect(size.count > 1 << 20)
        turn(Samples.entries[0])
        settle()
        #expect(try kept() == [Samples.entries[0]])
    }

    @Test func `a snapshot is taken once, not in each turn until it is written`() throws {
        var snapshots = 0
        func turn() {
            journal.append(Samples.entries[0])
            journal.commit {
                snapshots += 1
                return Samples.snapshot
            }
        }
        while disk.isIdle { turn() }
        for _ in 1...100 { turn() }
        #expect(snapshots == 1)
        settle()
        #expect(try kept().count == 100)
    }

    @Test func `what was appended in this turn is a part of the snapshot, and is not there twice`()
        throws
    {
        journal.append(Samples.entries[0])
        journal.beginAnew(Samples.snapshot)
        journal.append(Samples.entries[1])
        journal.commit { Samples.snapshot }
        settle()
        #expect(try kept() == [Samples.entries[1]])
    }

    @Test func `a turn beside one that is under way already stays`() throws {
        journal.beginAnew(Samples.snapshot)
        journal.append(Samples.entries[0])
        journal.beginAnew(Samples.snapshot)
        journal.commit { Samples.snapshot }
        settle()
        #expect(try kept() == [Samples.entries[0]])
    }

    @Test func `what must survive a loss of power is told when it is on the disk, and only then`() {
        var order: [String] = []
        journal.append(Samples.entries[0], isSynced: true)
        journal.afterSync { order.append("synced") }
        journal.commit { Samples.snapshot }
        order.append("committed")
        #expect(order == ["committed"])
        settle()
        #expect(order == ["committed", "synced"])
        journal.afterSync { order.append("nothing to sync") }
        #expect(order.last == "nothing to sync")
    }

    @Test func `at each step of the disk the journal has every turn`() throws {
        var added: [JournalEntry] = []
        journal.beginAnew(Samples.snapshot)
        while !disk.isIdle {
            added.append(Samples.entries[added.count % Samples.entries.count])
            turn(added[added.count - 1], isSynced: added.count == 2)
            #expect(try kept() == added)
            wakeup.wait()
            disk.settle()
            #expect(try kept() == added)
        }
        #expect(added.count > 2)
        #expect(journal.fault == nil)
        #expect(TemporaryFolder.names(in: temporary.path) == ["journal", "lock"])
    }

    @Test func `many turns that come meanwhile are added by the thread`() throws {
        let many = Array(repeating: Samples.entries, count: 200).flatMap(\.self)
        journal.beginAnew(Samples.snapshot)
        for entry in many { turn(entry) }
        settle()
        #expect(try kept() == many)
        #expect(journal.bytes == size.count)
    }

    @Test func `one that cannot take the name leaves what there is`() throws {
        journal.beginAnew(Samples.snapshot)
        wakeup.wait()
        try HostFile.rename(temporary.path + "/journal.new", to: temporary.path + "/elsewhere")
        disk.settle()
        turn(Samples.entries[0])
        settle()
        #expect(
            journal.fault?.description
                == "cannot rename \(temporary.path)/journal.new to \(temporary.path)/journal: "
                + "No such file or directory")
        #expect(try kept() == [Samples.entries[0]])
    }

    @Test func `what was synced meanwhile is on the disk before the new journal takes its place`()
        throws
    {
        journal.beginAnew(Samples.snapshot)
        turn(Samples.entries[0], isSynced: true)
        turn(Samples.entries[1])
        settle()
        #expect(try kept() == Array(Samples.entries[0...1]))
        #expect(journal.bytes == size.count)
    }

    @Test func `one that cannot be written leaves what there is, and is tried again`() throws {
        turn(Samples.entries[0])
        try HostFile.makeFolders(above: temporary.path + "/journal.new/x")
        journal.beginAnew(Samples.snapshot)
        turn(Samples.entries[1])
        settle()
        #expect(journal.fault != nil)
        #expect(try kept() == Array(Samples.entries[0...1]))
        // Nothing is written into a journal with a hole.
        turn(Samples.entries[2])
        #expect(try kept() == Array(Samples.entries[0...1]))

        HostFile.removeFolder(temporary.path + "/journal.new")
        journal.beginAnew(Samples.snapshot)
        turn(Samples.entries[3])
        settle()
        #expect(journal.fault == nil)
        #expect(try kept() == [Samples.entries[3]])
    }

    @Test func `who waits for the disk is told, also when nothing can be kept`() throws {
        try HostFile.makeFolders(above: temporary.path + "/journal.new/x")
        journal.beginAnew(Samples.snapshot)
        settle()
        var isTold = false
        journal.append(Samples.entries[0], isSynced: true)
        journal.afterSync { isTold = true }
        journal.commit { Samples.snapshot }
        settle()
        #expect(isTold)
    }
}
