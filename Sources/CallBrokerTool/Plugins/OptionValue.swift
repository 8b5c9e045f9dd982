internal import BrokerJSON
internal import CallPlugins
internal import CallProtocol

/// The value of a plugin's option, as JSON.
enum OptionValue {
    static func list(_ values: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in for value in values { writer.value(value) } }
        return writer.bytes
    }

    /// Returns the value that a text stands for.
    ///
    /// - Parameter kind: The type of the option, other than `list`.
    static func json(_ text: String, _ kind: String) throws(ToolFailure) -> [UInt8] {
        var writer = JSONWriter()
        switch kind {
        case "int":
            guard let number = Int64(text) else {
                throw wrong(Messages.pluginOptionInteger(value: text))
            }
            writer.value(number)
        case "bool":
            guard let flag = Bool(text) else {
                throw wrong(Messages.pluginOptionBoolean(value: text))
            }
            writer.value(flag)
        default: writer.value(text)
        }
        return writer.bytes
    }

    private static func wrong(_ message: String) -> ToolFailure {
        ToolFailure(.usage, message)
    }
}

/// The names and types of a plugin's options.
struct OptionKinds {
    private let plugin: String
    private let kinds: [(name: String, kind: String)]

    init(_ manifest: PluginManifest) {
        plugin = manifest.identity
        kinds = manifest.options.map { ($0.name, $0.kind.rawValue) }
    }

    init(of plugin: String, _ session: Session) throws(ToolFailure) {
        let reply = try session.request(.listPlugins) { $0.member("plugin", plugin) }
        let options = reply.result["plugins"]?[0]?["options"].map { Array($0.elements) } ?? []
        self.plugin = plugin
        kinds = options.compactMap { option in
            guard let name = option["option"]?.string, let kind = option["type"]?.string else {
                return nil
            }
            return (name, kind)
        }
    }

    /// Returns the type of an option; fails if the plugin has no such option.
    func kind(of option: String) throws(ToolFailure) -> String {
        if let found = kinds.first(where: { $0.name == option }) { return found.kind }
        let near = NearestName.find(option, in: kinds.map(\.name)).map {
            Messages.pluginNoOptionNear(plugin: plugin, option: option, name: $0)
        }
        let message = near ?? Messages.pluginNoOption(plugin: plugin, option: option)
        throw ToolFailure(.usage, message.printable)
    }
}

/// An option and its value, written as NAME=VALUE; the values of a list are separated by spaces.
struct OptionSetting {
    let name: String
    private let text: String

    init(_ word: String) throws(ToolFailure) {
        guard let mark = word.firstIndex(of: "="), mark > word.startIndex else {
            throw ToolFailure(.usage, Messages.pluginOptionForm(word: word.printable))
        }
        name = String(word[..<mark])
        text = String(word[word.index(after: mark)...])
    }

    /// Returns the value as JSON.
    func value(_ kinds: OptionKinds) throws(ToolFailure) -> [UInt8] {
        let kind = try kinds.kind(of: name)
        guard kind != "list" else {
            return OptionValue.list(text.split(separator: " ").map(String.init))
        }
        return try OptionValue.json(text, kind)
    }
}

extension Session {
    /// Sets an option of a plugin to a JSON value.
    func setOption(
        _ option: String, of plugin: String, to value: [UInt8]
    ) throws(ToolFailure) -> Reply {
        try request(.setPluginOption) { writer in
            writer.member("plugin", plugin)
            writer.member("option", option)
            writer.name("value")
            writer.value(json: value)
        }
    }
}
