import Foundation
import Glibc
import Testing

/// The program under test: it is built next to the bundle that runs the tests.
let executablePath = programFolder + "/callbroker"

/// The folder of all programs that are built.
let programFolder = String(
    testProgram[..<(testProgram.lastIndex(of: "/") ?? testProgram.startIndex)])

/// The program that runs the tests.
let testProgram: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(readlink("/proc/self/exe", &buffer, buffer.count - 1), 0)
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}()

/// A `callbroker serve` of one test, in a folder of its own. It logs everything it can, and what it
/// logs must not hold the marker of `FrameCheck`, nor tell of a turn that used more processor time than
/// it may.
final class TestDaemon {
    /// Processor time that a turn of the loop may use, in milliseconds.
    /// A sanitizer makes everything slower, and sets another one.
    private static let turnLimitMS =
        ProcessInfo.processInfo.environment["BROKER_TURN_LIMIT_MS"] ?? "50"
    let folder: TemporaryFolder
    let socketPath: String
    let process: ChildProcess
    private var administrator: TestClient?
    private var isExpectedToLive = true

    /// - Parameters:
    ///   - limits: limits to set by `--config`.
    ///   - policy: what it has of the policy, an object as text.
    ///   - wrapper: a command that in the end runs the one it is given.
    init(
        limits: [String: Int] = [:], policy: String = "{}",
        arguments: [String] = ["--test-mode"],
        in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
        wrapper: [String] = [], passing descriptor: Int32? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        socketPath = self.folder.file("broker.sock")
        var command = wrapper + [executablePath, "serve", "--socket", socketPath]
        command += ["--state-dir", self.folder.file("state"), "--log-level", "trace"] + arguments
        if !limits.isEmpty || policy != "{}" {
            let text = #"{"limits":\#(Self.object(limits)),"policy":\#(policy)}"#
            command += ["--config", try self.folder.write(text, to: "config.json")]
        }
        let measured = ["BROKER_TURN_LIMIT_MS": Self.turnLimitMS]
        process = try ChildProcess(
            command, environment: environment.merging(measured) { own, _ in own },
            passing: descriptor)
        guard try process.errors.wait(for: { $0.contains("listening on ") }) else {
            isExpectedToLive = false
            throw DaemonRefused(end: try process.waitForEnd(), message: process.errors.text)
        }
    }

    deinit {
        if isExpectedToLive, let end = process.endedAlready {
            Issue.record("the daemon ended by itself: \(end): \(log.suffix(2_000))")
        }
        checkLog()
    }

    private static func object(_ numbers: [String: Int]) -> String {
        let members = numbers.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
        return "{\(members.joined(separator: ","))}"
    }

    // MARK: - Clients

    func connect() throws -> TestClient {
        try TestClient(socketPath, of: self)
    }

    /// A client whose hello succeeded.
    func connectReady(_ members: String = "") throws -> TestClient {
        let client = try connect()
        let reply = try client.hello(members)
        try #require(reply.result != nil)
        return client
    }

    /// The one connection that moves the clock and reads the counters.
    func admin() throws -> TestClient {
        if let administrator { return administrator }
        // It must not keep the daemon that keeps it.
        let client = try TestClient(socketPath)
        try #require(try client.hello(#""roles":["admin"]"#).result != nil)
        administrator = client
        return client
    }

    /// Moves the virtual clock; returns how many timers fired.
    @discardableResult
    func advance(_ milliseconds: Int) throws -> Int {
        let reply = try admin().request("test.advance", #"{"ms":\#(milliseconds)}"#)
        return try #require(reply.result?["fired"]?.integer)
    }

    /// One of the counters of broker.stats.
    func stat(_ name: String) throws -> Int {
        try #require(try admin().request("broker.stats").result?[name]?.integer)
    }

    /// Asks for a counter until it is as expected; each answer is a turn of the daemon.
    func wait(for name: String, until condition: (Int) -> Bool) throws {
        let deadline = ContinuousClock.now + ceiling
        while !condition(try stat(name)) {
            guard ContinuousClock.now < deadline else { throw CeilingReached(waitedFor: name) }
        }
    }

    // MARK: - The process

    /// Resident memory in bytes.
    func residentBytes() throws -> Int {
        let status = try contents(of: "/proc/\(process.pid)/status")
        let match = try #require(status.firstMatch(of: /VmRSS:\s+([0-9]+) kB/))
        return try #require(Int(match.1)) * 1_024
    }

    var descriptorCount: Int {
        namesInFolder("/proc/\(process.pid)/fd").count
    }

    /// All it wrote to standard error so far.
    var log: String {
        process.errors.drain()
        return process.errors.text
    }

    /// Whether it writes this to standard error, which it does behind its replies.
    func logs(_ words: String) throws -> Bool {
        try process.errors.wait { $0.contains(words) }
    }

    /// How it ends without being told by a signal.
    func waitForEnd() throws -> ProcessEnd {
        isExpectedToLive = false
        return try process.waitForEnd()
    }

    func stop(_ signal: Int32 = SIGTERM) throws -> ProcessEnd {
        isExpectedToLive = false
        process.signal(signal)
        return try process.waitForEnd()
    }

    private func checkLog() {
        if FrameCheck.quotesMarker(log) { Issue.record("the log quotes input: \(log)") }
        // The daemon warns at 50 ms. The slowest turn of a debug build, which renders the document of
        // `rpc.discover`, uses 55 ms of processor time on an idle machine and up to 91 on a busy one.
        for line in log.split(separator: "\n") {
            guard let used = line.firstMatch(of: /used ([0-9]+) ms of processor time/),
                Int(used.1) ?? .max >= (line.contains("rpc.discover") ? 300 : 100)
            else { continue }
            Issue.record("a turn was too long for all other clients: \(line)")
        }
    }
}

/// A daemon that did not come up, and what it said.
struct DaemonRefused: Error, Equatable {
    let end: ProcessEnd
    let message: String
}

extension TestDaemon {
    /// Starts a daemon that must not come up.
    static func refusal(
        arguments: [String] = ["--test-mode"], in folder: TemporaryFolder
    ) throws -> DaemonRefused {
        do {
            _ = try TestDaemon(arguments: arguments, in: folder)
        } catch let refusal as DaemonRefused {
            return refusal
        }
        throw CeilingReached(waitedFor: "a refusal; the daemon came up")
    }
}
