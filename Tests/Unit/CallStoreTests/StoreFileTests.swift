import BrokerSocket
import CallModel
import Glibc
import Testing

@testable import CallStore

/// The store's own file: over restarts, kills, damage, and on a disk that is full.
struct StoreFileTests {
    let folder: TestFolder
    let store: CallStore

    init() throws {
        folder = try TestFolder()
        store = CallStore(folder.place)
    }

    private func contacts(_ store: CallStore) throws -> [Contact] {
        try store.contacts().items
    }

    /// So many that they do not fit in what SQLite keeps in memory.
    private func fill() throws {
        let name = String(repeating: "n", count: 200)
        try store.put((0..<4_000).map { Contact(id: "\($0)", name: name, handles: []) })
    }

    @Test func `only its owner can read it`() throws {
        try store.put(.ada)
        for name in folder.names {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        #expect(folder.names.contains("store.sqlite-wal"))
    }

    @Test(arguments: ["", "-wal", "-journal"])
    func `what is no file is refused by its name, and nobody waits for it`(part: String) throws {
        let path = folder.storeFile + part
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: StoreError.self) { try store.open() }
        #expect(error?.code == .unavailable)
        #expect(error?.description == "\(path) is a named pipe, not a file: move it away")
        HostFile.remove(path)
        try store.put(.ada)
        #expect(try contacts(store) == [.ada])
    }

    @Test func `a folder in the place of the store is called one`() throws {
        #expect(mkdir(folder.storeFile, 0o700) == 0)
        let error = #expect(throws: StoreError.self) { try store.open() }
        #expect(
            error?.description == "\(folder.storeFile) is a folder, not a file: move it away")
        HostFile.removeFolder(folder.storeFile)
    }

    @Test func `a file with the keys of an earlier release knows the same addresses afterwards`()
        throws
    {
        try store.add(Block(.handle(.generic("sip:+49301234@host")), addedAtMS: 1))
        try store.put(Contact(id: "1", name: "Ada", handles: [.phone("0049 30 1234")]))
        try store.database().run(
            """
            UPDATE block SET key = '+49301234@host';
            UPDATE contact_handle SET key = '0049301234';
            DELETE FROM document WHERE key = 'key_form';
            """)
        #expect(try store.whoIs(.phone("+49301234")) == CallerFacts())
        store.shut()
        let facts = try CallStore(folder.place).whoIs(.phone("+49301234"))
        #expect(facts.contact?.name == "Ada")
        #expect(facts.block?.pattern == .handle(.generic("sip:+49301234@host")))
    }

    @Test func `a commit waits for the disk`() throws {
        let mode = try store.database().first("PRAGMA synchronous") { $0.integer(0) }
        #expect(mode == 2)
        let journal = try store.database().first("PRAGMA journal_mode") { $0.text(0) }
        #expect(journal == "wal")
    }

    @Test func `what was written is there after a kill`() throws {
        try store.setRegion("DE")
        try store.put(.ada)
        let left = try folder.asAfterKill()
        let next = CallStore(left.place)
        #expect(try contacts(next) == [.ada])
        #expect(try next.region == "DE")
        #expect(next.takeNotices() == [])
        #expect(left.names == ["store.sqlite", "store.sqlite-wal"])
    }

    @Test func `what was under way at a kill is not`() throws {
        try store.put(.bob)
        var left: TestFolder?
        try store.atomically { (_) throws(StoreError) in
            try store.put(.ada)
            left = try? folder.asAfterKill()
        }
        #expect(try contacts(CallStore(#require(left).place)) == [.bob])
        #expect(try contacts(store) == [.ada, .bob])
    }

    @Test func `what fails leaves everything as it was`() throws {
        try store.put(.bob)
        let error = code { () throws(StoreError) in
            try store.atomically { (_) throws(StoreError) in
                try store.put(.ada)
                try store.setRegion("DE")
                throw StoreError(.notFound, "nothing")
            }
        }
        #expect(error == .notFound)
        #expect(try contacts(store) == [.bob])
        #expect(try store.region == nil)
    }

    // MARK: damage

    @Test(arguments: ["garbage", "a page", "the beginning", "nothing but zeros"])
    func `a damaged file is kept aside, told, and a new one begun`(_ damage: String) throws {
        try fill()
        store.shut()
        var bytes = try folder.bytes(CallStore.fileName)
        switch damage {
        case "garbage":
            bytes = Array("this is no database".utf8) + [UInt8](repeating: 1, count: 9_000)
        case "a page": for place in 4_096 * 20..<4_096 * 21 { bytes[place] = 0xA5 }
        case "the beginning": bytes = Array(bytes.prefix(6_000))
        default: bytes = [UInt8](repeating: 0, count: bytes.count)
        }
        try folder.write(bytes, to: CallStore.fileName)

        let next = CallStore(folder.place)
        #expect(try contacts(next) == [])
        try next.put(.ada)
        #expect(try contacts(next) == [.ada])
        let kept = "\(CallStore.fileName).damaged-1"
        #expect(try folder.bytes(kept) == bytes)
        guard
            case .damaged(folder.storeFile, "\(folder.path)/\(kept)", _)? = next.takeNotices().first
        else {
            Issue.record("nothing was said")
            return
        }
        next.shut()
        #expect(try contacts(CallStore(folder.place)) == [.ada])
    }

    @Test func `what was not yet carried into a damaged file is kept beside it`() throws {
        try fill()
        store.shut()
        let writer = CallStore(folder.place)
        try writer.put(.ada)
        let left = try folder.asAfterKill()
        var bytes = try left.bytes(CallStore.fileName)
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100))
        try left.write(bytes, to: CallStore.fileName)
        let next = CallStore(left.place)
        #expect(try contacts(next) == [])
        next.shut()
        #expect(
            left.names == [
                "store.sqlite", "store.sqlite.damaged-1", "store.sqlite.damaged-1-wal",
            ])
        #expect(try contacts(CallStore(left.place)) == [])
    }

    @Test func `damaged files do not take each other's place`() throws {
        for number in 1...3 {
            try folder.write([UInt8](repeating: 9, count: 2_000), to: CallStore.fileName)
            let next = CallStore(folder.place)
            try next.open()
            next.shut()
            #expect(folder.names.filter { $0.contains("damaged") }.count == number)
        }
    }

    @Test func `damage that is found by a question is kept aside, and the question asked again`()
        throws
    {
        try fill()
        store.shut()
        let next = CallStore(folder.place)
        try next.open()
        try damageInPlace()
        let answer = Answer<[Contact]>()
        next.run([
            answer.job(.read) { (store) throws(StoreError) in try store.contacts().items }
        ])
        #expect(answer.value == .success([]))
        #expect(next.takeNotices().count == 1)
        #expect(folder.names.contains("\(CallStore.fileName).damaged-1"))
    }

    @Test func `damage that is found by a write is kept aside, and all of its batch written`()
        throws
    {
        try fill()
        store.shut()
        let next = CallStore(folder.place)
        try next.open()
        try damageInPlace()
        let (first, second) = (Answer<Bool>(), Answer<Bool>())
        next.run([
            first.job(.write) { (store) throws(StoreError) in
                try store.put(.ada)
                return true
            },
            second.job(.write) { (store) throws(StoreError) in try store.removeContact("1234") },
        ])
        #expect([first.value, second.value] == [.success(true), .success(false)])
        #expect(next.takeNotices().count == 1)
        #expect(try contacts(next) == [.ada])
    }

    /// Everything behind the first page, while the file is open.
    private func damageInPlace() throws {
        let descriptor = Glibc.open(folder.storeFile, O_WRONLY)
        try #require(descriptor >= 0)
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let garbage = [UInt8](repeating: 0xFF, count: size - 4_096)
        try #require(pwrite(descriptor, garbage, garbage.count, 4_096) == garbage.count)
        close(descriptor)
    }

    @Test func `a file that cannot be opened is not held open`() throws {
        try folder.write([UInt8](repeating: 9, count: 2_000), to: "garbage")
        let path = "\(folder.path)/garbage"
        #expect(throws: StoreError.self) { try Connection(path: path, cacheKiB: 64) }
        var target = [CChar](repeating: 0, count: 4_096)
        for name in HostFile.names(inFolder: "/proc/self/fd") {
            let count = readlink("/proc/self/fd/\(name)", &target, target.count)
            let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
            #expect(String(decoding: bytes, as: UTF8.self) != path)
        }
    }

    @Test func `a file of somebody else is left alone`() throws {
        let other = try Connection(path: folder.storeFile, cacheKiB: 64)
        try other.run("CREATE TABLE theirs(a)")
        other.close()
        let bytes = try folder.bytes(CallStore.fileName)
        #expect(code { () throws(StoreError) in try store.open() } == .unavailable)
        #expect(try folder.bytes(CallStore.fileName) == bytes)
    }

    @Test func `a file of a later release is left alone, and says so`() throws {
        try store.put(.ada)
        try store.database().run("PRAGMA user_version = 99")
        store.shut()
        let next = CallStore(folder.place)
        let error = #expect(throws: StoreError.self) { try next.open() }
        #expect(
            error?.description == "\(folder.storeFile) was written by a newer callbroker "
                + "(form 99; this one reads forms up to 5)")
        #expect(folder.names.allSatisfy { !$0.contains("damaged") })
    }

    @Test func `a file of the first form keeps what it holds, and loses what nobody reads`() throws
    {
        let former = try Connection(path: folder.storeFile, cacheKiB: 64)
        try former.run(Schema.steps[0])
        try former.run("PRAGMA application_id = \(Schema.applicationID)")
        try former.run("PRAGMA user_version = 1")
        try former.run("INSERT INTO document VALUES ('region', 'DE')")
        try former.run("INSERT INTO contact VALUES ('bob', 'bob', 'bob', 0, 0, NULL)")
        former.close()
        #expect(try contacts(store).map(\.name) == ["bob"])
        #expect(try store.region == "DE")
        let tables = try store.database().rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ) { $0.text(0) }
        #expect(
            tables == [
                "block", "contact", "contact_handle", "directory_source", "document", "history",
                "sqlite_sequence",
            ])
    }

    // MARK: a full disk

    @Test func `without room nothing is changed, and with room it goes on`() throws {
        try store.put(.ada)
        let pages = try store.database().first("PRAGMA page_count") { $0.integer(0) } ?? 0
        try store.database().run("PRAGMA max_page_count = \(pages)")
        #expect(code { () throws(StoreError) in try putMany() } == .diskFull)
        #expect(try contacts(store) == [.ada])
        try store.database().run("PRAGMA max_page_count = 100000")
        try putMany()
        #expect(try contacts(store).count == 100)
    }

    private func putMany() throws(StoreError) {
        let name = String(repeating: "n", count: 200)
        try store.put((0..<200).map { Contact(id: "\($0)", name: name, handles: []) })
    }

    @Test func `one write without room does not undo the others of its batch`() throws {
        try store.put(.bob)
        let pages = try store.database().first("PRAGMA page_count") { $0.integer(0) } ?? 0
        try store.database().run("PRAGMA max_page_count = \(pages)")
        let (small, large) = (Answer<Bool>(), Answer<Bool>())
        store.run([
            small.job(.write) { (store) throws(StoreError) in
                try store.put(.ada)
                return true
            },
            large.job(.write) { (store) throws(StoreError) in
                let name = String(repeating: "n", count: 200)
                try store.put((0..<200).map { Contact(id: "\($0)", name: name, handles: []) })
                return true
            },
        ])
        #expect(small.value == .success(true))
        guard case .failure(let error)? = large.value else {
            Issue.record("there was room")
            return
        }
        #expect(error.code == .diskFull)
        #expect(error.description == "\(folder.storeFile): no space left")
        #expect(try contacts(store) == [.ada, .bob])
    }

    @Test func `a folder that is not there is an error, and is used once it is`() throws {
        let later = CallStore(.folder("\(folder.path)/later"))
        #expect(code { () throws(StoreError) in try later.put(.ada) } == .unavailable)
        mkdir("\(folder.path)/later", 0o700)
        defer {
            later.shut()
            HostFile.remove("\(folder.path)/later/\(CallStore.fileName)")
            HostFile.removeFolder("\(folder.path)/later")
        }
        try later.put(.ada)
        #expect(try contacts(later) == [.ada])
    }
}
