import CallModel
import Testing

/// What apps and networks say about the end of a call.
struct EndDetailTests {
    @Test(arguments: [
        ("SIP 486", "busy"), ("SIP 600", "busy"), ("SIP 603", "rejected"),
        ("SIP 404", "invalid_number"), ("SIP 484", "invalid_number"), ("SIP 403", "not_allowed"),
        ("SIP 480", "unreachable"), ("SIP 408", "unreachable"), ("SIP 488", "media_error"),
        ("SIP 503", "service_error"), ("SIP 302", "deflected"), ("SIP 402", "no_credit"),
        ("Q.850 1", "invalid_number"), ("Q.850 17", "busy"), ("Q.850 19", "no_answer"),
        ("Q.850 20", "unreachable"), ("Q.850 21", "rejected"), ("Q.850 34", "network_error"),
        ("Q.850 57", "not_allowed"), ("Q.850 88", "media_error"), ("Q.850 127", "service_error"),
    ])
    func `a code that is known has its reason`(code: String, reason: String) {
        #expect(EndDetail(code: code).reason?.rawValue == reason)
    }

    /// 200 and cause 16 are an ordinary end, and 487 the answer to a cancel.
    @Test(arguments: [
        "SIP 200", "SIP 487", "Q.850 16", "SIP", "SIP ", "SIP x", "486", "sip 486", "SIP 486 ",
        "H.323 17", "",
    ])
    func `any other code has none`(code: String) {
        #expect(EndDetail(code: code).reason == nil)
        #expect(EndDetail(code: code).code == code)
    }

    @Test func `the app's own reason goes before that of the code`() {
        #expect(EndDetail(.rejected, code: "SIP 486").reason == .rejected)
        let own = EndDetail(EndDetail.Reason(rawValue: "lunch"), code: "SIP 486")
        #expect(own.reason?.rawValue == "lunch")
    }

    @Test func `each reason is reported as one of CallKit's five, and an own one as a failure`() {
        #expect(EndDetail.Reason.all.allSatisfy { $0.endReason.callKitNumber != nil })
        #expect(EndDetail.Reason(rawValue: "lunch").endReason == .failed)
        #expect(EndDetail.Reason.busy.endReason == .remoteEnded)
        #expect(EndDetail.Reason.noAnswer.endReason == .unanswered)
        #expect(EndDetail.Reason.answeredElsewhere.endReason == .answeredElsewhere)
    }

    @Test func `the words stay`() {
        #expect(
            EndDetail.Reason.all.map(\.rawValue) == [
                "busy", "rejected", "no_answer", "unreachable", "invalid_number", "not_allowed",
                "no_credit", "not_registered", "transferred", "deflected", "pulled",
                "answered_elsewhere", "declined_elsewhere", "network_error", "media_error",
                "service_error",
            ])
    }
}
