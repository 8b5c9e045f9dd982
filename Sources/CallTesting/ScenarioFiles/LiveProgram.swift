internal import BrokerSocket

/// A real program that is connected to a broker in memory. Bytes are passed on unchanged in both
/// directions.
final class LiveProgram {
    let name: String
    private(set) var program: ProviderProgram
    private(set) var process: ChildProgram?
    /// The last bytes of its log output.
    private(set) var printed: [UInt8] = []
    /// The identity in its hello.
    private(set) var identity: String?
    private(set) var isReady = false
    /// True if its exit was reported to the broker.
    private var hasReportedExit = false

    private unowned let broker: TestBroker
    private let socketPath: String
    private var environment: [String: String]
    private var watch = ProcessWatch()
    private var listener: Listener?
    private var log: PolledStream?
    private var links: [Link] = []

    private static let printedMax = 16_384

    /// A connection of the program.
    private final class Link {
        let stream: PolledStream
        let client: Client
        var received: [UInt8] = []
        var unsent: [UInt8] = []
        /// The ids of requests that it has not answered.
        var open: Set<Int> = []
        var hasEnded = false
        /// The ids of its hello and its registration.
        var helloID: JSONTree?
        var registerID: JSONTree?

        init(_ stream: PolledStream, _ client: Client) {
            self.stream = stream
            self.client = client
        }
    }

    /// - Parameter folder: the folder for its socket and temporary files.
    init(
        _ name: String, _ program: ProviderProgram, of broker: TestBroker, in folder: String
    ) {
        self.name = name
        self.program = program
        self.broker = broker
        socketPath = "\(folder)/\(name).sock"
        environment = program.environment
        environment["BROKER_SOCKET"] = socketPath
        environment["XDG_RUNTIME_DIR"] = folder
    }

    // MARK: - Process

    func start() throws(SocketError) {
        if program.transport == .connect, listener == nil {
            listener = try Listener(path: socketPath)
        }
        watch = ProcessWatch()
        isReady = false
        hasReportedExit = false
        let started = try program.start(environment: environment)
        process = started.process
        log = started.log
        guard let stream = started.stream else { return }
        let link = adopt(stream)
        if program.isImplicit { registerImplicitly(link) }
    }

    /// Registers a program by its manifest.
    private func registerImplicitly(_ link: Link) {
        let identity = program.identity ?? "org.example.\(name)"
        _ = link.client.ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(identity)","version":"1"},"#
                + #""roles":["provider","controller"],"features":["tone","alerting","external_calls"],"#
                + #""identity":"\#(identity)"}"#)
        var members = program.registration?.members ?? []
        if program.registration?["display_name"] == nil {
            members.append(.init(name: "display_name", value: .string(identity)))
        }
        let reply = link.client.ask("provider.register", JSONTree.object(members).json)
        self.identity = identity
        isReady = reply.result != nil
    }

    /// Kills the program and all its child processes.
    func die() {
        process?.signalGroup(.kill)
        while let process, process.reap() == nil {
            PolledStream.wait(for: [process.exitDescriptor], milliseconds: 1_000)
        }
        _ = readAll()
    }

    /// Closes its connections. The process keeps running.
    func disconnect() {
        for link in links {
            link.client.vanish()
            link.stream.shutDown()
        }
        links = []
    }

    /// Closes its streams after the broker was killed.
    func loseBroker() {
        for link in links { link.stream.shutDown() }
        links = []
    }

    func finish() {
        process?.signalGroup(.kill)
        process = nil
        links = []
        listener?.shutDown()
        listener = nil
    }

    // MARK: - Open requests

    /// The ids of requests that it has not answered.
    var openRequests: [JSONTree] {
        links.filter { !$0.hasEnded }.flatMap { link in
            link.open.sorted().map { .integer(Int64($0)) }
        }
    }

    /// Forgets the open requests, so that they are not waited for.
    func dropOpenRequests() {
        for link in links { link.open = [] }
    }

    var hasUnsent: Bool {
        links.contains { !$0.unsent.isEmpty && !$0.hasEnded }
    }

    var descriptors: [Int32] {
        var all = links.filter { !$0.hasEnded }.map(\.stream.descriptor)
        if let listener { all.append(listener.descriptor) }
        if let log { all.append(log.descriptor) }
        if let process, process.exit == nil { all.append(process.exitDescriptor) }
        return all
    }

    // MARK: - Transfer

    /// Reads and passes on available bytes. Returns whether there were any.
    func readAll() -> Bool {
        var isBusy = false
        while let stream = listener.flatMap({ PolledStream.accepted(from: $0) }) {
            adopt(stream)
            isBusy = true
        }
        readLog()
        if reportExit() { isBusy = true }
        for link in links { if pump(link) { isBusy = true } }
        links.removeAll(where: \.hasEnded)
        if isBusy { broker.settle() }
        return isBusy
    }

    /// Reports the exit of the process to the broker, after its last bytes and before the ends of
    /// the streams. Returns whether it happened now.
    private func reportExit() -> Bool {
        guard let process, !hasReportedExit, process.reap() != nil else { return false }
        hasReportedExit = true
        for link in links {
            while case .bytes(let bytes) = link.stream.read() { receive(bytes, link) }
        }
        broker.host.exit(watch)
        return true
    }

    @discardableResult
    private func adopt(_ stream: PolledStream) -> Link {
        let client = Client(name, of: broker, process: watch, plugin: program.plugin)
        let link = Link(stream, client)
        // The broker may still send frames to a connection that has ended.
        link.client.receive = { [weak self, weak link] frame, text in
            if let self, let link { deliver(frame, text, link) }
        }
        links.append(link)
        return link
    }

    private func readLog() {
        while let log {
            switch log.read() {
            case .bytes(let bytes):
                printed += bytes
                printed.removeFirst(max(0, printed.count - Self.printedMax))
            case .nothing: return
            case .end: self.log = nil
            }
        }
    }

    private func deliver(_ frame: JSONTree, _ text: String, _ link: Link) {
        if frame["method"] != nil {
            if let id = frame["id"]?.integer { link.open.insert(id) }
        } else if let id = frame["id"], id == link.registerID {
            isReady = frame["result"] != nil
        } else if let id = frame["id"], id == link.helloID, let result = frame["result"] {
            let granted = result["granted_roles"]?.elements.compactMap(\.string) ?? []
            if !granted.contains("provider") { isReady = true }
        }
        link.unsent += Array(text.utf8) + [0x0A]
        send(link)
    }

    private func send(_ link: Link) {
        guard !link.unsent.isEmpty else { return }
        guard let count = link.stream.write(link.unsent[...]) else { return link.unsent = [] }
        link.unsent.removeFirst(count)
    }

    private func pump(_ link: Link) -> Bool {
        send(link)
        guard !link.hasEnded else { return false }
        if link.client.peer.isClosed, link.unsent.isEmpty {
            link.hasEnded = true
            link.stream.shutDown()
            return true
        }
        switch link.stream.read() {
        case .nothing: return false
        case .bytes(let bytes): receive(bytes, link)
        case .end:
            link.hasEnded = true
            link.client.peer.endInput()
        }
        return true
    }

    private func receive(_ bytes: [UInt8], _ link: Link) {
        link.received += bytes
        var start = 0
        while let end = link.received[start...].firstIndex(of: 0x0A) {
            let line = String(decoding: link.received[start..<end], as: UTF8.self)
            link.client.record(.client, line)
            if let frame = try? JSONTree(line) { note(frame, link) }
            start = end + 1
        }
        link.received.removeFirst(start)
        link.client.send(raw: bytes)
    }

    private func note(_ frame: JSONTree, _ link: Link) {
        for one in frame.elements.isEmpty ? [frame] : frame.elements {
            guard let id = one["id"] else { continue }
            switch one["method"]?.string {
            case nil: if let number = id.integer { link.open.remove(number) }
            case "broker.hello":
                link.helloID = id
                identity = one["params"]?["identity"]?.string ?? identity
            case "provider.register": link.registerID = id
            default: break
            }
        }
    }
}
