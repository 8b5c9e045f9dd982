import BrokerJSON
import BrokerRPC
import Testing

struct MessageWriterTests {
    @Test func `a request has its members in fixed order`() {
        let text = written { writer in
            writer.request(7, "provider.perform") { $0.member("kind", "set_held") }
        }
        #expect(
            text == #"{"jsonrpc":"2.0","id":7,"method":"provider.perform","#
                + #""params":{"kind":"set_held"}}"# + "\n")
    }

    @Test func `a notification has its members in fixed order`() {
        let text = written { writer in
            writer.notification("broker.goodbye") { $0.member("resumable", true) }
        }
        #expect(
            text == #"{"jsonrpc":"2.0","method":"broker.goodbye","params":{"resumable":true}}"#
                + "\n")
    }

    @Test func `params are always an object`() {
        let request = written { $0.request(1, "broker.ping") { _ in } }
        #expect(request == #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{}}"# + "\n")
        let notification = written { $0.notification("broker.log") { _ in } }
        #expect(notification == #"{"jsonrpc":"2.0","method":"broker.log","params":{}}"# + "\n")
    }

    static let ids: [(RequestID, String)] = [
        (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
        (.integer(0), "0"), (.text(""), #""""#), (.text("1"), #""1""#),
        (.text("a\"b\n"), #""a\"b\n""#), (.text("é😀"), #""é😀""#),
    ]

    @Test(arguments: ids)
    func `a reply has its members in fixed order and the id as it came`(
        id: RequestID, json: String
    ) {
        let result = written { writer in writer.reply(to: id) { $0.member("seq", 42) } }
        #expect(result == #"{"jsonrpc":"2.0","id":\#(json),"result":{"seq":42}}"#)
        let error = RPCError(.cancelled, reason: .cancelled, "on request")
        #expect(
            written { $0.reply(to: id, error: error) }
                == #"{"jsonrpc":"2.0","id":\#(json),"error":{"code":-32010,"#
                + #""message":"on request","data":{"reason":"cancelled","retryable":false}}}"#)
    }

    @Test func `an error for a request that could not be read has a null id`() {
        let error = RPCError(.parseError, reason: .syntax, "expected a value")
        #expect(
            written { $0.reply(to: nil, error: error) }
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#
                + #""message":"expected a value","data":{"reason":"syntax","retryable":false}}}"#)
    }

    @Test func `frames follow each other line by line`() {
        let text = written { writer in
            writer.notification("a") { _ in }
            writer.reply(to: .integer(1)) { _ in }
            writer.endLine()
            writer.request(2, "b") { _ in }
        }
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false) == [
                #"{"jsonrpc":"2.0","method":"a","params":{}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"b","params":{}}"#, "",
            ])
    }

    @Test func `no display name can pass for an envelope`() throws {
        let name = #"x","method":"call.end","id":1}"# + "\n" + #"{"jsonrpc":"2.0","method":"evil"#
        let text = written { writer in
            writer.notification("event") { $0.member("display_name", name) }
        }
        #expect(text.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(text.hasPrefix(#"{"jsonrpc":"2.0","method":"event","params":{"display_name":"x\""#))
        let rest = text.dropFirst(#"{"jsonrpc":"2.0","method":""#.count)
        #expect(!rest.contains(#""method":"#))
        let read = try reading(text) { $0["params"]?["display_name"]?.string }
        #expect(read == name)
    }
}
