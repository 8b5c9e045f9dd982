internal import BrokerSocket
internal import CallPlugins

/// A provider that shall be checked: what to run, and how it talks to its broker.
package struct ProviderProgram {
    package enum Transport: String, CaseIterable, Sendable {
        /// A stream on its standard input and output.
        case stdio
        /// A stream on descriptor 3; what it prints is its log.
        case fd3
        /// It connects to `BROKER_SOCKET`.
        case connect
    }

    package var arguments: [String]
    /// Where it starts; nil for where we are.
    package var folder: String?
    package var transport = Transport.connect
    /// It says nothing of itself: its manifest does.
    package var isImplicit = false
    /// What it must call itself; nil if nobody says.
    package var identity: String?
    /// The members of `provider.register` in its manifest.
    package var registration: JSONTree?
    package var environment: [String: String]
    package var stopTimeoutMS = 5_000
    /// A shell command that makes somebody call.
    package var ring: String?
    /// A shell command that makes the program, before it is run.
    package var build: String?
    /// Its manifest, by which the broker knows what it may do, and its options.
    var plugin: PluginCatalogue.Entry?

    package init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }
}

extension ProviderProgram {
    /// Runs the command that makes the program. It says what it has to say on standard error.
    ///
    /// - Returns: Whether there is a program now.
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
    /// A program that runs.
    struct Started {
        let process: ChildProgram
        /// Where its frames go, unless it connects by itself.
        let stream: PolledStream?
        /// What it prints.
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
    /// What stands in the way of running what a manifest describes.
    package struct ManifestFault: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the manifest of a plugin, as the broker does.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - more: arguments behind those of the manifest.
    package init(
        manifest path: String, _ more: [String], environment: [String: String]
    ) throws(ManifestFault) {
        let file = HostProcess.absolute(path)
        let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        let (manifest, tree) = try Self.read(path)
        guard let program = manifest?.program else {
            throw ManifestFault(
                description: "\(path): there is no \"exec\": "
                    + "an app that nobody starts is checked by its program")
        }
        var environment = program.environment(from: environment)
        // What nobody has chosen: these are its options before its user sets any.
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
            PluginCatalogue.Entry(
                identity: manifest.identity, path: file, content: .usable(manifest))
        }
        registration = tree["provider"]
        stopTimeoutMS = manifest?.stopTimeoutMS ?? stopTimeoutMS
        ring = tree["x_ring"]?.string
        build = tree["x_build"]?.string
    }

    /// What it means, and what it says besides.
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
