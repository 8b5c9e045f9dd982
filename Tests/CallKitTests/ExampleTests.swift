import Foundation
import Glibc
import Testing

/// The example, as a program of its own, with the tool as its user's other screen.
@Suite(.timeLimit(.minutes(1))) struct SpeakerboxTests {
    /// What it says goes to a pipe, what it is told comes from a pipe.
    private final class Speakerbox {
        private let process: ChildProcess
        private let input: PipeEnds

        init(_ socketPath: String) throws {
            input = try PipeEnds()
            let folder = URL(fileURLWithPath: executablePath).deletingLastPathComponent()
            let program = folder.appendingPathComponent("Speakerbox").path
            process = try ChildProcess(
                [program], environment: ["BROKER_SOCKET": socketPath], input: input.reader)
            close(input.reader)
            try wait(for: "ready")
        }

        deinit {
            close(input.writer)
        }

        func tell(_ line: String) {
            _ = (line + "\n").withCString { write(input.writer, $0, strlen($0)) }
        }

        func wait(for line: String) throws {
            try #require(try process.output.wait { $0.contains(line + "\n") }, "\(line)")
        }
    }

    @Test func `a call rings, is answered with the tool, held, resumed and hung up`() throws {
        let daemon = try TestDaemon()
        let app = try Speakerbox(daemon.socketPath)
        app.tell("ring +15550101")
        try app.wait(for: "added: +15550101, incoming, connecting")
        #expect(try Tool("answer", socketPath: daemon.socketPath).end == .exited(0))
        try app.wait(for: "changed: +15550101, incoming, connected\naudio on")
        app.tell("hold")
        try app.wait(for: "changed: +15550101, incoming, on hold\naudio off")
        #expect(try Tool("resume", socketPath: daemon.socketPath).end == .exited(0))
        try app.wait(for: "audio off\nchanged: +15550101, incoming, connected\naudio on")
        app.tell("end")
        try app.wait(for: "removed: +15550101\naudio off")
    }

    @Test func `the user calls somebody, who hangs up`() throws {
        let daemon = try TestDaemon()
        let app = try Speakerbox(daemon.socketPath)
        app.tell("call +15550102")
        try app.wait(for: "changed: +15550102, outgoing, connected")
        app.tell("gone")
        try app.wait(for: "removed: +15550102")
        app.tell("ring +15550103")
        try app.wait(for: "added: +15550103, incoming, connecting")
        let list = try Tool("calls", socketPath: daemon.socketPath).output
        #expect(list.contains("+15550103"))
        #expect(!list.contains("+15550102"))
    }
}
