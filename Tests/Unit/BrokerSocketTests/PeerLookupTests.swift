import Testing

// The files of sandboxes are those of the test.
@testable import BrokerSocket

struct PeerLookupTests {
    private let wakeup: Wakeup
    private let gate: Wakeup

    init() throws {
        wakeup = try Wakeup()
        gate = try Wakeup()
    }

    /// A lookup that finds a sandbox; the file in it is read once the gate is open.
    private func lookup(_ process: PeerProcess, opened: Bool) throws -> PeerLookup {
        let gate = gate
        return try PeerLookup(
            describe: { _ in process },
            readFlatpak: { _ in
                if !opened { gate.wait() }
                return "org.example.Phone"
            }, wakes: wakeup)
    }

    private func waitForResults(of lookup: PeerLookup, until isDone: () -> Bool) {
        while !isDone() {
            wakeup.wait()
            lookup.settle()
        }
    }

    private let connection = Connection(inMemory: 0)
    private let late = MonotonicTime.zero.advanced(milliseconds: PeerLookup.limitMS)

    @Test func `a process without a sandbox is known at once`() throws {
        let lookup = try lookup(PeerProcess(executable: "/usr/bin/phone"), opened: false)
        var found: PeerProcess?
        lookup.find(connection, at: .zero) { found = $0 }
        waitForResults(of: lookup) { found != nil }
        #expect(found == PeerProcess(executable: "/usr/bin/phone"))
    }

    @Test func `a sandbox is named by the file in its root`() throws {
        let lookup = try lookup(PeerProcess(sandbox: .other), opened: true)
        var found: PeerProcess?
        lookup.find(connection, at: .zero) { found = $0 }
        waitForResults(of: lookup) { found != nil }
        #expect(found == PeerProcess(sandbox: .flatpak, app: "org.example.Phone"))
    }

    @Test func `a file that never responds delays its own sandbox, for a while`() throws {
        let lookup = try lookup(PeerProcess(sandbox: .other), opened: false)
        var found: [PeerProcess] = []
        lookup.find(connection, at: .zero) { found.append($0) }
        var isReading = false
        lookup.find(connection, at: late) { found.append($0) }
        while !isReading {
            wakeup.wait()
            lookup.settle()
            lookup.giveUp(at: late)
            isReading = found.count == 1
        }
        #expect(found == [PeerProcess(sandbox: .other)])
        // The second was behind the first, and is read by another thread.
        gate.signal()
        gate.signal()
        waitForResults(of: lookup) {
            gate.signal()
            return found.count == 2
        }
        #expect(found.last == PeerProcess(sandbox: .flatpak, app: "org.example.Phone"))
    }

    @Test func `beyond some files that hang, no more are read`() throws {
        let lookup = try lookup(PeerProcess(sandbox: .other), opened: false)
        var found = 0
        for number in 1...12 {
            lookup.find(connection, at: .zero) { process in
                #expect(process == PeerProcess(sandbox: .other))
                found += 1
            }
            waitForResults(of: lookup) {
                lookup.giveUp(at: late)
                return found == number
            }
        }
        for _ in 1...16 { gate.signal() }
    }
}
