package import BrokerJSON
package import CallModel

extension Handle {
    /// Reads a checked `{type, value}`.
    package init(checked value: JSONValue) {
        self.init(kind: Kind(value["type"]), value: value["value"]?.string ?? "")
    }
}

extension Handle.Kind {
    /// Reads the kind; an unknown one is an address that only its app understands.
    init(_ value: JSONValue?) {
        guard let utf8 = value?.utf8 else {
            self = .generic
            return
        }
        if utf8.reads("phone") {
            self = .phone
        } else if utf8.reads("email") {
            self = .email
        } else if utf8.reads("generic") {
            self = .generic
        } else {
            self = .other(String(decoding: utf8, as: UTF8.self))
        }
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ handle: Handle) {
        self.name(name)
        value(handle)
    }

    package mutating func value(_ handle: Handle) {
        object { writer in
            writer.name("type")
            writer.value(handle.kind)
            writer.member("value", handle.value)
        }
    }

    mutating func value(_ kind: Handle.Kind) {
        switch kind {
        case .phone: value("phone" as StaticString)
        case .email: value("email" as StaticString)
        case .generic: value("generic" as StaticString)
        case .other(let name): value(name)
        }
    }
}
