import CallModel
import Testing

struct HostPresenceTests {
    @Test(
        arguments: [
            (false, 0, 0, HostPresence.free), (false, 0, 1, .ringing), (true, 0, 0, .inCall),
            (true, 2, 0, .inCall), (false, 1, 0, .onHold), (true, 0, 1, .ringingInCall),
            (false, 1, 1, .ringingInCall),
        ])
    func `calls decide, whether do-not-disturb is on or not`(
        isLive: Bool, held: Int, ringing: Int, expected: HostPresence
    ) {
        for isQuiet in expected == .free ? [false] : [false, true] {
            let presence = HostPresence(
                isLive: isLive, heldGroups: held, ringing: ringing, isQuiet: isQuiet)
            #expect(presence == expected)
        }
    }

    @Test func `without calls do-not-disturb decides`() {
        let quiet = HostPresence(isLive: false, heldGroups: 0, ringing: 0, isQuiet: true)
        #expect(quiet == .doNotDisturb)
    }

    @Test func `the words are those of the wire`() {
        #expect(
            HostPresence.allCases.map(\.rawValue) == [
                "free", "ringing", "in_call", "on_hold", "ringing_in_call", "do_not_disturb",
            ])
    }
}
