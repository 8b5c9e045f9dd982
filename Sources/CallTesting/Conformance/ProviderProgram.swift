internal import BrokerSocket

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

// MARK: - Manifests

extension ProviderProgram {
    /// What stands in the way of running what a manifest describes.
    package struct ManifestFault: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a started plugin finds in its environment besides what its manifest wants.
    private static let passed = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER", "XDG_RUNTIME_DIR",
    ]

    /// Reads the manifest of a plugin.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - more: arguments behind those of the manifest.
    package init(
        manifest path: String, _ more: [String], environment: [String: String]
    ) throws(ManifestFault) {
        func fault(_ text: String) -> ManifestFault {
            ManifestFault(description: "\(path): \(text)")
        }
        let tree: JSONTree
        do {
            let bytes = try HostFile.read(path, bytesMax: 1 << 20)
            tree = try JSONTree(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw fault("\(error)")
        }
        guard case .object = tree else { throw fault("a manifest is one JSON object") }
        let words = tree["exec"]?.elements.compactMap(\.string) ?? []
        guard let program = words.first else {
            throw fault("there is no \"exec\": an app that nobody starts is checked by its program")
        }
        let file = Self.absolute(path, in: HostProcess.workingFolder)
        let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        self.init(arguments: words + more, environment: environment)
        self.folder = tree["cwd"]?.string.map { Self.absolute($0, in: folder) } ?? folder
        if program.contains("/") { arguments[0] = Self.absolute(program, in: folder) }
        guard let transport = Transport(rawValue: tree["transport"]?.string ?? "stdio") else {
            throw fault("\"transport\" is none of stdio, fd3, connect")
        }
        self.transport = transport
        isImplicit = tree["handshake"]?.string == "implicit"
        if isImplicit, transport != .stdio {
            throw fault("\"handshake\": \"implicit\" goes with \"transport\": \"stdio\" only")
        }
        identity = tree["identity"]?.string
        registration = tree["provider"]
        stopTimeoutMS = tree["stop_timeout_ms"]?.integer ?? 5_000
        ring = tree["x_ring"]?.string
        build = tree["x_build"]?.string
        takeEnvironment(of: tree)
    }

    private mutating func takeEnvironment(of manifest: JSONTree) {
        let names = Self.passed + (manifest["env_pass"]?.elements.compactMap(\.string) ?? [])
        environment = environment.filter { names.contains($0.key) }
        for member in manifest["env"]?.members ?? [] {
            environment[member.name] = member.value.string
        }
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") { return path }
        return "\(folder)/\(path.hasPrefix("./") ? path.dropFirst(2) : path[...])"
    }
}
