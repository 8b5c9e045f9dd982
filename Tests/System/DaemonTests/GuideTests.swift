import Foundation
import Testing

/// `plugins/README.md`: whatever it shows is played.
struct GuideTests {
    /// A block of the page, with the words behind its fence.
    struct Block {
        let kind: String
        let name: String?
        let text: String

        var lines: [String] {
            text.split(separator: "\n").map(String.init)
        }
    }

    private static func page() throws -> String {
        try String(contentsOfFile: repositoryPath + "/plugins/README.md", encoding: .utf8)
    }

    private static func blocks(_ kinds: String...) throws -> [Block] {
        let pieces = try page().components(separatedBy: "```")
        return pieces.indices.filter { $0 % 2 == 1 }.compactMap { index in
            let (head, text) = pieces[index].split(at: "\n")
            let words = head.split(separator: " ").map(String.init)
            guard let kind = words.first, kinds.contains(kind) else { return nil }
            return Block(kind: kind, name: words.dropFirst().first, text: text)
        }
    }

    // MARK: - Frames

    /// The program of the page, and those at other terminals.
    private final class Play {
        let daemon: TestDaemon
        private var socket: LineSocket
        private var commands: [(line: String, process: ChildProcess)] = []
        /// What brings it back to its session.
        private var session = ""
        /// Who has calls, where that is not the one of the page.
        private var app: ScriptedProvider?
        private static let call = "3f0c4c52-6a0e-4b8e-9d5b-0c1b5f6a7d01"

        init() throws {
            daemon = try TestDaemon()
            socket = try LineSocket(daemon.socketPath)
        }

        func play(_ line: String) throws {
            let text = String(line.dropFirst(2))
            switch line.first {
            case ">":
                let frame = text.replacing(#""session":"…","secret":"…""#, with: session)
                try #require(!frame.contains("…"), "what is sent is sent as it stands: \(line)")
                try socket.send(Array((frame + "\n").utf8))
            case "<":
                let came = try #require(try socket.line(), "nothing comes instead of \(line)")
                #expect(GuideTests.fits(came, text), "instead of \(text)\n came \(came)")
                let found = came.firstMatch(of: /"session":"[^"]+","secret":"[^"]+"/)
                if let found { session = String(found.output) }
            case "$":
                let words = text.split(separator: " ").map(String.init)
                try #require(words.first == "callbroker")
                let process = try ChildProcess(
                    [executablePath] + words.dropFirst(),
                    environment: ["BROKER_SOCKET": daemon.socketPath])
                commands.append((line, process))
            case "#": try meet(text)
            default: Issue.record("nobody knows what to do about \(line)")
            }
        }

        /// What happens to it.
        private func meet(_ event: String) throws {
            switch event {
            case "the connection is lost, and opened again":
                socket = try LineSocket(daemon.socketPath)
            case "somebody calls":
                app = try ScriptedProvider(daemon)
                try app?.rings(Self.call, from: "+15550123")
            case "and is gone":
                // Whatever it has sent has come there.
                try play(#"> {"jsonrpc":"2.0","id":"here","method":"broker.ping"}"#)
                try play(#"< {"jsonrpc":"2.0","id":"here","result":{}}"#)
                try app?.report("ended", #"{"call":"\#(Self.call)","reason":"remote_ended"}"#)
            default: Issue.record("nobody knows how this happens: \(event)")
            }
        }

        /// Everybody has come to their end.
        func finish() throws {
            for (line, process) in commands {
                #expect(try process.waitForEnd() == .exited(0), "\(line): \(process.errors.text)")
            }
            #expect(try socket.line() == nil)
        }
    }

    @Test func `its frames are what goes over the wire`() throws {
        let lines = try Self.blocks("frames").flatMap(\.lines)
        #expect(lines.count > 25)
        let play = try Play()
        for line in lines { try play.play(line) }
        try play.finish()
    }

    @Test func `its screen is given a call`() throws {
        let play = try Play()
        for line in try Self.blocks("screen").flatMap(\.lines) { try play.play(line) }
        try play.finish()
    }

    /// Whether a line is as shown, where `…` stands for anything.
    static func fits(_ line: String, _ shown: String) -> Bool {
        var rest = line[...]
        let pieces = shown.components(separatedBy: "…")
        guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else {
            return false
        }
        if pieces.count == 1 { return line == shown }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let place = rest.range(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    @Test(arguments: [
        ("abc", "abc", true), ("abc", "ab", false), ("abc", "a…", true), ("abc", "…d", false),
        ("abcabc", "a…b…c", true), ("abc", "a…c…c", false), ("ab", "ab…b", false),
    ])
    func `dots stand for anything and nothing else does`(line: String, shown: String, fits: Bool) {
        #expect(Self.fits(line, shown) == fits)
    }

    @Test func `what is told without being played is an example of the reference`() throws {
        let told = try Self.blocks("told").flatMap(\.lines)
        #expect(!told.isEmpty)
        let reference = try String(
            contentsOfFile: repositoryPath + "/plugins/REFERENCE.md", encoding: .utf8)
        for line in told {
            let frame = line.dropFirst(2)
            #expect(reference.split(separator: "\n").contains(frame), "\(line)")
        }
    }

    // MARK: - Commands and files

    @Test func `its commands work in an empty folder, one after the other`() throws {
        let folder = try TemporaryFolder()
        let tools = executablePath[
            ..<(executablePath.lastIndex(of: "/") ?? executablePath.endIndex)]
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        for block in try Self.blocks("sh", "scenario", "json") {
            switch block.kind {
            case "sh":
                // A busy machine is slow.
                let text = block.text.replacing(
                    "plugin check", with: "plugin check --patience 60000"
                )
                .replacing("scenario run", with: "scenario run --patience 60000")
                let script = "cd '\(folder.path)'\n\(text)"
                let process = try ChildProcess(
                    ["/bin/sh", "-e", "-c", script], environment: ["PATH": path])
                // A whole suite of conformance tests is one command.
                try process.output.readToEnd(within: ceiling * 5)
                #expect(try process.waitForEnd() == .exited(0), "\(text): \(process.output.text)")
            case "scenario": try folder.write(block.text, to: try #require(block.name))
            default:
                let file = folder.file("doorbell/\(try #require(block.name))")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == block.text)
            }
        }
        for report in ["promises.xml", "flows.xml"] {
            let text = try String(contentsOfFile: folder.file(report), encoding: .utf8)
            #expect(text.contains(#" failures="0" "#), "\(report): \(text.prefix(400))")
        }
    }

    @Test func `what its CI file runs was shown before`() throws {
        let shown = Set(try Self.blocks("sh").flatMap(\.lines))
        let steps = try Self.blocks("yaml").flatMap(\.lines)
            .filter { $0.hasPrefix("    - ") }.map { String($0.dropFirst(6)) }
        #expect(steps.count == 2)
        #expect(shown.isSuperset(of: steps))
    }

    @Test func `its links lead to something`() throws {
        let page = try Self.page()
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
            .map { "#" + $0.dropFirst(3).lowercased().replacing(" ", with: "-") }
        let links = page.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
        #expect(links.count > 10)
        for link in links {
            let isThere =
                link.hasPrefix("#")
                ? headings.contains(link)
                : FileManager.default.fileExists(atPath: "\(repositoryPath)/plugins/\(link)")
            #expect(isThere, "\(link)")
        }
    }
}

extension String {
    fileprivate func split(at separator: Character) -> (String, String) {
        guard let place = firstIndex(of: separator) else { return (self, "") }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
