/// The schemas of pushes.
package enum PushSchemas {
    /// The type of the pushes that announce calls.
    package static let voip = "voip"
    /// The limit of a payload: Apple's for VoIP pushes.
    package static let payloadBytesMax = 5_120
    package static let tokenBytesMax = 2_048
    /// The time that a push waits for its app if its sender names none.
    package static let ttlMS = 30_000

    static let type = Schema.choice([voip, "complication", "file_provider"], isOpen: true)
    static let types = Schema.array(type, count: 0...8)
    static let token = Schema.string(bytes: 1...tokenBytesMax)
    static let payload = Member.required(
        "payload", .map, "what the server has sent, at most \(payloadBytesMax) bytes as JSON")
    static let push = Member.required("push", .pattern(.uuid), "the id of the push")
}
