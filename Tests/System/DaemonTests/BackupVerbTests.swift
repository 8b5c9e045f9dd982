import Foundation
import Glibc
import Testing

/// `callbroker backup` and `callbroker restore`.
struct BackupVerbTests {
    private let world: ToolWorld
    private let folder: TemporaryFolder

    init() throws {
        world = try ToolWorld()
        folder = try TemporaryFolder()
    }

    private var file: String { folder.file("phone.backup") }

    private func finish(_ arguments: String...) throws {
        let run = try Tool(finishing: try world.start(arguments))
        try #require(run.end == .exited(0), "\(run.errors)")
    }

    /// A contact, a block, a call in the history, a directory and a policy.
    private func fill() throws {
        try finish("contact", "put", "Ada", ToolWorld.adaNumber, "--breakthrough")
        try finish("block", "add", "+1900", "--prefix", "--reason", "Survey calls")
        try world.provider.rings(ToolWorld.bob, from: ToolWorld.bobNumber)
        try world.givesUp(ToolWorld.bob)
        let list = try folder.write("+15551000,Company\n+15552000,Shop\n", to: "list.csv")
        try finish("directory", "load", list, "--source", "org.example.list")
        try finish("policy", "set", "region=US", "authorization.org.example.web=denied")
    }

    /// What a broker shows of its data.
    private func shown(by daemon: TestDaemon) throws -> [String] {
        let commands = [
            ["contact"], ["block"], ["history"], ["directory"], ["policy", "--json"],
        ]
        return try commands.map { arguments in
            let process = try ChildProcess(
                [executablePath] + arguments,
                environment: ["BROKER_SOCKET": daemon.socketPath, "TZ": "UTC"])
            let run = try Tool(finishing: process)
            try #require(run.end == .exited(0), "\(arguments): \(run.errors)")
            return run.output
        }
    }

    private func restore(_ arguments: String..., into state: String) throws -> Tool {
        try Tool(
            finishing: try world.start(["restore", "--state-dir", state] + arguments))
    }

    @Test func `a restore into an empty folder shows the same`() throws {
        try fill()
        try finish("backup", file)
        #expect(FileStatus(file)?.permissions == 0o600)
        let other = try TemporaryFolder()
        let run = try restore(file, into: other.file("state"))
        #expect(run.end == .exited(0))
        let daemon = try TestDaemon(in: other)
        let (before, after) = (try shown(by: world.daemon), try shown(by: daemon))
        #expect(before == after)
        #expect(after.joined().contains("Survey calls"))
        #expect(after.joined().contains("denied"))
        #expect(!FileManager.default.fileExists(atPath: world.daemon.folder.file("state/backup")))
    }

    @Test func `other programs can list it`() throws {
        try fill()
        try finish("backup", file)
        let tar = try ChildProcess(["tar", "tf", file])
        let names = try Tool(finishing: tar).output.split(separator: "\n")
        #expect(names.count == 4)
        #expect(names.contains("journal") && names.contains("store.sqlite"))
    }

    @Test func `while the broker runs, a restore is refused`() throws {
        try finish("backup", file)
        let run = try restore(file, into: world.daemon.folder.file("state"))
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("is in use by process"))
        #expect(run.errors.contains("stop it"))
    }

    @Test func `data is replaced on request only, and kept`() throws {
        try fill()
        try finish("backup", file)
        try finish("contact", "put", "Bob", ToolWorld.bobNumber)
        let daemon = world.daemon
        #expect(try daemon.stop() == .exited(0))
        let state = daemon.folder.file("state")
        let refused = try restore(file, into: state)
        #expect(refused.end == .exited(1))
        #expect(refused.errors.contains("has data already"))
        #expect(try restore("--replace", file, into: state).end == .exited(0))
        #expect(FileStatus(state + "/replaced-1/store.sqlite") != nil)
        let next = try TestDaemon(in: daemon.folder)
        let contacts = try shown(by: next)[0]
        #expect(contacts.contains("Ada") && !contacts.contains("Bob"))
    }

    @Test(arguments: ["empty", "text", "cut off", "changed", "other archive", "missing"])
    func `what is no whole backup changes nothing`(kind: String) throws {
        try fill()
        try finish("backup", file)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        switch kind {
        case "empty": bytes = Data()
        case "text": bytes = Data(repeating: 65, count: 5_000)
        case "cut off": bytes.removeLast(10_000)
        case "changed":
            let name = try #require(bytes.range(of: Data("store.sqlite".utf8)))
            for place in (name.lowerBound + 4_096)..<(name.lowerBound + 12_288) { bytes[place] = 7 }
        case "other archive":
            let name = try #require(bytes.range(of: Data("journal".utf8)))
            bytes[name.lowerBound] = UInt8(ascii: "x")
        default: break
        }
        if kind == "missing" {
            try FileManager.default.removeItem(atPath: file)
        } else {
            try bytes.write(to: URL(fileURLWithPath: file))
        }
        let state = folder.file("state")
        let run = try restore(file, into: state)
        #expect(run.end == .exited(1))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["lock"])
    }

    @Test func `a broker that keeps no state has no backup`() throws {
        let daemon = try TestDaemon(arguments: ["--test-mode", "--no-journal"])
        let run = try Tool("backup", file, socketPath: daemon.socketPath)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("keeps no state"))
        #expect(FileStatus(file) == nil)
    }

    @Test func `a file that cannot be written leaves an earlier one as it is`() throws {
        try finish("backup", file)
        let run = try world.run("backup", "/nowhere/phone.backup")
        #expect(run.end == .exited(1))
        #expect(FileStatus(file) != nil)
        #expect(FileStatus(file + ".new") == nil)
    }

    @Test func `under load the broker answers, and the backup is consistent`() throws {
        let client = try world.daemon.connectReady(#""roles":["admin","controller"]"#)
        // Contacts come in before, during and after the backup.
        func put(_ range: Range<Int>) throws {
            for number in range {
                let handle = #"{"type":"phone","value":"+1555\#(1_000_000 + number)"}"#
                let reply = try client.request(
                    "contact.put", #"{"name":"n\#(number)","handles":[\#(handle)]}"#)
                try #require(reply.result != nil)
            }
        }
        try put(0..<200)
        let backup = try world.start(["backup", file])
        try put(200..<600)
        #expect(try Tool(finishing: backup).end == .exited(0))
        let other = try TemporaryFolder()
        try #require(try restore(file, into: other.file("state")).end == .exited(0))
        let daemon = try TestDaemon(in: other)
        // The first line is the heading.
        let contacts = try shown(by: daemon)[0].split(separator: "\n").count - 1
        #expect((200...600).contains(contacts))
    }
}
