/// What the user of a host is doing, in one word for all calls: what a busy light shows.
public enum HostPresence: String, CaseIterable, Sendable {
    /// There is no call, and calls ring.
    case free
    /// A call rings or waits, and there is no other.
    case ringing
    /// A call is live, or being dialed.
    case inCall = "in_call"
    /// All calls are held.
    case onHold = "on_hold"
    /// A call rings or waits beside live or held ones.
    case ringingInCall = "ringing_in_call"
    /// There is no call, and do-not-disturb is on, manually or by schedule.
    case doNotDisturb = "do_not_disturb"

    /// Creates the presence of a host; calls come before do-not-disturb.
    public init(isLive: Bool, heldGroups: Int, ringing: Int, isQuiet: Bool) {
        self =
            switch (isLive, heldGroups > 0, ringing > 0) {
            case (true, _, true), (_, true, true): .ringingInCall
            case (true, _, false): .inCall
            case (false, true, false): .onHold
            case (false, false, true): .ringing
            case (false, false, false): isQuiet ? .doNotDisturb : .free
            }
    }
}
