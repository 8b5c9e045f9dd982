import BrokerJSON
import BrokerRPC
import Testing

struct RPCErrorTests {
    private let bare = RPCError(.notFound, reason: .unknownCall, "there is no such call")

    @Test func `what is not known is left out`() {
        #expect(
            written { $0.value(bare) } == #"{"code":-32004,"message":"there is no such call","#
                + #""data":{"reason":"unknown_call","retryable":false}}"#)
    }

    @Test func `everything known stands in fixed order`() {
        let error = bare.with {
            $0.hint = "list the calls"
            $0.supported = 1...2
            $0.request = .text("a\"b")
            $0.limit = RPCError.Limit(name: "depth", value: 32)
            $0.position = JSONPosition(line: 3, column: 4, byte: 50)
            $0.field = "/handle/kind"
            $0.retryAfterMS = 250
            $0.retryable = true
        }
        #expect(
            written { $0.value(error) } == #"{"code":-32004,"message":"there is no such call","#
                + #""data":{"reason":"unknown_call","retryable":true,"retry_after_ms":250,"#
                + #""field":"/handle/kind","position":{"line":3,"column":4,"byte":50},"#
                + #""limit":{"name":"depth","value":32},"request":"a\"b","#
                + #""supported":{"min":1,"max":2},"hint":"list the calls"}}"#)
    }

    static let single: [(String, @Sendable (inout RPCError) -> Void)] = [
        (#""retry_after_ms":0"#, { $0.retryAfterMS = 0 }),
        (#""field":"""#, { $0.field = "" }),
        (
            #""position":{"line":1,"column":1,"byte":0}"#,
            { $0.position = JSONPosition(line: 1, column: 1, byte: 0) }
        ),
        (
            #""limit":{"name":"batch","value":32}"#,
            { $0.limit = RPCError.Limit(name: "batch", value: 32) }
        ),
        (#""request":9223372036854775807"#, { $0.request = .integer(.max) }),
        (#""supported":{"min":1,"max":1}"#, { $0.supported = 1...1 }),
        (#""hint":"wait""#, { $0.hint = "wait" }),
    ]

    @Test(arguments: single)
    func `each member appears when it is known`(
        json: String, change: @Sendable (inout RPCError) -> Void
    ) {
        #expect(
            written { $0.value(bare.with(change)) }
                == #"{"code":-32004,"message":"there is no such call","data":{"#
                + #""reason":"unknown_call","retryable":false,\#(json)}}"#)
    }

    @Test func `members that somebody else wrote come last`() {
        let error = bare.with {
            $0.hint = "wait"
            $0.extra = Array(#""rule":"15","blocking":[]"#.utf8)
        }
        #expect(
            written { $0.value(error) } == #"{"code":-32004,"message":"there is no such call","#
                + #""data":{"reason":"unknown_call","retryable":false,"hint":"wait","#
                + #""rule":"15","blocking":[]}}"#)
    }

    @Test func `saying more leaves the original as it was`() {
        let more = bare.with { $0.hint = "wait" }
        #expect(bare.hint == nil)
        #expect(more != bare)
        #expect(more.with { $0.hint = nil } == bare)
    }

    @Test func `a frame limit names itself`() {
        let error = RPCError.frameLimit(.frameBytes, 65_536, "the frame is too long")
        #expect(
            error
                == RPCError(.frameLimit, reason: .frameBytes, "the frame is too long").with {
                    $0.limit = RPCError.Limit(name: "frame_bytes", value: 65_536)
                })
    }

    // MARK: - Texts that were refused

    private func refusal(of text: [UInt8], limits: JSONLimits = .frame) -> RPCError? {
        do throws(JSONFault) {
            _ = try JSONDocument(parsing: text, limits: limits)
            return nil
        } catch {
            return RPCError(error, limits: limits)
        }
    }

    static let parseErrors: [(String, String, Int)] = [
        ("[1,]", "syntax", 3), (#"["\u0000"]"#, "nul_character", 2),
        (#"["\ud800"]"#, "lone_surrogate", 2),
        (#"{"a":1,"a":2}"#, "duplicate_member", 7), ("[1e999]", "number_range", 1),
    ]

    @Test(arguments: parseErrors)
    func `a text that is no JSON is a parse error with a position`(
        text: String, reason: String, byte: Int
    ) {
        let error = refusal(of: Array(text.utf8))
        #expect(error?.code == .parseError)
        #expect(error?.reason.rawValue == reason)
        #expect(error?.position == JSONPosition(line: 1, column: byte + 1, byte: byte))
        #expect(error?.limit == nil)
        #expect(error?.retryable == false)
    }

    @Test func `malformed UTF-8 is a parse error`() {
        let error = refusal(of: Array("\"a".utf8) + [0xFF] + Array("\"".utf8))
        #expect(
            error.map { error in written { $0.value(error) } }
                == #"{"code":-32700,"message":"expected well-formed UTF-8, found something else","#
                + #""data":{"reason":"invalid_utf8","retryable":false,"#
                + #""position":{"line":1,"column":3,"byte":2}}}"#)
    }

    @Test func `a text that is too deep or has too many values is a frame limit`() {
        let limits = JSONLimits(depth: 2, values: 3)
        let deep = RPCError.frameLimit(.depth, 2, "containers are nested too deeply").with {
            $0.position = JSONPosition(line: 1, column: 3, byte: 2)
        }
        #expect(refusal(of: Array("[[[]]]".utf8), limits: limits) == deep)
        let many = RPCError.frameLimit(.values, 3, "too many values in one frame").with {
            $0.position = JSONPosition(line: 1, column: 6, byte: 5)
        }
        #expect(refusal(of: Array("[1,2,3]".utf8), limits: limits) == many)
    }

    static let telling: [[UInt8]] = [
        Array("+15550100".utf8), Array(#"{"+15550100" "+15550100"}"#.utf8),
        Array(#"{"+15550100":1,"+15550100":2}"#.utf8), Array("[15550100e999]".utf8),
        Array(#"["+15550100\ud800"]"#.utf8), Array("[\"+15550100\0+15550100\"]".utf8),
        Array("[\"+15550100".utf8) + [0xFF] + Array("+15550100\"]".utf8),
        Array(#"[[["+15550100",["+15550100"]]]]"#.utf8), Array(#"["+15550100",1,2,3,"+1"]"#.utf8),
    ]

    @Test(arguments: telling)
    func `an error never tells what the text was`(text: [UInt8]) throws {
        let error = try #require(refusal(of: text, limits: JSONLimits(depth: 3, values: 4)))
        #expect(!written { $0.value(error) }.contains("5550"))
    }
}
