package import BrokerJSON
package import CallModel

extension EndDetail {
    /// Reads a checked detail; nil if nothing of it is left when the text is one line.
    package init?(checked value: JSONValue) {
        let text = value["text"]?.string?.line(bytesMax: Self.textBytesMax)
        let code = value["code"]?.string?.line(bytesMax: Self.codeBytesMax)
        self.init(
            value["reason"]?.string.map(Reason.init(rawValue:)),
            text: text.flatMap { $0.isEmpty ? nil : $0 },
            code: code.flatMap { $0.isEmpty ? nil : $0 })
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
