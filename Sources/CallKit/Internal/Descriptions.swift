// Descriptions end up in logs. They have the class, the ids and the state, as Apple's have, and
// nothing of the other side: no address, no name, no contact and no tones, which may be a PIN.

extension NSObject {
    /// Returns the class, the address of the object and values, as Foundation describes an object.
    func described(_ values: KeyValuePairs<String, Any?>) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
        let parts = values.map { name, value in
            "\(name)=\(value.map { String(describing: $0) } ?? "(null)")"
        }
        return "<\(type(of: self)): 0x\(address) \(parts.joined(separator: ", "))>"
    }
}
