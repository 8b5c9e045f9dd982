/// A log of an app, for `os_log`.
open class OSLog: NSObject, @unchecked Sendable {
    // Immutable.
    let place: String

    /// The log without a name.
    public static let `default` = OSLog("default")
    /// The log that writes nothing, on Apple's platforms as here.
    public static let disabled = OSLog("")

    /// Makes a log of a part of an app. Both names stand in front of each line.
    public init(subsystem: String, category: String) {
        place = "\(subsystem) \(category)"
    }

    private init(_ place: String) {
        self.place = place
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a message of a level. In the text, `%{public}@` and the forms for numbers are written, and
/// `%@`, `%s` and `%{private}…` stand for `<private>`, as in Apple's logs.
///
/// - Parameters:
///   - message: a text with the forms of `String(format:)`.
///   - dso: ignored.
///   - log: the log.
///   - type: the level.
///   - arguments: the values.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ arguments: any CVarArg...
) {
    write(LogFormat("\(message)").text(arguments), log, type)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a message of a level, in the order of arguments that followed Swift 5.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    _ message: StaticString, _ arguments: any CVarArg...
) {
    write(LogFormat("\(message)").text(arguments), log, type)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a message with values in the text, of a level.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    write(message.text, log, type)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Logs a message with values in the text, of the level `default`.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
    write(message.text, .default, .default)
}

private func write(_ text: String, _ log: OSLog, _ type: OSLogType) {
    guard log !== OSLog.disabled else { return }
    LogLine.write(type, log.place, OSLogMessage(stringLiteral: text))
}

/// The text of an `os_log`, whose forms are filled in without C's `printf`: a form and an argument
/// that do not belong together are harmless.
struct LogFormat {
    private let format: Substring

    init(_ format: String) {
        self.format = format[...]
    }

    func text(_ arguments: [any CVarArg]) -> String {
        var (text, rest, arguments) = ("", format, arguments[...])
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let form = Self.form(&rest)
            text += form.isPublic ? arguments.first.map { "\($0)" } ?? "<missing>" : "<private>"
            arguments = arguments.dropFirst()
        }
        return text + rest
    }

    /// Removes a form from the front of a text, and returns whether its value is written.
    private static func form(_ rest: inout Substring) -> (isPublic: Bool, letter: Character?) {
        var choice: Bool?
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            let words = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if words.contains("public") { choice = true }
            if words.contains(where: { $0 == "private" || $0 == "sensitive" }) { choice = false }
            rest = rest[rest.index(after: end)...]
        }
        let lengths: Set<Character> = ["h", "l", "q", "z", "t", "j", "L"]
        rest = rest.drop { $0.isNumber || "+-# .*".contains($0) || lengths.contains($0) }
        let letter = rest.popFirst()
        return (choice ?? !["@", "s", "S"].contains(letter), letter)
    }
}
