import CallTesting
import Testing

/// Emergencies that are requested beside other actions (rule 20).
struct BrokerEmergencyTransactionTests {
    private let host = MemoryBroker()

    private static let end = #"{"kind":"end","call":"c9"}"#
    private static let mute = #"{"kind":"set_muted","call":"c9","arguments":{"muted":true}}"#
    private static let start =
        #"{"kind":"start","call":"c1","provider":"org.a","#
        + #""arguments":{"remote":{"type":"phone","value":"112"}}}"#

    @Test(arguments: [
        [end, start], [start, end], [mute, start], [start, mute], [mute, end, start],
    ])
    func `what would be refused beside it is left out`(actions: [String]) {
        let app = host.ready("provider", identity: "org.a")
        app.register()
        let user = host.ready("controller")
        user.lastID = 0
        _ = user.tell("transaction.request", #"{"actions":[\#(actions.joined(separator: ","))]}"#)
        #expect(app.brief().contains { $0.contains(" start ") })
    }
}
