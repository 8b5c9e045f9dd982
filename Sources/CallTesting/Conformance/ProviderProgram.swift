internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// The description of a provider to check: its command, and its connection to the broker.
package struct ProviderProgram {
    /// The way in which a program is connected to its broker.
    package enum Transport: String, CaseIterable, Sendable {
        /// Standard input and output.
        case stdio
        /// File descriptor 3; standard output is the log.
        case fd3
        /// The program connects to `BROKER_SOCKET`.
        case connect
    }

    package var arguments: [String]
    /// The working folder; nil for the current one.
    package var folder: String?
    package var transport = Transport.connect
    /// True if the manifest registers the program, without a hello of its own.
    package var isImplicit = false
    /// The identity that the program's hello must have; nil if none is prescribed.
    package var identity: String?
    /// The members of `provider.register` in its manifest.
    package var registration: JSONTree?
    package var environment: [String: String]
    package var stopTimeoutMS = 5_000
    /// A shell command that causes an incoming call.
    package var ring: String?
    /// A shell command that causes a call on another device of the same account.
    package var external: String?
    /// A shell command that causes an incoming call whose caller has priority by the program's word.
    package var priority: String?
    /// A shell command that causes an incoming call that the program reports as a background call.
    package var background: String?
    /// True if the program may be named in the policy `handover.observers`.
    package var delaysAudio = false
    /// A shell command that builds the program before it is run.
    package var build: String?
    /// The manifest, from which the broker reads roles and options.
    var plugin: PluginCatalog.Entry?

    /// The roles in its manifest; that of a provider without one.
    var roles: RoleSet {
        guard case .usable(let manifest) = plugin?.content else { return .provider }
        return manifest.roles
    }

    var isProvider: Bool {
        roles.contains(.provider)
    }

    package init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }
}

extension ProviderProgram {
    /// Runs the build command, whose output goes to standard error.
    ///
    /// - Returns: true if it succeeded, or if there is none.
    package func make() throws -> Bool {
        guard let build else { return true }
        let child = try ChildProgram(
            ["/bin/sh", "-c", build], environment: environment, folder: folder,
            descriptors: [(ours: 2, theirs: 1)])
        while child.reap() == nil {
            PolledStream.wait(for: [child.exitDescriptor], milliseconds: 60_000)
        }
        return child.exit == .status(0)
    }
}

extension ProviderProgram {
    /// A running program.
    struct Started {
        let process: ChildProgram
        /// The stream of the program's frames; nil if the program connects by itself.
        let stream: PolledStream?
        /// The stream of the program's log output.
        let log: PolledStream
    }

    func start(environment: [String: String]) throws(SocketError) -> Started {
        let (log, theirLog) = try PolledStream.pair()
        theirLog.makeBlocking()
        let (ours, theirs) = try PolledStream.pair()
        theirs.makeBlocking()
        var descriptors = [(theirLog.descriptor, Int32(2))]
        switch transport {
        case .stdio: descriptors += [(theirs.descriptor, 0), (theirs.descriptor, 1)]
        case .fd3: descriptors += [(theirLog.descriptor, 1), (theirs.descriptor, 3)]
        case .connect: descriptors += [(theirLog.descriptor, 1)]
        }
        let process = try ChildProgram(
            arguments, environment: environment, folder: folder, descriptors: descriptors)
        return Started(
            process: process, stream: transport == .connect ? nil : ours, log: log)
    }
}

// MARK: - Manifests

extension ProviderProgram {
    /// The error of a manifest that cannot be used.
    package struct ManifestFault: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the manifest of a plugin, as the broker does.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - more: arguments after those of the manifest.
    ///   - environment: the variables of the program.
    package init(
        manifest path: String, _ more: [String], environment: [String: String]
    ) throws(ManifestFault) {
        let file = HostProcess.absolute(path)
        let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        let (manifest, tree) = try Self.read(path)
        guard let program = manifest?.program else {
            throw ManifestFault(
                description: "\(path): the manifest has no \"exec\", so there is nothing to start: "
                    + "check the program itself instead")
        }
        var environment = program.environment(from: environment)
        // The defaults: its options before the user has set any.
        environment["BROKER_OPTIONS"] = manifest?.environmentOptions(\.fallback)
        let executable = program.path(
            besides: folder, environment, isProgram: HostFile.isProgram)
        self.init(
            arguments: [executable] + program.arguments.dropFirst() + more,
            environment: environment)
        self.folder = program.workingFolder(besides: folder)
        transport = Transport(program.transport)
        isImplicit = manifest?.handshake == .implicit
        identity = manifest?.identity
        plugin = manifest.map { manifest in
            PluginCatalog.Entry(
                identity: manifest.identity, path: file, content: .usable(manifest))
        }
        registration = tree["provider"]
        stopTimeoutMS = manifest?.stopTimeoutMS ?? stopTimeoutMS
        ring = tree["x_ring"]?.string
        external = tree["x_external"]?.string
        priority = tree["x_priority"]?.string
        background = tree["x_background"]?.string
        delaysAudio = tree["x_delays_audio"]?.boolean ?? false
        build = tree["x_build"]?.string
    }

    /// Reads a manifest, also as plain JSON for members that are not part of its schema.
    private static func read(
        _ path: String
    ) throws(ManifestFault) -> (PluginManifest?, JSONTree) {
        do {
            let text = try HostFile.read(path, bytesMax: 1 << 20)
            return (
                try PluginManifest.read(text, file: path),
                try JSONTree(String(decoding: text, as: UTF8.self))
            )
        } catch {
            throw ManifestFault(description: "\(error)")
        }
    }
}

extension ProviderProgram.Transport {
    fileprivate init(_ transport: PluginManifest.Program.Transport) {
        switch transport {
        case .stdio: self = .stdio
        case .fd3: self = .fd3
        case .connect: self = .connect
        }
    }
}
