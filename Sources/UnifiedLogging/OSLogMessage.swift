/// A message of a log: text with values of which private ones are not written.
///
/// As in Apple's logs, numbers and truth values are public, and everything else is private, unless
/// the message says otherwise: what a developer did not mean to publish stays out of a log.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// Makes a message of text alone.
    public init(stringLiteral value: String) {
        text = value
    }

    /// Makes a message of text and values.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}

/// Whether a value is written. There is no key here with which a masked value could be compared.
public struct OSLogPrivacy: Sendable {
    private enum Choice {
        case auto, open, hidden
    }

    /// How the value of a private part is shown.
    public struct Mask: Sendable {
        /// As a hash on Apple's platforms; here the value is left out.
        public static let hash = Mask()
        /// Not at all.
        public static let none = Mask()
    }

    private let choice: Choice

    /// Public for numbers and truth values, otherwise private.
    public static var auto: OSLogPrivacy { OSLogPrivacy(choice: .auto) }
    /// The value is written.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(choice: .open) }
    /// `<private>` is written instead.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(choice: .hidden) }
    /// `<private>` is written instead.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(choice: .hidden) }

    /// `<private>` is written instead.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    /// `<private>` is written instead.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .private }
    /// As `auto`.
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }

    func isPublic(byDefault isPublic: Bool) -> Bool {
        switch choice {
        case .auto: isPublic
        case .open: true
        case .hidden: false
        }
    }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var text = ""

    /// Makes an empty message.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    /// Appends text, which is always public.
    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Appends a number, which is public unless the message says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryInteger, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.isPublic(byDefault: true)) { "\(number())" }
    }

    /// Appends a number, which is public unless the message says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryFloatingPoint, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.isPublic(byDefault: true)) { "\(number())" }
    }

    /// Appends a truth value, which is public unless the message says otherwise.
    public mutating func appendInterpolation(
        _ isTrue: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.isPublic(byDefault: true)) { "\(isTrue())" }
    }

    /// Appends any other value, which is private unless the message says otherwise.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some Any, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.isPublic(byDefault: false)) { "\(value())" }
    }

    /// Appends a type, which is public unless the message says otherwise.
    public mutating func appendInterpolation(
        _ type: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.isPublic(byDefault: true)) { "\(type())" }
    }

    private mutating func append(_ isPublic: Bool, _ value: () -> String) {
        text += isPublic ? value() : "<private>"
    }
}
