internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The apps that a call can start, as they have registered (`start_by`), and those that are being
/// started. Which ones there are follows from the registrations and the policy, which the journal
/// has.
///
/// An app is started by another run of this program, which reads files and waits for the session
/// bus in the place of the loop.
final class StartableApps: BrokerPart {
    /// A program that starts an app.
    private struct Starter {
        let process: ChildProcess
        let provider: ProviderID
    }

    private struct Start {
        let timer: BrokerTimers.Handle
        var starter: ObjectIdentifier?
    }

    private var configurations: [ProviderID: ProviderConfiguration] = [:]
    /// The apps that are to register.
    private var starts: [ProviderID: Start] = [:]
    /// The programs that run, by the watches of their processes.
    private var starters: [ObjectIdentifier: Starter] = [:]

    /// The time for an app to register: that of a plugin.
    private static let startMS = SupervisionPolicy().helloMS + SupervisionPolicy().registerMS

    // MARK: - Reading

    /// The apps that a call can start, whether they run or not.
    var all: [ProviderID] {
        configurations.keys.sorted()
    }

    /// The latest configuration of an app that a call can start; nil for others.
    func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        configurations[provider]
    }

    /// Writes the apps that do not run, as far as the peer sees them.
    func write(for peer: Peer, to writer: inout JSONWriter) {
        let absent = all.filter {
            peer.sees(callsOf: $0) && !(broker.sessions[$0]?.isRegistered ?? false)
        }
        guard !absent.isEmpty else { return }
        writer.name("startable")
        writer.array { writer in
            for provider in absent {
                writer.object { writer in
                    writer.member("provider", provider)
                    writer.member("display_name", ifSet: configurations[provider]?.displayName)
                    writer.member("start_by", ifSet: configurations[provider]?.startBy)
                    if let types = configurations[provider]?.pushTypes, !types.isEmpty {
                        writer.member("push_types", words: types)
                    }
                    writer.member(
                        "authorization",
                        broker.policy.choices.authorization(of: provider).rawValue)
                }
            }
        }
    }

    // MARK: - Registrations

    /// Checks that the client of a registration may say how it is started.
    func check(_ configuration: ProviderConfiguration, of peer: Peer) throws(RPCError) {
        guard let startBy = configuration.startBy, let provider = peer.session?.provider else {
            return
        }
        guard peer.plugin == nil else { throw Self.fault("a plugin is started by its manifest") }
        guard !peer.rights.isRedacted, broker.peers.isTrusted(peer) else {
            throw RPCError(
                .permissionDenied, reason: .limitedView, "this client may not have itself started"
            ).with { $0.field = "/start_by" }
        }
        guard peer.process?.mayBeStarted(by: startBy) ?? false else {
            throw Self.fault("a program in a sandbox can only name itself")
        }
        guard configurations[provider] != nil || configurations.count < ProviderSchemas.startableMax
        else {
            throw RPCError(
                .limitReached, reason: .maxEntries, "too many apps have said how they are started"
            ).with {
                $0.field = "/start_by"
                $0.limit = RPCError.Limit(name: "startable", value: ProviderSchemas.startableMax)
            }
        }
    }

    private static func fault(_ message: StaticString) -> RPCError {
        RPCError(.invalidParams, reason: .invalidValue, "\(message)").with {
            $0.field = "/start_by"
            $0.hint = "leave start_by out"
        }
    }

    /// Records what a registered app has said, and that it is there.
    func record(_ provider: ProviderID) {
        finish(provider)
        guard let configuration = broker.configuration(of: provider) else { return }
        let isWanted =
            configuration.startBy != nil
            && broker.policy.choices.authorization(of: provider) != .denied
        configurations[provider] = isWanted ? configuration : nil
    }

    /// Forgets the apps that the user has denied.
    func forgetDenied() {
        for provider in all where broker.policy.choices.authorization(of: provider) == .denied {
            finish(provider)
            configurations[provider] = nil
        }
    }

    // MARK: - Starting

    /// Starts an app that is to register.
    func start(_ provider: ProviderID) {
        guard let startBy = configurations[provider]?.startBy, starts[provider] == nil else {
            return
        }
        let timer = broker.timers.start(afterMS: Self.startMS, .startingApp(provider))
        starts[provider] = Start(timer: timer)
        guard let host = broker.plugins.host else { return fail(provider, .notStarted) }
        do throws(SocketError) {
            let process = try host.spawn(host.starter(of: startBy, for: provider))
            let watch = ObjectIdentifier(process.watch)
            starters[watch] = Starter(process: process, provider: provider)
            starts[provider]?.starter = watch
        } catch {
            broker.logger.warning("cannot start \(provider.name): \(error)")
            fail(provider, nil)
        }
    }

    /// Handles the exit of a program that has started an app, or could not.
    ///
    /// - Returns: false if the process is none of these programs.
    func handleExit(of process: ProcessWatch) -> Bool {
        let watch = ObjectIdentifier(process)
        guard let starter = starters[watch] else { return false }
        guard let exit = starter.process.reap() else { return true }
        starters[watch] = nil
        process.stop()
        starter.process.log.stop()
        if starts[starter.provider]?.starter == watch, let fault = AppStartFault(exit) {
            fail(starter.provider, fault)
        }
        return true
    }

    /// Handles an app that has not registered in time.
    func expire(_ provider: ProviderID) {
        fail(provider, .notRegistered)
    }

    /// - Parameter fault: the reason to log; nil if it was logged.
    private func fail(_ provider: ProviderID, _ fault: AppStartFault?) {
        if let fault { broker.logger.warning("cannot start \(provider.name): \(fault.words)") }
        finish(provider)
        if broker.arbiter.isStarting(provider) { broker.decide(.providerExited(provider)) }
    }

    /// Ends the program that starts an app, if it still runs.
    private func finish(_ provider: ProviderID) {
        guard let start = starts.removeValue(forKey: provider) else { return }
        broker.timers.cancel(start.timer)
        if let watch = start.starter { starters[watch]?.process.kill() }
    }
}

// Storing and restoring.
extension StartableApps {
    var stored: [StoredStartable] {
        all.compactMap { provider in
            configuration(of: provider).map { StoredStartable(provider, $0) }
        }
    }

    func restore(_ apps: [StoredStartable]) {
        for app in apps { configurations[app.provider] = app.configuration }
    }
}

extension PeerProcess {
    /// Returns whether a name stands for the program itself, if it is in a sandbox.
    fileprivate func mayBeStarted(by startBy: StartBy) -> Bool {
        switch sandbox {
        case .none: return true
        case .flatpak:
            guard let app else { return false }
            let name = startBy.name
            return name == app || name.hasPrefix(app + ".")
        case .snap:
            guard let app, case .desktop(let id) = startBy else { return false }
            return id.hasPrefix(app + "_")
        case .other, .unknown: return false
        }
    }
}

extension StartBy {
    fileprivate var name: String {
        switch self {
        case .dbus(let name), .desktop(let name): name
        }
    }
}

extension PluginHost {
    /// The variables of this process that are about it, and not for apps.
    private static let ownVariables = [
        "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID", "MAINPID",
        "MANAGERPID", "NOTIFY_SOCKET", "SYSTEMD_EXEC_PID", "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    /// Returns the run of this program that starts an app. The app gets the environment of this
    /// process, and outlives it.
    fileprivate func starter(of startBy: StartBy, for provider: ProviderID) -> ChildSettings {
        var variables = appEnvironment.filter { !Self.ownVariables.contains($0.key) }
        variables["BROKER_SOCKET"] = socket
        let words =
            switch startBy {
            case .dbus(let name): ["--dbus", name]
            case .desktop(let id): ["--desktop", id]
            }
        var settings = ChildSettings(
            name: provider.name, program: ownProgram,
            arguments: ["callbroker", "start-app"] + words,
            environment: variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
            folder: variables["HOME"] ?? "/", wiring: .none)
        settings.endsChildren = false
        return settings
    }
}
