package import BrokerJSON
package import CallModel

extension StartBy {
    /// Creates the name in a checked object; nil for null.
    package init?(checked value: JSONValue) {
        if let name = value["dbus"]?.string {
            self = .dbus(name)
        } else if let name = value["desktop"]?.string {
            self = .desktop(name)
        } else {
            return nil
        }
    }
}

extension JSONWriter {
    /// Writes the name by which an app is started, if it has one.
    package mutating func member(_ name: StaticString, ifSet startBy: StartBy?) {
        guard let startBy else { return }
        self.name(name)
        object { writer in
            switch startBy {
            case .dbus(let name): writer.member("dbus", name)
            case .desktop(let name): writer.member("desktop", name)
            }
        }
    }
}
