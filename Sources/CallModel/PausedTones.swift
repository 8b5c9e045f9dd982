/// Tones that are not sent yet, because a pause comes before them.
public struct PausedTones: Hashable, Sendable {
    /// What ends a pause.
    public enum End: String, CaseIterable, Sendable {
        /// Two seconds for each `,` or `p`.
        case time
        /// The user, who wants the tones sent now: the pause has a `;` or `w`.
        case user
    }

    /// The tones after the pause, with the pauses among them: 1 to 63 characters.
    public let digits: String
    /// What ends the pause.
    public let end: End
    /// The length of a pause that time ends, in milliseconds.
    package let pauseMS: Int

    /// Creates tones that wait.
    public init(_ digits: String, until end: End) {
        (self.digits, self.end, pauseMS) = (digits, end, 0)
    }

    /// Creates what waits at the end of a pause; nil if no tones follow.
    ///
    /// - Parameter rest: the pause and what follows.
    package init?(after rest: Substring) {
        let pause = rest.prefix(while: \.isTonePause)
        guard pause.endIndex != rest.endIndex else { return nil }
        digits = String(rest[pause.endIndex...])
        end = pause.contains(where: \.isHardTonePause) ? .user : .time
        pauseMS = pause.count * Self.softPauseMS
    }

    /// The length of a soft pause in milliseconds, as that of Android's dialer
    /// (`PhoneNumberUtils.PAUSE`).
    private static let softPauseMS = 2_000

    /// How the tones after the pause are entered.
    package var style: DTMFStyle {
        end == .user ? .hardPause : .softPause
    }
}

/// A string of tones, cut at its first pause.
package struct ToneString {
    /// The tones before the first pause; empty if the string begins with one.
    package let first: String
    /// The tones after the pause, if any.
    package let rest: PausedTones?

    package init(_ digits: String) {
        let first = digits.prefix { !$0.isTonePause }
        self.first = String(first)
        rest = PausedTones(after: digits[first.endIndex...])
    }

    /// Cuts a telephone number from the tones that are to be sent once the call is active; nil if the
    /// text is not a number with tones after a pause.
    package init?(after number: String) {
        let tones = ToneString(number)
        let digits = tones.first.hasPrefix("+") ? tones.first.dropFirst() : tones.first[...]
        guard !digits.isEmpty, tones.first.count < number.count, digits.allSatisfy(\.isTone),
            number.dropFirst(tones.first.count).allSatisfy({ $0.isTone || $0.isTonePause })
        else { return nil }
        self = tones
    }
}

extension Character {
    fileprivate var isTonePause: Bool {
        self == "," || self == "p" || isHardTonePause
    }

    fileprivate var isHardTonePause: Bool {
        self == ";" || self == "w"
    }

    fileprivate var isTone: Bool {
        ("0"..."9").contains(self) || ("A"..."D").contains(self) || self == "*" || self == "#"
    }
}
