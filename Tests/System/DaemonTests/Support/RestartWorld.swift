import Glibc
import Testing

/// A folder in which one daemon follows the other, on the same socket and in the same state folder.
final class RestartWorld {
    static let (ada, bob, cleo) = (ToolWorld.ada, ToolWorld.bob, ToolWorld.cleo)

    let folder: TemporaryFolder
    private(set) var daemon: TestDaemon

    /// - Parameter arguments: of all its daemons, unless a later one gets others.
    init(_ arguments: String...) throws {
        folder = try TemporaryFolder()
        self.arguments = ["--test-mode"] + arguments
        daemon = try TestDaemon(arguments: self.arguments, in: folder)
    }

    /// Without a clock that the test moves.
    init(inRealTime: Void) throws {
        folder = try TemporaryFolder()
        arguments = []
        daemon = try TestDaemon(arguments: arguments, in: folder)
    }

    private let arguments: [String]

    func kill() throws {
        try #require(try daemon.stop(SIGKILL) == .killed(by: SIGKILL))
    }

    func startAgain(_ arguments: [String]? = nil) throws {
        daemon = try TestDaemon(arguments: arguments ?? self.arguments, in: folder)
    }

    /// The daemon is killed, and another one takes its place.
    func killAndStartAgain(_ arguments: [String]? = nil) throws {
        try kill()
        try startAgain(arguments)
    }

    var journal: String { folder.file("state/journal") }

    // MARK: - Calls

    func user() throws -> TestClient {
        try daemon.connectReady(#""roles":["controller","observer"]"#)
    }

    /// A call of the provider is answered and speaks.
    func talk(_ call: String, of provider: ScriptedProvider) throws {
        try provider.rings(call, from: ToolWorld.adaNumber)
        let user = try user()
        try #require(try user.request("call.answer", #"{"call":"\#(call)"}"#).result != nil)
        try provider.perform("answer")
        // What the provider said before has been heard when it is answered.
        _ = try provider.client.request("broker.ping", isAlone: false)
    }

    /// The name, the state, and whether the provider is away, of each call.
    func calls() throws -> [String] {
        let result = try user().request("call.list").result
        return (result?["calls"]?.elements ?? []).map { call in
            let name = Self.names[call["call"]?.string ?? ""] ?? "another"
            let isAway = call["provider_connected"] == .boolean(false)
            return "\(name) \(call["state"]?.string ?? "?")\(isAway ? " away" : "")"
        }
    }

    private static let names = [ada: "ada", bob: "bob", cleo: "cleo"]

    /// A call as a provider names it that comes back.
    static func live(_ call: String, _ state: String = "active") -> String {
        let remote = #""remote":{"type":"phone","value":"\#(ToolWorld.adaNumber)"}"#
        return #"{"call":"\#(call)","direction":"incoming","state":"\#(state)",\#(remote)}"#
    }

    static func calls(_ calls: String...) -> String {
        #""calls":[\#(calls.joined(separator: ","))]"#
    }
}
