import Foundation
import Testing

/// Clients of release 0.1, as they were recorded: everything that they were sent then is still sent,
/// in the same order. What is new may stand beside it.
struct OldClientTests {
    private static let path = repositoryPath + "/Tests/Fixtures/release-0.1/traffic.txt"

    /// The ids that the clients chose; those of the broker differ from run to run.
    private static let chosen = ["3f0c4c52-6a0e-4b8e-9d5b-", "5e1d4f1a-6a3e-4c1f-9f4b-"]
    /// Members that no client may read a meaning into.
    private static let free: Set = ["message", "hint", "version", "secret"]

    @Test func `what clients of release 0.1 sent and received goes over the wire today`() throws {
        let daemon = try TestDaemon()
        var sockets: [Substring: LineSocket] = [:]
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let (client, sign) = (line.prefix(1), line.dropFirst().prefix(1))
            let frame = String(line.dropFirst(3))
            let socket = try sockets[client] ?? LineSocket(daemon.socketPath)
            sockets[client] = socket
            guard sign == "<" else {
                try socket.send(Array((frame + "\n").utf8))
                continue
            }
            let expected = try JSON(frame)
            guard !Self.isAboutTurns(expected) else { continue }
            var came = try #require(try socket.line(), "nothing comes instead of \(line)")
            while Self.isAboutTurns(try JSON(came)) {
                came = try #require(try socket.line(), "nothing comes instead of \(line)")
            }
            let fault = Self.difference(expected, try JSON(came), at: "")
            try #require(fault == nil, "\(fault ?? "")\ninstead of \(line)\ncame \(came)")
        }
        #expect(sockets.count == 4)
    }

    /// Returns whether a frame is sent at the end of a turn of the broker: how many there are
    /// depends on what the broker reads at once.
    private static func isAboutTurns(_ frame: JSON) -> Bool {
        let topic = frame["params"]?["topic"]?.string
        return topic == "call.allowed_changed" || topic == "host.presence"
    }

    /// Returns where a value lacks something that it had; nil if it has all of it.
    private static func difference(_ old: JSON, _ new: JSON, at place: String) -> String? {
        switch (old, new) {
        case (.object(let members), .object):
            return members.lazy.filter { !free.contains($0.name) }.compactMap { member in
                let place = "\(place)/\(member.name)"
                guard let value = new[member.name] else { return "\(place) is missing" }
                return difference(member.value, value, at: place)
            }.first
        case (.array(let before), .array(let after)) where before.allSatisfy { $0.string != nil }:
            return before.allSatisfy { isIn(after, $0) } ? nil : "\(place) was \(old), is \(new)"
        case (.array(let before), .array(let after)):
            guard before.count == after.count else { return "\(place) has \(after.count) elements" }
            return zip(before, after).lazy.compactMap { difference($0, $1, at: place + "/*") }.first
        default: return isSame(old, new) ? nil : "\(place) was \(old), is \(new)"
        }
    }

    private static func isIn(_ values: [JSON], _ value: JSON) -> Bool {
        values.contains { isSame(value, $0) }
    }

    private static func isSame(_ old: JSON, _ new: JSON) -> Bool {
        if let (old, new) = old.string.flatMap({ old in new.string.map { (old, $0) } }) {
            return old == new || isMade(old) && isMade(new)
        }
        return old == new
    }

    /// Returns whether a text is an id that a broker made.
    private static func isMade(_ text: String) -> Bool {
        let isID = text.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
        return isID && !chosen.contains { text.hasPrefix($0) }
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, true), (#"{"a":1}"#, #"{"b":1}"#, false),
        (#"{"a":1}"#, #"{"a":2}"#, false), (#"["x"]"#, #"["y","x"]"#, true),
        (#"["x"]"#, #"["y"]"#, false), (#"[{"a":1}]"#, #"[{"a":1},{}]"#, false),
        (#"{"message":"x"}"#, "{}", true),
        (
            #""98bcd867-19b4-4b85-af63-1f2e60325302""#, #""110af415-62af-4c96-b1e7-05a240e7e973""#,
            true
        ),
        (
            #""98bcd867-19b4-4b85-af63-1f2e60325302""#, #""3f0c4c52-6a0e-4b8e-9d5b-0c1b5f6a7d01""#,
            false
        ),
    ])
    func `more may come, and nothing may be missing or different`(
        old: String, new: String, isGood: Bool
    ) throws {
        let fault = Self.difference(try JSON(old), try JSON(new), at: "")
        #expect((fault == nil) == isGood, "\(fault ?? "")")
    }
}
