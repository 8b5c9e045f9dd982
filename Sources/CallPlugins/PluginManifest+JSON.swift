internal import BrokerJSON
internal import CallModel
internal import CallProtocol

extension PluginManifest {
    /// The end of a manifest's file name.
    package static let suffix = ".plugin.json"

    /// Reads a manifest.
    ///
    /// - Parameter file: The path, for errors; its name must match the identity.
    /// - Returns: The manifest; nil for an empty object, which hides manifests with the same name.
    package static func read(
        _ text: [UInt8], file: String
    ) throws(ManifestFault) -> PluginManifest? {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(parsing: text)
        } catch {
            throw ManifestFault(file, line: error.position.line, error.message)
        }
        let root = document.root
        if root.kind == .object, root.count == 0 { return nil }
        return try ManifestReader(file: file, text: text).read(root)
    }
}

/// A reader of a manifest's JSON. Every error has its line.
private struct ManifestReader {
    let file: String
    let text: [UInt8]

    func read(_ root: JSONValue) throws(ManifestFault) -> PluginManifest {
        do throws(SchemaFault) {
            try Schema.object(ManifestSchemas.members).check(root)
        } catch {
            let message =
                error.isUnknownMember
                ? "is not a member of manifests; custom members begin with x_" : error.message
            throw fault(error.pointer, message)
        }
        let identity = root["identity"]?.string ?? ""
        guard file.split(separator: "/").last.map(String.init) == identity + PluginManifest.suffix
        else { throw fault("/identity", "must match the name of the file") }
        var manifest = PluginManifest(
            identity: identity, name: root["name"]?.string ?? identity, roles: roles(root))
        manifest.version = root["version"]?.string
        manifest.summary = root["description"]?.string
        manifest.protocolMajors = try protocolMajors(root)
        manifest.program = try program(root)
        try readLifecycle(root, &manifest)
        try readRoles(root, &manifest)
        manifest.options = try options(root)
        manifest.needs = try needs(root)
        return manifest
    }

    private func fault(_ pointer: String, _ reason: String) -> ManifestFault {
        let path = pointer.split(separator: "/").joined(separator: ".")
        return ManifestFault(
            file, line: JSONLocator.line(of: pointer, in: text),
            path.isEmpty ? "the manifest \(reason)" : "\(path) \(reason)")
    }

    // MARK: - The process

    private static let processMembers: [StaticString] = [
        "transport", "handshake", "start", "restart", "env", "env_pass", "cwd",
        "stop_timeout_ms", "memory_mb", "nofile", "children",
    ]

    private func program(_ root: JSONValue) throws(ManifestFault) -> PluginManifest.Program? {
        guard let exec = root["exec"] else {
            for name in Self.processMembers where root[name] != nil {
                throw fault(
                    "/\(name)", "applies only to plugins that the broker starts: exec is missing")
            }
            return nil
        }
        var program = PluginManifest.Program(exec.elements.compactMap(\.string))
        if let word = root["transport"]?.string.flatMap(
            PluginManifest.Program.Transport.init(rawValue:))
        {
            program.transport = word
        }
        program.environment = try environment(root)
        program.passedVariables = try passedVariables(root)
        program.folder = root["cwd"]?.string
        program.memoryMB = root["memory_mb"]?.integer.map(Int.init)
        program.descriptors = root["nofile"]?.integer.map(Int.init)
        if let word: PluginManifest.Program.Children = word(root["children"]) {
            program.children = word
        }
        return program
    }

    private func environment(
        _ root: JSONValue
    ) throws(ManifestFault) -> [PluginManifest.Variable] {
        var variables: [PluginManifest.Variable] = []
        try root["env"]?.forEachMember { (name, value) throws(ManifestFault) in
            let name = String(decoding: name, as: UTF8.self)
            guard Self.isVariable(name), name != "BROKER_SOCKET" else {
                throw fault("/env", "has a member that is not a valid variable name")
            }
            guard let text = value.string, text.utf8.count <= 4_096 else {
                throw fault("/env/\(name)", "must be a string of at most 4096 bytes")
            }
            variables.append(PluginManifest.Variable(name, text))
        }
        return variables
    }

    private func passedVariables(_ root: JSONValue) throws(ManifestFault) -> [String] {
        let names = root["env_pass"]?.elements.compactMap(\.string) ?? []
        for (index, name) in names.enumerated() where !Self.isVariable(name) {
            throw fault("/env_pass/\(index)", "is not a valid variable name")
        }
        return names
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return false }
        return name.utf8.count <= 128
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private func readLifecycle(
        _ root: JSONValue, _ manifest: inout PluginManifest
    ) throws(ManifestFault) {
        if let word: PluginManifest.Handshake = word(root["handshake"]) {
            manifest.handshake = word
        }
        if let word: PluginManifest.Start = word(root["start"]) { manifest.start = word }
        if let word: PluginManifest.Restart = word(root["restart"]) { manifest.restart = word }
        if let timeout = root["stop_timeout_ms"]?.integer { manifest.stopTimeoutMS = Int(timeout) }
        if let isPinged = root["ping"]?.boolean { manifest.isPinged = isPinged }
        if manifest.handshake == .implicit, manifest.program?.transport != .stdio {
            throw fault("/handshake", "can be implicit only with the transport stdio")
        }
    }

    private func word<Word: RawRepresentable>(_ value: JSONValue?) -> Word?
    where Word.RawValue == String {
        value?.string.flatMap(Word.init(rawValue:))
    }

    // MARK: - The roles

    private func roles(_ root: JSONValue) -> RoleSet {
        var roles: RoleSet = []
        for role in root["roles"]?.elements.compactMap(\.string).compactMap(Role.init) ?? [] {
            roles.insert(RoleSet(role))
        }
        return roles
    }

    private func protocolMajors(_ root: JSONValue) throws(ManifestFault) -> ClosedRange<Int> {
        guard let majors = root["protocol"] else { return Release.protocolMajors }
        let (least, most) = (majors["min"]?.integer ?? 0, majors["max"]?.integer ?? 0)
        guard least <= most else { throw fault("/protocol", "must have a min not above its max") }
        let range = Int(least)...Int(most)
        guard range.overlaps(Release.protocolMajors) else {
            throw fault(
                "/protocol",
                "includes no version that the broker supports ("
                    + "\(Release.protocolMajors.lowerBound) to \(Release.protocolMajors.upperBound))"
            )
        }
        return range
    }

    private func readRoles(
        _ root: JSONValue, _ manifest: inout PluginManifest
    ) throws(ManifestFault) {
        let names: [(StaticString, Role)] = [
            ("provider", .provider), ("screener", .screener), ("directory", .directory),
            ("ui", .ui),
        ]
        for (name, role) in names
        where root[name] != nil && !manifest.roles.contains(RoleSet(role)) {
            throw fault("/\(name)", "applies only to plugins with that role: add it to roles")
        }
        if let provider = root["provider"] {
            var configuration = ProviderConfiguration(checked: provider)
            if configuration.displayName.isEmpty { configuration.displayName = manifest.name }
            manifest.provider = configuration
        } else if manifest.handshake == .implicit, manifest.roles.contains(.provider) {
            throw fault("/handshake", "is implicit, which requires the member provider")
        }
        manifest.screener = root["screener"].map(screening)
        manifest.directory = root["directory"].map(screening)
        manifest.screen = root["ui"].map { ui in
            PluginManifest.Screen(
                priority: Int(ui["priority"]?.integer ?? 0), rings: ui["sound"]?.boolean ?? false)
        }
        manifest.events = try topics(root, manifest.roles)
    }

    private func screening(_ value: JSONValue) -> PluginManifest.Screening {
        var screening = PluginManifest.Screening()
        screening.failsClosed = value["fail"]?.string == "closed"
        screening.budgetMS = value["budget_ms"]?.integer.map(Int.init)
        screening.priority = Int(value["priority"]?.integer ?? 0)
        return screening
    }

    private func topics(
        _ root: JSONValue, _ roles: RoleSet
    ) throws(ManifestFault) -> TopicSet {
        var topics: TopicSet = []
        let patterns = root["events"]?.elements.compactMap(\.string) ?? []
        for (index, pattern) in patterns.enumerated() {
            guard let named = TopicSet(pattern: pattern) else {
                throw fault("/events/\(index)", "matches no topic; rpc.discover lists them")
            }
            if !roles.contains(.admin), named.topics.contains(where: \.isConfidential) {
                throw fault("/events/\(index)", "requires the role admin")
            }
            topics.formUnion(named)
        }
        return topics
    }

    // MARK: - The options

    private func options(_ root: JSONValue) throws(ManifestFault) -> [PluginOption] {
        var options: [PluginOption] = []
        for value in root["options"]?.elements.map({ $0 }) ?? [] {
            let path = "/options/\(options.count)"
            let name = value["option"]?.string ?? ""
            guard !options.contains(where: { $0.name == name }) else {
                throw fault(path + "/option", "repeats the name of an earlier option")
            }
            let kind: PluginOption.Kind = word(value["type"]) ?? .string
            options.append(
                PluginOption(
                    name, kind, fallback: try fallback(value["default"], kind, path),
                    summary: value["description"]?.string,
                    isDynamic: value["dynamic"]?.boolean ?? false,
                    isAsked: value["setup"]?.boolean ?? false))
        }
        return options
    }

    private func fallback(
        _ value: JSONValue?, _ kind: PluginOption.Kind, _ path: String
    ) throws(ManifestFault) -> PluginValue? {
        guard let value else { return nil }
        guard let fallback = PluginValue(value, as: kind) else {
            throw fault(path + "/default", "must be \(kind.words)")
        }
        return fallback
    }

    // MARK: - What it needs

    private func needs(_ root: JSONValue) throws(ManifestFault) -> [PluginManifest.Need] {
        var needs: [PluginManifest.Need] = []
        for value in root["needs"]?.elements.map({ $0 }) ?? [] {
            needs.append(try need(value, "/needs/\(needs.count)"))
        }
        return needs
    }

    private func need(
        _ value: JSONValue, _ path: String
    ) throws(ManifestFault) -> PluginManifest.Need {
        var things = things(value)
        if let alternatives = value["one_of"]?.elements {
            var needs: [PluginManifest.Need] = []
            for each in alternatives {
                needs.append(try need(each, path + "/one_of/\(needs.count)"))
            }
            things.append(.oneOf(needs))
        }
        guard things.count == 1, let thing = things.first else {
            throw fault(path, "must have one of program, module, bus_name and one_of")
        }
        if value["bus"] != nil, value["bus_name"] == nil {
            throw fault(path + "/bus", "applies only to a bus_name")
        }
        return PluginManifest.Need(
            thing, package: value["package"]?.string, options: try options(value, path))
    }

    private func options(
        _ value: JSONValue, _ path: String
    ) throws(ManifestFault) -> [String: String] {
        var options: [String: String] = [:]
        try value["options"]?.forEachMember { (name, value) throws(ManifestFault) in
            let name = String(decoding: name, as: UTF8.self)
            guard let text = value.string else {
                throw fault(path + "/options/\(name)", "must be a string")
            }
            options[name] = text
        }
        return options
    }

    private func things(_ value: JSONValue) -> [PluginManifest.Need.Thing] {
        let bus: PluginManifest.Need.Bus = word(value["bus"]) ?? .session
        let things: [PluginManifest.Need.Thing?] = [
            value["program"]?.string.map { .program($0) },
            value["module"]?.string.map { .module($0) },
            value["bus_name"]?.string.map { .service($0, bus) },
        ]
        return things.compactMap(\.self)
    }
}
