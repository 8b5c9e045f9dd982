internal import BrokerJSON
internal import CallPlugins
internal import CallProtocol

/// The user's settings of a plugin, and data that outlives its manifest. Saved in `plugins.json`.
struct PluginChoices: Equatable {
    var isEnabled = true
    var values: [String: PluginValue] = [:]
    /// The path of the manifest that makes the plugin required.
    var requiredBy: String?

    var isDefault: Bool {
        isEnabled && values.isEmpty && requiredBy == nil
    }

    /// Returns the content of the file, sorted by name, so that equal settings have equal files.
    static func write(_ all: [(identity: String, choices: PluginChoices)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("plugins")
            writer.object { writer in
                for (identity, choices) in all.sorted(by: { $0.identity < $1.identity }) {
                    writer.name(identity)
                    writer.object { choices.write(to: &$0) }
                }
            }
        }
        writer.endLine()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        if !isEnabled { writer.member("disabled", true) }
        writer.member("required_by", ifSet: requiredBy)
        guard !values.isEmpty else { return }
        writer.name("options")
        writer.object { writer in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                writer.value(value)
            }
        }
    }

    /// The error of a file that the broker has not written.
    struct Fault: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// Reads the content of a file, or throws if any of it is invalid.
    static func read(_ text: [UInt8]) throws(Fault) -> [String: PluginChoices] {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(parsing: text)
        } catch {
            throw Fault(
                description:
                    "line \(error.position.line), column \(error.position.column): \(error.message)"
            )
        }
        let root = document.root
        guard root.kind == .object else { throw Fault(description: "it is not an object") }
        if let version = root["version"], version.integer != 1 {
            throw Fault(description: "its version is not 1")
        }
        guard let plugins = root["plugins"], plugins.kind == .object else {
            throw Fault(description: "plugins is not an object")
        }
        var all: [String: PluginChoices] = [:]
        try plugins.forEachMember { (name, value) throws(Fault) in
            let identity = String(decoding: name, as: UTF8.self)
            guard let choices = PluginChoices(value) else {
                throw Fault(description: "the entry of \(identity.printable) is invalid")
            }
            all[identity] = choices
        }
        return all
    }

    init() {}

    /// Reads an entry; nil if the broker has not written it.
    private init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        if let disabled = value["disabled"] {
            guard let isDisabled = disabled.boolean else { return nil }
            isEnabled = !isDisabled
        }
        if let path = value["required_by"] {
            guard let path = path.string else { return nil }
            requiredBy = path
        }
        guard let options = value["options"] else { return }
        guard options.kind == .object else { return nil }
        var isWhole = true
        options.forEachMember { name, value in
            let kinds: [PluginOption.Kind] = [.string, .int, .bool, .list]
            guard let read = kinds.lazy.compactMap({ PluginValue(value, as: $0) }).first else {
                return isWhole = false
            }
            values[String(decoding: name, as: UTF8.self)] = read
        }
        guard isWhole else { return nil }
    }
}
