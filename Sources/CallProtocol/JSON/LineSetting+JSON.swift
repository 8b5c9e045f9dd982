package import BrokerJSON
package import CallModel

extension LineSetting {
    /// Reads a checked setting; nil if its kind is not known.
    package init?(checked value: JSONValue?) {
        guard let kind = value?["setting"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind, isOn: value?["on"]?.boolean ?? false,
            to: value?["to"].map { Handle(checked: $0) },
            afterMS: value?["after_ms"]?.integer.map(Int.init))
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, settings: [LineSetting]) {
        self.name(name)
        array { writer in
            for setting in settings { writer.object { $0.members(of: setting) } }
        }
    }

    package mutating func members(of setting: LineSetting) {
        member("setting", setting.kind.rawValue)
        member("on", setting.isOn)
        if let to = setting.to { member("to", to) }
        member("after_ms", ifSet: setting.afterMS)
    }
}
