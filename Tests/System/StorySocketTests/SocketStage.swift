import CallModel
import Glibc
import StoryPlayer

/// A daemon of its own as the stage of a section, with a virtual clock and real connections.
final class SocketStage: Stage {
    private var daemon: TestDaemon
    /// The manifests of filters.
    private let plugins: TemporaryFolder
    private var admin: LineSocket
    private var sockets: [Client: LineSocket] = [:]
    private(set) var clients: [Client] = [.user, .observer]
    /// Those that hold the connections of a provider that dies.
    private var processes: [ProviderID: [ChildProcess]] = [:]
    /// Session and secret of each provider.
    private var keys: [ProviderID: Wire] = [:]
    private(set) var epoch = ""
    private(set) var offsetMS: Int64 = 0
    private var timeMS = 0
    private var lastID: Int64 = 0

    init() throws {
        plugins = try TemporaryFolder()
        for (identity, manifest) in Filter.manifests {
            try plugins.write(manifest, to: identity + ".plugin.json")
        }
        daemon = try Self.daemon(plugins)
        admin = try LineSocket(daemon.socketPath)
        try greet(Hello.subscribe)
    }

    private static func daemon(
        _ plugins: TemporaryFolder, in folder: TemporaryFolder? = nil
    ) throws -> TestDaemon {
        try TestDaemon(
            policy: Wire.beginning.text,
            arguments: ["--test-mode", "--plugin-dir", plugins.path], in: folder)
    }

    private func greet(_ subscribe: String) throws {
        let hello = try ask(admin, Hello.user)
        epoch = hello["epoch"]?.string ?? ""
        offsetMS = hello.clockOffsetMS ?? 0
        let user = try LineSocket(daemon.socketPath)
        _ = try ask(user, Hello.user)
        sockets[.user] = user
        let observer = try LineSocket(daemon.socketPath)
        _ = try ask(observer, Hello.observer)
        _ = try ask(observer, subscribe)
        sockets[.observer] = observer
    }

    private func ask(_ socket: LineSocket, _ frame: String) throws -> Wire {
        try socket.send(Array(frame.utf8) + [0x0A])
        guard let line = try socket.line(), let result = Wire(text: line)?["result"] else {
            throw CeilingReached(waitedFor: "the result of \(frame)")
        }
        return result
    }

    private func admin(_ method: String, _ params: String) throws {
        lastID += 1
        _ = try ask(
            admin,
            #"{"jsonrpc":"2.0","id":"a\#(lastID)","method":"\#(method)","params":\#(params)}"#)
    }

    func perform(_ move: Move) throws {
        switch move {
        case .connect(let client, let mayExit): try connect(client, mayExit: mayExit)
        case .send(let client, let frame):
            try sockets[client]?.send(Array(frame.text.utf8) + [0x0A])
        case .close(let client, let isHalf): close(client, isHalf: isHalf)
        case .exit(let provider):
            for process in processes[provider] ?? [] { process.signal(SIGKILL) }
        case .restart(let seq): try restart(after: seq)
        case .settle: try settle()
        case .advance(let toMS):
            try admin("test.advance", #"{"ms":\#(toMS - timeMS)}"#)
            timeMS = toMS
        }
    }

    /// The daemon is killed. Its successor's clock stands where the journal ends, so the journal has to
    /// know how late it is: a request that is refused leaves its time in it, and nothing else.
    private func restart(after seq: Int64) throws {
        let nobody = "ffffffff-ffff-4fff-bfff-ffffffffffff"
        lastID += 1
        let params = #"{"call":"\#(nobody)","transaction":"\#(nobody)"}"#
        let end = #"{"jsonrpc":"2.0","id":"a\#(lastID)","method":"call.end","params":\#(params)}"#
        try admin.send(Array(end.utf8) + [0x0A])
        guard try admin.line() != nil, try daemon.stop(SIGKILL) == .killed(by: SIGKILL) else {
            throw CeilingReached(waitedFor: "the end of the daemon")
        }
        daemon = try Self.daemon(plugins, in: daemon.folder)
        admin = try LineSocket(daemon.socketPath)
        try greet(Hello.subscribe(to: epoch, after: seq))
    }

    private func connect(_ client: Client, mayExit: Bool) throws {
        switch client {
        case .provider(let provider, _):
            let socket =
                mayExit ? try connectElsewhere(provider) : try LineSocket(daemon.socketPath)
            let reply = try ask(socket, Hello.provider(provider, resuming: keys[provider]))
            keys[provider] = reply.sessionKey
            sockets[client] = socket
        case .filter(let filter):
            let socket = try LineSocket(daemon.socketPath)
            _ = try ask(socket, Hello.filter(filter))
            sockets[client] = socket
        case .user, .observer: return
        }
        if !clients.contains(client) { clients.append(client) }
    }

    /// A connection that another process has made.
    private func connectElsewhere(_ provider: ProviderID) throws -> LineSocket {
        let descriptor = try UnixSocket.make()
        let folder = executablePath[
            ..<(executablePath.lastIndex(of: "/") ?? executablePath.endIndex)]
        let process = try ChildProcess(
            [folder + "/SocketHolder", daemon.socketPath], passing: descriptor)
        processes[provider, default: []].append(process)
        guard try process.output.wait(for: { $0.contains("connected") }) else {
            throw CeilingReached(waitedFor: "a connection of another process")
        }
        return LineSocket(descriptor)
    }

    /// The other process has the descriptor too, so closing ours would not be enough.
    private func close(_ client: Client, isHalf: Bool) {
        guard let socket = sockets[client] else { return }
        shutdown(socket.descriptor, Int32(isHalf ? SHUT_WR : SHUT_RDWR))
    }

    func frames(for client: Client, atLeast count: Int) throws -> [String] {
        guard let socket = sockets[client] else { return [] }
        var frames: [String] = []
        while frames.count < count || !socket.isSilent {
            guard let line = try socket.line() else { break }
            if !line.isUnnumbered { frames.append(line) }
        }
        return frames
    }

    func settle() throws {
        let identities = keys.keys.map(\.wireName) + Filter.manifests.keys
        let names = identities.map { #""\#($0)""# }.sorted()
        try admin("test.settle", #"{"ignore":[\#(names.joined(separator: ","))]}"#)
    }
}
