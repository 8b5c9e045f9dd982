import Foundation
import Glibc

/// An example as a process of its own: what it says comes through a pipe, its buttons are lines.
final class ExampleApp {
    private let process: ChildProcess
    private let input: PipeEnds
    /// What was waited for so far is behind us.
    private var seen = 0

    /// Waits until it has said something so many times.
    func wait(forOutput text: String, times: Int) throws {
        let hasCome = try process.output.wait {
            $0.components(separatedBy: text).count > times
        }
        guard hasCome else { throw CeilingReached(waitedFor: "\(text) in: \(process.output.text)") }
    }

    /// Waits until its log has a text.
    func wait(forLog text: String) throws {
        guard try process.errors.wait(for: { $0.contains(text) }) else {
            throw CeilingReached(waitedFor: "\(text) in the log: \(errors)")
        }
    }

    /// A program that was built beside the tests.
    convenience init(_ program: String, _ arguments: String..., at socketPath: String) throws {
        try self.init([Self.path(of: program)] + arguments, socketPath)
        try wait(for: "ready")
    }

    convenience init(_ program: String, _ socketPath: String) throws {
        try self.init(program, at: socketPath)
    }

    static func path(of program: String) -> String {
        URL(fileURLWithPath: executablePath).deletingLastPathComponent()
            .appendingPathComponent(program).path
    }

    /// The desk phone of the demo, in Python.
    static func deskPhone(_ socketPath: String) throws -> ExampleApp {
        let root = SourceFolder.root.path
        return try ExampleApp(
            ["/usr/bin/env", "python3", root + "/examples/demo/desk_phone.py"], socketPath,
            ["PYTHONPATH": root + "/plugins/sdk/python", "PYTHONDONTWRITEBYTECODE": "1"])
    }

    /// The app that the tests have for an app's life.
    static func life(
        _ arguments: [String], environment: [String: String]
    ) throws -> ExampleApp {
        let folder = URL(fileURLWithPath: executablePath).deletingLastPathComponent()
        let program = folder.appendingPathComponent("LifeApp").path
        return try ExampleApp([program] + arguments, "/nonexistent", environment)
    }

    private init(
        _ command: [String], _ socketPath: String, _ environment: [String: String] = [:]
    ) throws {
        input = try PipeEnds()
        process = try ChildProcess(
            command,
            environment: environment.merging(["BROKER_SOCKET": socketPath]) { own, _ in own },
            input: input.reader)
        close(input.reader)
    }

    deinit {
        close(input.writer)
    }

    func press(_ line: String) {
        _ = (line + "\n").withCString { write(input.writer, $0, strlen($0)) }
    }

    /// Waits for these lines, one right after the other, behind what was waited for before.
    func wait(for lines: String...) throws {
        try wait(forPart: lines.joined(separator: "\n") + "\n")
    }

    /// Waits for a text, behind what was waited for before.
    func wait(forPart text: String) throws {
        var found: Range<String.Index>?
        let hasCome = try process.output.wait { [seen] output in
            let rest = output.index(output.startIndex, offsetBy: seen)
            found = output.range(of: text, range: rest..<output.endIndex)
            return found != nil
        }
        guard hasCome, let found else {
            throw CeilingReached(waitedFor: "\(text)in: \(process.output.text)\(errors)")
        }
        let output = process.output.text
        seen = output.distance(from: output.startIndex, to: found.upperBound)
    }

    func terminate() {
        kill(process.pid, SIGTERM)
    }

    func end() throws -> ProcessEnd {
        let end = try process.waitForEnd()
        try process.errors.readToEnd()
        return end
    }

    /// What it has said so far.
    var output: String {
        process.output.text
    }

    /// Its log, as far as it has come.
    var errors: String {
        process.errors.drain()
        return process.errors.text
    }
}
