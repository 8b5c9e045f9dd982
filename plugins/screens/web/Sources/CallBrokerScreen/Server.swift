import FlyingSocks
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// Listens on the loopback interface, and serves each connection in a task of its own.
struct Server {
    private static let connectionLimit = 128
    /// How long a connection may take to send its next request.
    private static let patience = Duration.seconds(30)

    private static var withoutDelay: BoolSocketOption {
        BoolSocketOption(level: Int32(IPPROTO_TCP), name: Int32(TCP_NODELAY))
    }

    let listener: AsyncSocket
    let pool: any AsyncSocketPool
    let site: Site
    let brokerPath: String

    /// Listens on the port; 0 lets the kernel choose.
    init(
        port: UInt16, folders: PageFolders, brokerPath: String, pool: some AsyncSocketPool
    ) throws {
        let socket = try Socket(domain: AF_INET)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        try socket.listen()
        guard case .ip4(_, let chosen) = try socket.sockname() else {
            throw ByteStream.Failure.ended
        }
        listener = try AsyncSocket(socket: socket, pool: pool)
        site = Site(port: chosen, folders: folders, admission: Admission())
        self.pool = pool
        self.brokerPath = brokerPath
    }

    /// Serves until the listener fails.
    func run() async throws {
        let seats = Seats(Self.connectionLimit)
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let socket = try await listener.accept()
                // A frame of the broker is due now, not when the browser has acknowledged the last one.
                try? socket.socket.setValue(true, for: Self.withoutDelay)
                guard await seats.enter() else {
                    try? socket.close()
                    continue
                }
                group.addTask {
                    await serve(socket)
                    try? socket.close()
                    await seats.leave()
                }
            }
        }
    }

    private func serve(_ socket: AsyncSocket) async {
        var stream = ByteStream(socket)
        do {
            while let request = try await request(from: &stream) {
                if request.isUpgrade {
                    return await connect(request, stream)
                }
                let response = await site.respond(to: request)
                var bytes = response.bytes(host: site.host(of: request))
                if request.method == "HEAD" { bytes.removeLast(response.body.count) }
                try await socket.write(Data(bytes))
                if request["connection"]?.lowercased() == "close" { return }
            }
            let refusal = HTTPResponse(.badRequest, text: "This is no request for a page.")
            try await socket.write(Data(refusal.bytes(host: site.host(of: nil))))
        } catch {
            return
        }
    }

    /// Reads the next request; disconnects a client that does not send one in time.
    private func request(from stream: inout ByteStream) async throws -> HTTPRequest? {
        let socket = stream.socket
        let patience = Task {
            try await Task.sleep(for: Self.patience)
            shutdown(socket.socket.file.rawValue, Int32(SHUT_RDWR))
        }
        defer { patience.cancel() }
        return try await HTTPRequest(from: &stream)
    }

    /// Connects a page with the broker.
    private func connect(_ request: HTTPRequest, _ stream: ByteStream) async {
        let response = await upgrade(request)
        let host = site.host(of: request)
        guard response.status == .switching else {
            try? await stream.socket.write(Data(response.bytes(host: host)))
            return
        }
        let broker = try? await AsyncSocket.connected(to: .unix(path: brokerPath), pool: pool)
        guard let broker else {
            let gone = HTTPResponse(.unavailable, text: "The broker does not run.")
            try? await stream.socket.write(Data(gone.bytes(host: host)))
            return
        }
        defer { try? broker.close() }
        guard (try? await stream.socket.write(Data(response.bytes(host: host)))) != nil else {
            return
        }
        await BrokerRelay(page: stream, broker: broker).run()
    }

    private func upgrade(_ request: HTTPRequest) async -> HTTPResponse {
        if let refusal = site.refusal(of: request) { return refusal }
        guard await site.isAdmitted(request) else { return HTTPResponse(.unauthorized) }
        guard request.path == "/broker", let key = request["sec-websocket-key"] else {
            return HTTPResponse(.notFound)
        }
        return HTTPResponse(
            .switching,
            headers: [
                ("Upgrade", "websocket"), ("Connection", "Upgrade"),
                ("Sec-WebSocket-Accept", WebSocket.acceptance(of: key)),
            ])
    }
}

/// How many connections there may be.
private actor Seats {
    private var free: Int

    init(_ count: Int) {
        free = count
    }

    func enter() -> Bool {
        guard free > 0 else { return false }
        free -= 1
        return true
    }

    func leave() {
        free += 1
    }
}
