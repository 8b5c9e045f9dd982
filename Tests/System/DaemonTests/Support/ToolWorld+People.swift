import Testing

extension ToolWorld {
    static let dan = "9e2f4e1a-6a3e-4c1f-9f4b-0d3a5e1c2b04"

    /// Somebody calls. Why that must not ring; nil if it does.
    func refusal(of call: String = ada, from number: String = adaNumber) throws -> String? {
        let remote = #"{"type":"phone","value":"\#(number)"}"#
        return try provider.report("incoming", #"{"call":"\#(call)","remote":\#(remote)}"#).reason
    }

    /// The other side of a call that rings gives up.
    func givesUp(_ call: String) throws {
        _ = try provider.report("ended", #"{"call":"\#(call)","reason":"remote_ended"}"#)
    }

    /// What the broker says of a call.
    func call(_ call: String = ada) throws -> JSON {
        let frame = try daemon.connectReady().request("call.get", #"{"call":"\#(call)"}"#)
        return frame.result ?? .null
    }
}
