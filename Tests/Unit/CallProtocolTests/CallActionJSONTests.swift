import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct CallActionJSONTests {
    private static let call = CallID(UUIDBits(high: 1, low: 2))

    static let actions: [(CallAction, String)] = [
        (
            .start(StartArguments(remote: Handle(kind: .phone, value: "1"))),
            #"{"remote":{"type":"phone","value":"1"}}"#
        ),
        (
            .start(
                StartArguments(
                    remote: Handle(kind: .generic, value: "x"), hasVideo: true, contact: "c",
                    isEmergency: true)),
            #"{"remote":{"type":"generic","value":"x"},"has_video":true,"contact":"c","#
                + #""emergency":true}"#
        ),
        (.answer, "{}"), (.end, "{}"),
        (.setHeld(true), #"{"held":true}"#), (.setHeld(false), #"{"held":false}"#),
        (.setMuted(true), #"{"muted":true}"#), (.setMuted(false), #"{"muted":false}"#),
        (.setGroup(with: call), #"{"with":"00000000-0000-0001-0000-000000000002"}"#),
        (.setGroup(with: nil), #"{"with":null}"#),
        (.playDTMF(digits: "1#", .single), #"{"digits":"1#","style":"single"}"#),
        (.playDTMF(digits: "2", .hardPause), #"{"digits":"2","style":"hard_pause"}"#),
    ]

    @Test(arguments: actions) func `an action is written, and reads back the same`(
        _ action: CallAction, _ arguments: String
    ) throws {
        #expect(JSONWriter.text { $0.member(arguments: action) } == #""arguments":\#(arguments)"#)
        try withJSON(arguments) { #expect(read(action.kind.rawValue, $0) == action) }
        #expect(try fault(.object(ActionSchemas.arguments(of: action.kind)), arguments) == nil)
    }

    @Test func `actions without arguments need none`() {
        #expect(read("answer", nil) == .answer)
        #expect(read("end", nil) == .end)
    }

    @Test func `a tone is a key until said otherwise`() throws {
        try withJSON(#"{"digits":"1"}"#) {
            #expect(read("play_dtmf", $0) == .playDTMF(digits: "1", .single))
        }
    }

    @Test(arguments: ["", "transfer", "END", "set_hel", "set_heldd"])
    func `an unknown kind is no action`(_ kind: String) throws {
        try withJSON(#"{"held":true}"#) { #expect(read(kind, $0) == nil) }
    }

    @Test(arguments: [
        ("start", "{}"), ("start", #"{"remote":null}"#), ("start", #"{"remote":"1"}"#),
        ("start", #"{"remote":{"type":"phone"}}"#), ("start", #"{"remote":{"value":"1"}}"#),
        ("set_held", "{}"), ("set_held", #"{"held":1}"#), ("set_held", #"{"muted":true}"#),
        ("set_muted", "{}"), ("set_group", "{}"), ("set_group", #"{"with":"x"}"#),
        ("play_dtmf", "{}"), ("play_dtmf", #"{"digits":1}"#),
        ("play_dtmf", #"{"digits":"1","style":"long"}"#),
    ])
    func `what a kind needs must be there`(_ kind: String, _ arguments: String) throws {
        try withJSON(arguments) { #expect(read(kind, $0) == nil) }
        #expect(read(kind, nil) == nil)
    }

    private func read(_ kind: String, _ arguments: JSONValue?) -> CallAction? {
        var kind = kind
        return kind.withUTF8 { CallAction(kind: $0, arguments: arguments) }
    }
}
