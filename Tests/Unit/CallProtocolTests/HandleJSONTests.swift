import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct HandleJSONTests {
    static let handles = [
        Handle(kind: .phone, value: "+15550100"), Handle(kind: .email, value: "a@example.org"),
        Handle(kind: .generic, value: "door \"1\""),
        Handle(kind: .other("sip"), value: "sip:a@example.org"),
    ]

    @Test(arguments: handles) func `a handle reads back as it was written`(
        _ handle: Handle
    ) throws {
        let text = JSONWriter.text { writer in writer.object { $0.member("remote", handle) } }
        try withJSON(text) { value in
            let remote = try #require(value["remote"])
            #expect(Handle(checked: remote) == handle)
        }
    }

    @Test func `type comes before value`() {
        #expect(
            JSONWriter.text { $0.member("remote", Self.handles[0]) }
                == #""remote":{"type":"phone","value":"+15550100"}"#)
        #expect(
            JSONWriter.text { $0.member("remote", Self.handles[3]) }
                == #""remote":{"type":"sip","value":"sip:a@example.org"}"#)
    }

    @Test func `what was not checked still gives a handle`() throws {
        try withJSON(#"[{},{"type":7,"value":7},7]"#) { list in
            for value in list.elements {
                #expect(Handle(checked: value) == Handle(kind: .generic, value: ""))
            }
        }
    }
}
