import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct ActionSchemasTests {
    @Test(
        arguments: [
            (.start, #"{"remote":{"type":"phone","value":"+15550123"}}"#),
            (
                .start,
                #"{"remote":{"type":"x","value":"1"},"has_video":true,"contact":"7","emergency":false}"#
            ),
            (.answer, "{}"), (.end, "{}"), (.setHeld, #"{"held":false}"#),
            (.setMuted, #"{"muted":true}"#), (.setGroup, #"{"with":null}"#),
            (.setGroup, #"{"with":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"}"#),
            (.playDTMF, #"{"digits":"1,2#"}"#),
            (.playDTMF, #"{"digits":"1","style":"hard_pause"}"#),
        ] as [(ActionKind, String)])
    func `arguments that fit make an action`(kind: ActionKind, text: String) throws {
        try withJSON(text) { arguments in
            try ActionSchemas.check(arguments, of: kind)
            var word = kind.rawValue
            let action = word.withUTF8 { CallAction(kind: $0, arguments: arguments) }
            #expect(action?.kind == kind)
        }
    }

    @Test(
        arguments: [
            (.start, "{}", "/remote"), (.start, #"{"remote":null}"#, "/remote"),
            (.start, #"{"remote":{"type":"phone","value":""}}"#, "/remote/value"),
            (.answer, #"{"choice":"answer"}"#, "/choice"), (.end, #"{"call":"x"}"#, "/call"),
            (.setHeld, #"{"held":null}"#, "/held"), (.setHeld, #"{"muted":true}"#, "/muted"),
            (.setMuted, "{}", "/muted"), (.setGroup, "{}", "/with"),
            (.setGroup, #"{"with":"x"}"#, "/with"), (.playDTMF, #"{"digits":""}"#, "/digits"),
            (.playDTMF, #"{"digits":"+1"}"#, "/digits"),
            (.playDTMF, #"{"digits":"1","style":"double"}"#, "/style"), (.answer, "[]", ""),
        ] as [(ActionKind, String, String)])
    func `what does not fit is pointed at`(kind: ActionKind, text: String, pointer: String) throws {
        try withJSON(text) { arguments in
            let fault = #expect(throws: SchemaFault.self) {
                try ActionSchemas.check(arguments, of: kind)
            }
            #expect(fault?.pointer == pointer)
        }
    }

    @Test func `no arguments are as good as none that are needed`() throws {
        try ActionSchemas.check(nil, of: .answer)
        try ActionSchemas.check(nil, of: .end)
        for kind in ActionKind.allCases where ![.answer, .end].contains(kind) {
            #expect(throws: SchemaFault.self) { try ActionSchemas.check(nil, of: kind) }
        }
    }
}
