package import BrokerJSON

extension PluginValue {
    private static let bytesMax = 4_096
    private static let elementsMax = 64

    /// Parses a value; nil if it is of another type, or too long.
    package init?(_ value: JSONValue, as kind: PluginOption.Kind) {
        switch kind {
        case .string, .secret:
            guard let text = value.string, text.utf8.count <= Self.bytesMax else { return nil }
            self = .string(text)
        case .int:
            guard let number = value.integer else { return nil }
            self = .int(number)
        case .bool:
            guard let flag = value.boolean else { return nil }
            self = .bool(flag)
        case .list:
            let texts = value.elements.compactMap(\.string)
            guard value.kind == .array, texts.count == value.count,
                texts.count <= Self.elementsMax,
                texts.reduce(0, { $0 + $1.utf8.count }) <= Self.bytesMax
            else { return nil }
            self = .list(texts)
        }
    }

    /// Returns whether an option of that type may have the value.
    package func fits(_ kind: PluginOption.Kind) -> Bool {
        switch (self, kind) {
        case (.string, .string), (.string, .secret), (.int, .int), (.bool, .bool), (.list, .list):
            true
        case (.string, _), (.int, _), (.bool, _), (.list, _): false
        }
    }
}

extension PluginOption.Kind {
    /// A description of the type, for errors.
    package var words: StaticString {
        switch self {
        case .string, .secret: "a string of at most 4096 bytes"
        case .int: "an integer"
        case .bool: "true or false"
        case .list: "an array of at most 64 strings"
        }
    }
}

extension JSONWriter {
    /// Writes the value of an option.
    package mutating func value(_ value: PluginValue) {
        switch value {
        case .string(let text): self.value(text)
        case .int(let number): self.value(number)
        case .bool(let flag): self.value(flag)
        case .list(let texts): array { writer in for text in texts { writer.value(text) } }
        }
    }
}
