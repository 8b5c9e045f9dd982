internal import BrokerJSON
internal import BrokerSocket
internal import CallBroker
internal import CallJournal
internal import CallPlugins
internal import CallStore
internal import CallTesting
internal import Logging

/// A broker in memory of which only the turns are measured: nothing around it grows with the number of
/// its clients.
final class Host {
    let broker: Broker
    let medium = MemoryMedium()
    private(set) var now = MonotonicTime.zero
    /// Manifests by identity.
    var manifests: [String: String] = ["org.example.bell": Host.manifest(of: "org.example.bell")]
    private(set) var processes: [ChildProcess] = []
    private var freeSlots: [Int] = []
    private var lastSlot = 0
    private let store: StoreThread
    private let wakeup: Wakeup

    init(_ configuration: BrokerConfiguration) throws {
        broker = Broker(
            configuration: configuration, clock: .manual(.zero), ownUID: HostProcess.userID,
            logger: Logger(label: "cost") { _ in SwiftLogNoOpLogHandler() })
        wakeup = try Wakeup()
        store = try StoreThread(.memory, wakes: wakeup)
        broker.attach(Journal(medium))
        broker.attach(store)
        settleStore()
        broker.beginPlugins(plugins, choices: .success([]))
    }

    deinit {
        store.stop()
    }

    /// What every crowd fits into.
    static func configuration() throws -> BrokerConfiguration {
        var configuration = BrokerConfiguration()
        let text = #"""
            {"limits":{"frame_bytes":1048576,"values":65536,"batch":1024,"pending_requests":65536,
            "connections":65536,"subscriptions":4096,"turn_ms":1000,"frames_per_turn":65536,
            "queue_hard_frames":1048576,"queue_hard_bytes":1073741824,"queue_soft_bytes":1073741824,
            "feed_events":256,"frame_out_bytes":16384,"log_lines_per_second":1048576},
            "policy":{"limits":{"ringing":1000000,"held_groups":1000000,"calls":1000000,
            "calls_per_provider":1000000}}}
            """#
        try configuration.merge(Array(text.utf8))
        configuration.isTestMode = true
        return configuration
    }

    // MARK: - The turn

    /// One turn of the loop in which this happens.
    func turn(afterMS milliseconds: Int = 0, _ act: () -> Void = {}) {
        now = now.advanced(milliseconds: milliseconds)
        broker.beginTurn(.manual(now))
        broker.resumeBacklog()
        act()
        broker.handleExits()
        broker.fireTimers(dueBy: now)
        broker.publishDerived()
        broker.commit()
        while broker.mayAdvance { now = broker.stepAdvance() }
    }

    /// Everything that the store was asked for is done, all manifests are read, and those who asked
    /// know it.
    func settleStore() {
        while !broker.isStoreIdle {
            wakeup.wait()
            turn { broker.handle(.woken) }
        }
        while broker.isReadingManifests { turn() }
    }

    /// Another broker reads what this one has kept.
    func recover() {
        guard var reader = try? JournalReader(medium.bytes) else { return }
        var configuration = broker.configuration
        configuration.epoch = reader.snapshot.epoch
        let successor = Broker(
            configuration: configuration, clock: .manual(now), ownUID: HostProcess.userID,
            logger: Logger(label: "cost") { _ in SwiftLogNoOpLogHandler() })
        successor.recover(&reader)
    }

    // MARK: - Connections

    func connect(_ process: ProcessWatch? = nil) -> Client {
        let slot = freeSlots.popLast() ?? lastSlot + 1
        lastSlot = max(lastSlot, slot)
        let connection = Connection(inMemory: slot, process: process)
        let client = Client(connection, of: self)
        turn { broker.handle(.opened(connection)) }
        return client
    }

    /// Closed, and the broker knows it.
    func close(_ client: Client) {
        client.connection.abort()
        turn { broker.handle(.closed(client.connection)) }
        freeSlots.append(client.connection.slot)
    }

    // MARK: - Plugins

    static func manifest(of identity: String) -> String {
        #"{"manifest":1,"identity":"\#(identity)","roles":["provider"],"exec":["./bell"],"#
            + #""options":[{"option":"volume","type":"int","default":1}]}"#
    }

    private var plugins: PluginHost {
        PluginHost(
            environment: ["HOME": "/home/ada"], socket: "/run/broker.sock",
            spawn: { [unowned self] _ throws(SocketError) in spawn() },
            readManifests: { [unowned self] in
                var files = manifests.sorted { $0.key > $1.key }.map { name, text in
                    PluginCatalog.File("/plugins/\(name).plugin.json", Array(text.utf8))
                }
                return { files.popLast().map { .file($0) } ?? .end }
            },
            isProgram: { _ in true }, save: { $1(.success(())) },
            quarantine: { () throws(SocketError) in "/state/plugins.json.kept-1" })
    }

    private func spawn() -> ChildProcess {
        lastSlot += 1
        let process = ChildProcess(
            inMemory: Int32(lastSlot), connection: Connection(inMemory: lastSlot))
        processes.append(process)
        return process
    }
}

/// One connection, which sends frames as they stand here.
final class Client {
    let connection: Connection
    private unowned let host: Host
    private var lastID = 0

    init(_ connection: Connection, of host: Host) {
        self.connection = connection
        self.host = host
    }

    /// One turn in which these bytes arrive.
    func send(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        host.turn {
            bytes.withUnsafeBufferPointer { host.broker.handle(.received(connection, $0)) }
        }
    }

    func frame(_ method: String, _ params: String = "{}", isNotification: Bool = false) -> String {
        lastID += 1
        let id = isNotification ? "" : #""id":\#(lastID),"#
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
    }

    /// Sends a request; what comes of it is read by nobody yet.
    func post(_ method: String, _ params: String = "{}") {
        send(frame(method, params))
    }

    /// Everything that came since the last time.
    func read() -> [JSONTree] {
        lines().compactMap { try? JSONTree(String(decoding: $0, as: UTF8.self)) }
    }

    func forget() {
        _ = connection.takeSent()
    }

    private func lines() -> [ArraySlice<UInt8>] {
        connection.takeSent().split(separator: 0x0A)
    }

    /// Does what it was asked for, until it is asked for nothing more.
    func fulfil() {
        while true {
            let asked = lines().compactMap { Self.idOfRequest($0) }
            guard !asked.isEmpty else { return }
            for id in asked { send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#) }
        }
    }

    /// Requests of the broker begin alike. Parsing would cost more than what is measured.
    private static func idOfRequest(_ line: ArraySlice<UInt8>) -> String? {
        let head = String(decoding: line.prefix(80), as: UTF8.self)
        guard let match = head.firstMatch(of: /"id":([0-9]+),"method"/) else { return nil }
        return String(match.1)
    }

    func hello(_ roles: [String], identity: String? = nil) -> String {
        let names = roles.map { #""\#($0)""# }.joined(separator: ",")
        let member = identity.map { #","identity":"\#($0)""# } ?? ""
        return frame(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"cost","version":"1"},"#
                + #""roles":[\#(names)]\#(member)}"#)
    }
}
