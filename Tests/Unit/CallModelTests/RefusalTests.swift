import CallModel
import Testing

struct RefusalTests {
    @Test func `each reason has its code on the wire`() {
        let codes = Dictionary(grouping: RefusalReason.allCases, by: \.code)
            .mapValues { $0.map(\.rawValue) }
        #expect(codes[-32_003] == ["unentitled", "not_your_call", "call_is_protected"])
        #expect(codes[-32_004] == ["unknown_call", "call_ended", "unknown_provider"])
        #expect(codes[-32_005] == ["call_uuid"])
        #expect(codes[-32_602] == ["empty_transaction"])
        #expect(
            codes[-32_006] == [
                "invalid_action", "invalid_state", "cannot_hold", "hold_failed", "not_supported",
                "already_dialing", "call_ringing", "busy", "emergency",
            ])
        #expect(
            codes[-32_007] == [
                "max_call_groups", "max_calls_per_group", "max_ringing", "max_held", "max_calls",
            ])
        #expect(
            codes[-32_008] == [
                "do_not_disturb", "in_call", "block_list", "restricted_sharing",
                "sensitive_participants",
                "screener",
            ])
    }

    @Test func `CallKit's numbers for incoming calls are 1 to 7`() {
        let reasons: [RefusalReason] = [
            .unentitled, .callUUID, .doNotDisturb, .blockList, .restrictedSharing,
            .callIsProtected, .sensitiveParticipants,
        ]
        #expect(reasons.map { CallKitCode.incomingCall($0).number } == Array(1...7))
        #expect(CallKitCode.incomingCall(.busy).number == 0)
        #expect(
            CallKitCode.incomingCall(.callUUID).domain.rawValue
                == "com.apple.CallKit.error.incomingcall")
    }

    @Test func `CallKit's numbers for transactions are 1 to 8`() {
        let reasons: [RefusalReason] = [
            .unentitled, .unknownProvider, .emptyTransaction, .unknownCall, .callUUID,
            .invalidAction, .maxCallGroups, .callIsProtected,
        ]
        #expect(reasons.map { CallKitCode.requestTransaction($0).number } == Array(1...8))
        #expect(
            CallKitCode.requestTransaction(.maxCallGroups).name == "maximumCallGroupsReached")
    }

    @Test func `every rule has one number`() {
        #expect(Set(Rule.allCases.map(\.rawValue)).count == Rule.allCases.count)
        for number in 1...40 {
            #expect(Rule(rawValue: "\(number)") != nil, "rule \(number)")
        }
    }
}
