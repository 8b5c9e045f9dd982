/// What a run is checked for after every event. The numbers are those of the contract: invariants
/// I1 to I12, orders O1 to O7, principle P5.
package enum Check: String, CaseIterable, Sendable {
    /// What the arbiter finds broken in itself.
    case own
    case oneLiveGroup = "I1"
    case oneAudioGrant = "I2"
    case audioAlternates = "I3"
    case connectedOnly = "I4"
    case settlesOnce = "I5"
    case endedStays = "I6"
    case limits = "I7"
    case endHasCause = "I8"
    case announced = "I9"
    case replay = "I10"
    /// A state that is stored and read is the same, and goes on in the same way.
    case storing
    case dryRun = "I11"
    case timers = "I12"
    case outstanding = "O4"
    /// A remote event ends only its own call.
    case endsOnlyItself = "P4"
    /// Every request has one reply and, if it was accepted, one completion.
    case replies
    /// A refused request changes nothing.
    case refusal
    /// What a view allows is accepted, what it does not is refused.
    case allowed
    /// States go forwards, groups and lists are well formed.
    case form
    /// Everything settles once nobody wishes anything any more.
    case liveness
    /// A check that a test adds.
    case artificial
}

/// Something that must not be.
package struct Complaint: Equatable, Sendable, CustomStringConvertible {
    package let check: Check
    /// The sentence, without names: two complaints with the same one are of the same kind.
    package let what: String
    /// Which call, action or request.
    package let about: String

    package init(_ check: Check, _ what: String, _ about: String = "") {
        self.check = check
        self.what = what
        self.about = about
    }

    /// One of the arbiter's own sentences; names of calls, actions and providers are taken out of
    /// it.
    package init(own sentence: String) {
        let words = sentence.split(separator: " ").filter {
            $0.count != 36 && !$0.hasPrefix("org.")
        }
        self.init(.own, words.joined(separator: " "), sentence)
    }

    package func isSameKind(as other: Complaint) -> Bool {
        check == other.check && what == other.what
    }

    package var description: String {
        "\(check.rawValue): \(what)\(about.isEmpty ? "" : " (\(about))")"
    }
}
