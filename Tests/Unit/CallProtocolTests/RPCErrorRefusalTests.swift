import BrokerJSON
import BrokerRPC
import CallModel
import CallProtocol
import Testing

struct RPCErrorRefusalTests {
    private let blocker = Refusal.Blocker(
        call: CallID(UUIDBits(high: 0, low: 1)), provider: ProviderID("org.example.a"))

    private func written(_ refusal: Refusal, _ domain: CallKitCode.Domain) -> String {
        JSONWriter.text { $0.value(RPCError(refusal, domain)) }
    }

    @Test func `the least refusal has its reason and CallKit's`() {
        #expect(
            written(Refusal(.unentitled), .requestTransaction)
                == #"{"code":-32003,"message":"the user has not authorized the app to have calls","#
                + #""data":{"reason":"unentitled","retryable":false,"#
                + #""hint":"an admin can authorize the app: policy.set, authorization","#
                + #""callkit":{"domain":"com.apple.CallKit.error.requesttransaction","#
                + #""code":1,"name":"unentitled"}}}"#)
    }

    @Test func `everything known stands in fixed order`() {
        var refusal = Refusal(
            .maxCallGroups, rule: .providerLimits,
            limit: Refusal.Limit(name: "max_call_groups", value: 2), blocking: [blocker])
        refusal.actionIndex = 0
        #expect(
            written(refusal, .requestTransaction) == #"{"code":-32007,"#
                + #""message":"the provider's limit of call groups is reached","#
                + #""data":{"reason":"max_call_groups","retryable":true,"#
                + #""limit":{"name":"max_call_groups","value":2},"#
                + #""hint":"end or merge calls of that provider","rule":"24","action_index":0,"#
                + #""blocking":[{"call":"00000000-0000-0000-0000-000000000001","#
                + #""provider":"org.example.a"}],"#
                + #""callkit":{"domain":"com.apple.CallKit.error.requesttransaction","#
                + #""code":7,"name":"maximumCallGroupsReached"}}}"#)
    }

    @Test func `an incoming call is refused in its own domain`() {
        #expect(
            written(Refusal(.blockList, rule: .filters), .incomingCall) == #"{"code":-32008,"#
                + #""message":"the caller is blocked","#
                + #""data":{"reason":"block_list","retryable":false,"#
                + #""hint":"do not ring, and reject the call at the remote end","rule":"32","#
                + #""callkit":{"domain":"com.apple.CallKit.error.incomingcall","#
                + #""code":4,"name":"filteredByBlockList"}}}"#)
    }

    @Test func `what CallKit has no name for is unknown to it`() {
        #expect(
            written(Refusal(.busy, rule: .busy), .incomingCall).hasSuffix(
                #""callkit":{"domain":"com.apple.CallKit.error.incomingcall","#
                    + #""code":0,"name":"unknown"}}}"#))
    }

    @Test(arguments: RefusalReason.allCases) func `each reason has a code of the protocol`(
        _ reason: RefusalReason
    ) {
        #expect(ErrorCode(rawValue: reason.code) != nil)
        for domain in [CallKitCode.Domain.incomingCall, .requestTransaction] {
            let error = RPCError(Refusal(reason), domain)
            #expect(error.code.rawValue == reason.code)
            #expect(error.reason.rawValue == reason.rawValue)
        }
    }

    @Test(arguments: RefusalReason.allCases) func `each error is JSON`(
        _ reason: RefusalReason
    ) throws {
        let refusal = Refusal(reason, rule: .busy, blocking: [blocker, blocker])
        try withJSON(written(refusal, .incomingCall)) { error in
            let data = try #require(error["data"])
            #expect(error["message"]?.string == reason.message)
            #expect(data["reason"]?.string == reason.rawValue)
            #expect(data["retryable"]?.boolean == reason.isRetryable)
            #expect(data["hint"]?.string == reason.hint)
            #expect(data["rule"]?.string == "15")
            #expect(data["blocking"]?.count == 2)
            #expect(data["callkit"]?.count == 3)
        }
    }
}
