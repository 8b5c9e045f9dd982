import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct IdentifiersJSONTests {
    private static let text = "0b6e1c1e-5a0f-4f0e-9a51-5b8f4d8c2c11"
    private static let bits = UUIDBits(high: 0x0B6E_1C1E_5A0F_4F0E, low: 0x9A51_5B8F_4D8C_2C11)

    @Test func `an id is read in any case`() throws {
        for text in [Self.text, Self.text.uppercased()] {
            try withJSON(text.quoted) { value in
                #expect(CallID(value) == CallID(Self.bits))
                #expect(ActionID(value) == ActionID(Self.bits))
                #expect(TransactionID(value) == TransactionID(Self.bits))
            }
        }
    }

    @Test(arguments: [
        "null", "7", "[]", #""""#, #""0b6e1c1e""#, #""0b6e1c1e_5a0f-4f0e-9a51-5b8f""#,
    ])
    func `what is no UUID is no id`(_ json: String) throws {
        try withJSON(json) { value in
            #expect(CallID(value) == nil)
            #expect(ActionID(value) == nil)
            #expect(TransactionID(value) == nil)
        }
    }

    @Test func `what is absent is no id`() throws {
        try withJSON("{}") { params in
            #expect(CallID(params["call"]) == nil)
            #expect(ActionID(params["action"]) == nil)
            #expect(TransactionID(params["transaction"]) == nil)
            #expect(ProviderID(params["provider"]) == nil)
        }
    }

    @Test func `a provider is named by a string`() throws {
        try withJSON(#"["org.example.a",7,null]"#) { list in
            #expect(
                list.elements.map { ProviderID($0) } == [ProviderID("org.example.a"), nil, nil])
        }
    }

    @Test func `ids are written as strings, in lower case`() {
        let text = JSONWriter.text { writer in
            writer.member("call", CallID(Self.bits))
            writer.member("action", ActionID(Self.bits))
            writer.member("transaction", TransactionID(Self.bits))
            writer.member("provider", ProviderID("org.example.a"))
        }
        #expect(
            text == #""call":"\#(Self.text)","action":"\#(Self.text)","#
                + #""transaction":"\#(Self.text)","provider":"org.example.a""#)
    }

    @Test func `ids are elements of arrays, too`() {
        let text = JSONWriter.text { writer in
            writer.array { writer in
                writer.value(CallID(Self.bits))
                writer.value(ActionID(Self.bits))
                writer.value(TransactionID(Self.bits))
                writer.value(ProviderID("org.\"a\""))
            }
        }
        #expect(
            text == #"["\#(Self.text)","\#(Self.text)","\#(Self.text)","org.\"a\""]"#)
    }

    @Test func `a list of calls keeps its order`() {
        let calls = [CallID(Self.bits), CallID(UUIDBits(high: 0, low: 1))]
        #expect(
            JSONWriter.text { $0.member("calls", calls) }
                == #""calls":["\#(Self.text)","00000000-0000-0000-0000-000000000001"]"#)
        #expect(JSONWriter.text { $0.member("calls", []) } == #""calls":[]"#)
    }
}
