import BrokerJSON
import CallProtocol
import Testing

/// The bounds of what clients may send, each on both sides.
struct ParamLimitsTests {
    private static let call = #""call":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01""#
    private static let phone = #""remote":{"type":"phone","value":"1"}"#
    private static let provider = #""display_name":"A","handle_types":["phone"]"#

    /// Params with a member at its bound, and just beyond it.
    struct Bound: Sendable, CustomTestStringConvertible {
        let method: MethodName
        let member: String
        let rest: String
        let good: [String]
        let bad: [String]

        init(
            _ method: MethodName, _ member: String, with rest: String = "", good: [String],
            bad: [String]
        ) {
            self.method = method
            self.member = member
            self.rest = rest
            self.good = good
            self.bad = bad
        }

        var testDescription: String {
            "\(method.rawValue) \(member)"
        }

        func params(_ value: String) -> String {
            "{\(rest)\(rest.isEmpty ? "" : ",")\"\(member)\":\(value)}"
        }
    }

    private static func text(_ count: Int) -> String {
        #"""# + String(repeating: "x", count: count) + #"""#
    }

    private static func list(_ count: Int, of element: String) -> String {
        "[" + [String](repeating: element, count: count).joined(separator: ",") + "]"
    }

    private static func handle(_ count: Int) -> String {
        #"{"type":"generic","value":\#(text(count))}"#
    }

    private static func deadlines(_ milliseconds: Int) -> String {
        #"{"set_held":\#(milliseconds)}"#
    }

    static let providers = [
        Bound(
            .register, "display_name", with: #""handle_types":["phone"]"#,
            good: [text(1), text(128)], bad: [text(0), text(129), "null"]),
        Bound(
            .register, "handle_types", with: #""display_name":"A""#,
            good: ["[]", list(1, of: #""phone""#), list(16, of: #""pager""#)],
            bad: [list(17, of: #""phone""#), #"[""]"#]),
        Bound(
            .register, "ring_timeout_ms", with: provider, good: ["5000", "120000"],
            bad: ["4999", "120001", "null"]),
        Bound(.register, "grace_ms", with: provider, good: ["0", "30000"], bad: ["-1", "30001"]),
        Bound(
            .register, "action_deadlines", with: provider,
            good: [deadlines(1_000), deadlines(600_000), "{}"],
            bad: [deadlines(999), deadlines(600_001), #"{"hold":5000}"#]),
        Bound(
            .register, "url_schemes", with: provider, good: ["[]", #"["tel","sip"]"#],
            bad: [#"["Tel"]"#, #"["tel:"]"#, list(33, of: #""tel""#)]),
        Bound(
            .register, "app_process", with: provider, good: [#""self""#, #""separate""#],
            bad: [#""other""#]),
        Bound(
            .register, "kind", with: provider,
            good: [#""app""#, #""adapter""#, #""modem""#, #""watched""#],
            bad: [#""robot""#, "null"]),
        Bound(
            .register, "max_call_groups", with: provider, good: ["1", "100000"], bad: ["0", "-1"]),
        Bound(.updateProvider, "grace_ms", good: ["0", "null"], bad: ["30001"]),
        Bound(.updateProvider, "display_name", good: [text(1)], bad: ["null", text(129)]),
    ]

    static let reports = [
        Bound(
            .reportIncoming, "remote", with: call, good: [handle(1), handle(256)],
            bad: [handle(0), handle(257), "null", #"{"type":"phone"}"#]),
        Bound(
            .reportIncoming, "display_name", with: call + "," + phone,
            good: [text(0), text(128), "null"], bad: [text(129), "1"]),
        Bound(
            .reportUpdate, "priority", with: call,
            good: [#""emergency""#, #""background""#, "null"],
            bad: [#""emergency_callback""#, #""urgent""#]),
        Bound(.reportUpdate, "remote", with: call, good: ["null", handle(1)], bad: ["{}"]),
        Bound(.reportUpdate, "supports_holding", with: call, good: ["null", "false"], bad: ["0"]),
        Bound(
            .reportEnded, "reason", with: call, good: [#""failed""#, #""answered_elsewhere""#],
            bad: [#""local_ended""#, #""declined""#, #""cancelled""#, #""filtered""#]),
        Bound(
            .reportMissed, "reason", with: call + "," + phone + #","at_ms":1"#,
            good: [#""caller_gave_up""#], bad: [#""asleep""#, "null"]),
        Bound(
            .reportGroup, "with", with: call,
            good: ["null", #""7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b02""#], bad: [#""x""#]),
    ]

    static let requests = [
        Bound(
            .request, "actions", good: ["[]", list(8, of: #"{"kind":"fly"}"#)],
            bad: [list(9, of: #"{"kind":"end"}"#), #"[{"kind":""}]"#, "[{}]"]),
        Bound(.swap, "deadline_ms", good: ["1", "600000"], bad: ["0", "600001"]),
        Bound(.swap, "on_conflict", good: [#""hold""#, #""end""#], bad: [#""both""#]),
        Bound(.swap, "wait", good: [#""accepted""#, #""completed""#], bad: [#""never""#]),
        Bound(
            .answer, "choice", with: call, good: [#""answer""#, #""end_held_and_answer""#],
            bad: [#""decline""#]),
        Bound(
            .playDTMF, "digits", with: call,
            good: [#""0""#, #""*#""#, #""1,2;3p4w5""#, #""ABCDabcd""#],
            bad: [#""""#, #""+49""#, #""1 2""#, #""E""#]),
        Bound(.dial, "uri", good: [text(1), text(512)], bad: [text(0), text(513)]),
        Bound(.pressButton, "press", good: [#""short""#, #""long""#], bad: [#""double""#]),
    ]

    static let watching = [
        Bound(
            .subscribe, "topics", good: [list(1, of: #""*""#), list(32, of: #""call.*""#)],
            bad: ["[]", list(33, of: #""*""#), #""*""#, #"[""]"#]),
        Bound(.listCalls, "limit", good: ["1", "1000"], bad: ["0", "1001"]),
        Bound(
            .listCalls, "filter", good: ["{}", #"{"state":"held","direction":"incoming"}"#],
            bad: [#"{"state":"asleep"}"#, #"{"group":"x"}"#]),
        Bound(
            .setPolicy, "default_provider", good: ["{}", #"{"tel":"org.a","sip":null}"#],
            bad: [#"{"tel":"a"}"#, #"{"TEL":"org.a"}"#]),
        Bound(
            .setPolicy, "limits", good: ["{}", #"{"held_groups":0,"calls":100000}"#],
            bad: [#"{"calls":0}"#, #"{"call":1}"#, "null"]),
        Bound(.setPolicy, "timeouts", good: [#""compatible""#], bad: [#""none""#]),
        Bound(
            .setPolicy, "deadlines",
            good: ["{}", #"{"start":600000,"play_dtmf":1000}"#],
            bad: [#"{"start":600001}"#, #"{"play_dtmf":999}"#, #"{"dial":1000}"#]),
        Bound(.setPolicy, "grace_ms", good: ["0", "30000"], bad: ["-1", "30001", "null"]),
        Bound(.setPolicy, "ended_calls_max", good: ["256", "262144"], bad: ["255", "262145"]),
    ]

    @Test(arguments: providers + reports + requests + watching)
    func `a bound is the last that fits`(bound: Bound) throws {
        let method = try #require(MethodTable.standard.find(bound.method.rawValue))
        for value in bound.good {
            try withJSON(bound.params(value)) { try method.check($0) }
        }
        for value in bound.bad {
            try withJSON(bound.params(value)) { params in
                let fault = #expect(throws: SchemaFault.self, "\(value)") {
                    try method.check(params)
                }
                #expect(fault?.pointer.hasPrefix("/\(bound.member)") == true, "\(value)")
            }
        }
    }
}
