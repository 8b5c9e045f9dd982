internal import BrokerJSON
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
            guard let number = Int64(text) else { throw wrong(text, "an integer") }
            writer.value(number)
        case "bool":
            guard let flag = Bool(text) else { throw wrong(text, "true or false") }
            writer.value(flag)
        default: writer.value(text)
        }
        return writer.bytes
    }

    private static func wrong(_ text: String, _ expected: String) -> ToolFailure {
        ToolFailure(
            code: .usage, message: "callbroker: the value must be \(expected), not \(text)")
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
