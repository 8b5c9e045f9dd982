package import BrokerJSON
package import CallModel

extension EndDetail {
    /// Reads a checked detail; nil if there is no value, or if nothing of it is left when the text
    /// is one line.
    package init?(_ value: JSONValue?) {
        guard let value else { return nil }
        self.init(
            value["reason"]?.string.map(Reason.init(rawValue:)),
            text: value["text"]?.string?.line(bytesMax: Self.textBytesMax),
            code: value["code"]?.string?.line(bytesMax: Self.codeBytesMax))
        if isEmpty { return nil }
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ detail: EndDetail) {
        self.name(name)
        object { writer in
            writer.member("reason", ifSet: detail.reason?.rawValue)
            writer.member("text", ifSet: detail.text)
            writer.member("code", ifSet: detail.code)
        }
    }
}
