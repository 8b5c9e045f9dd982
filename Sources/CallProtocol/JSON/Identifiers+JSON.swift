package import BrokerJSON
package import CallModel

extension UUIDBits {
    fileprivate init?(_ value: JSONValue?) {
        guard let utf8 = value?.utf8 else { return nil }
        self.init(utf8: utf8)
    }
}

extension CallID {
    /// Reads the id; nil if there is no value, or if it is not a UUID.
    package init?(_ value: JSONValue?) {
        guard let bits = UUIDBits(value) else { return nil }
        self.init(bits)
    }
}

extension ActionID {
    /// Reads the id; nil if there is no value, or if it is not a UUID.
    package init?(_ value: JSONValue?) {
        guard let bits = UUIDBits(value) else { return nil }
        self.init(bits)
    }
}

extension TransactionID {
    /// Reads the id; nil if there is no value, or if it is not a UUID.
    package init?(_ value: JSONValue?) {
        guard let bits = UUIDBits(value) else { return nil }
        self.init(bits)
    }
}

extension ProviderID {
    /// Reads the identity; nil if there is no value, or if it is not a string.
    package init?(_ value: JSONValue?) {
        guard let name = value?.string else { return nil }
        self.init(name)
    }
}

extension JSONWriter {
    package mutating func value(_ id: CallID) {
        value(id.bits)
    }

    package mutating func value(_ id: ActionID) {
        value(id.bits)
    }

    package mutating func value(_ id: TransactionID) {
        value(id.bits)
    }

    package mutating func value(_ id: ProviderID) {
        value(id.name)
    }

    private mutating func value(_ bits: UUIDBits) {
        value(plain: UUIDBits.textBytes) { bits.write(to: $0) }
    }

    private mutating func member(_ name: StaticString, _ bits: UUIDBits) {
        member(name, plain: UUIDBits.textBytes) { bits.write(to: $0) }
    }

    package mutating func member(_ name: StaticString, _ id: CallID) {
        member(name, id.bits)
    }

    package mutating func member(_ name: StaticString, _ id: ActionID) {
        member(name, id.bits)
    }

    package mutating func member(_ name: StaticString, _ id: TransactionID) {
        member(name, id.bits)
    }

    package mutating func member(_ name: StaticString, _ id: ProviderID) {
        self.name(name)
        value(id)
    }

    /// Writes a list of calls.
    package mutating func member(_ name: StaticString, _ ids: [CallID]) {
        self.name(name)
        array { writer in for id in ids { writer.value(id) } }
    }
}
