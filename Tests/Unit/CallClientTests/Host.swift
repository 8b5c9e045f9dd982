import BrokerJSON
import CallClient
import CallModel
import CallProtocol

/// A daemon with a virtual clock, and what moves it: without blocking a thread that clients need.
final class Host: Sendable {
    nonisolated(unsafe) let daemon: TestDaemon
    private let admin: Link

    /// - Parameters:
    ///   - folder: where another daemon was, to take its place.
    ///   - plugins: a folder with manifests.
    ///   - policy: what it has of the policy, an object as text.
    init(
        in folder: TemporaryFolder? = nil, plugins: TemporaryFolder? = nil, policy: String = "{}"
    ) throws {
        let arguments = plugins.map { ["--plugin-dir", $0.path] } ?? []
        daemon = try TestDaemon(
            policy: policy, arguments: ["--test-mode"] + arguments, in: folder)
        admin = try Link(Self.options(daemon.socketPath), roles: .admin) { AdminRole() }
    }

    deinit {
        admin.close()
    }

    var options: ClientOptions {
        Self.options(daemon.socketPath)
    }

    private static func options(_ path: String) -> ClientOptions {
        var options = ClientOptions(name: "test")
        options.socketPath = path
        options.firstRetryMS = 1
        options.goodbyeMS = 300_000
        return options
    }

    /// Waits until no peer owes the broker an answer, apart from these.
    func settle(without ignored: ProviderID...) async throws {
        try await admin.request(
            .awaitSettled, { $0.member("ignore", words: ignored.map(\.name)) }
        ) { _ in () }
    }

    func advance(_ milliseconds: Int) async throws {
        try await admin.request(.advance, { $0.member("ms", milliseconds) }) { _ in () }
    }
}

private final class AdminRole: LinkRole {
    func open(_ loop: LinkLoop) { loop.opened() }
    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {}
    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {}
    func opened(_ loop: LinkLoop) {}
    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {}
    func lost(_ loop: LinkLoop) {}
    func ended(_ error: CallError?) {}
}

extension Handle {
    static let ann = Handle(kind: .phone, value: "+15550101")
    static let bob = Handle(kind: .phone, value: "+15550102")
}

extension CallUpdate {
    init(from remote: Handle) {
        self.init()
        self.remote = .set(remote)
    }
}

extension ProviderConfiguration {
    static let phone = ProviderConfiguration(displayName: "Phone", handleKinds: [.phone])
}
