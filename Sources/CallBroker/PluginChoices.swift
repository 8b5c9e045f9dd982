internal import BrokerJSON
internal import CallPlugins

/// What its user has chosen for a plugin. Kept in `plugins.json`.
struct PluginChoices: Equatable {
    var isEnabled = true
    var values: [String: PluginValue] = [:]

    var isUsual: Bool {
        isEnabled && values.isEmpty
    }

    /// All choices, as they are kept. In order, so that the same choices are the same file.
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
        guard !values.isEmpty else { return }
        writer.name("options")
        writer.object { writer in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                writer.value(value)
            }
        }
    }

    /// What was kept before.
    static func read(_ text: [UInt8]) throws(JSONFault) -> [String: PluginChoices] {
        let document = try JSONDocument(parsing: text)
        var all: [String: PluginChoices] = [:]
        document.root["plugins"]?.forEachMember { name, value in
            all[String(decoding: name, as: UTF8.self)] = PluginChoices(value)
        }
        return all
    }

    init() {}

    private init(_ value: JSONValue) {
        isEnabled = !(value["disabled"]?.boolean ?? false)
        var values: [String: PluginValue] = [:]
        value["options"]?.forEachMember { name, value in
            let kinds: [PluginOption.Kind] = [.string, .int, .bool, .list]
            guard let read = kinds.lazy.compactMap({ PluginValue(value, as: $0) }).first else {
                return
            }
            values[String(decoding: name, as: UTF8.self)] = read
        }
        self.values = values
    }
}
