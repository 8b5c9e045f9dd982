@_exported public import Foundation

/// A log of an app, which writes lines to the standard error stream; the journal of systemd and
/// other collectors read it from there.
public struct Logger: Sendable {
    private let place: String

    /// Makes a log of a part of an app. Both names stand in front of each line.
    public init(subsystem: String, category: String) {
        place = "\(subsystem) \(category)"
    }

    /// Makes a log without a name.
    public init() {
        place = "default"
    }

    /// Makes a log from the older kind.
    public init(_ logObj: OSLog) {
        place = logObj.place
    }

    /// Logs a message of a level. Messages of `debug` are written only if the environment has a
    /// value for `OS_ACTIVITY_DT_MODE`, or for `OS_LOG_DEBUG`.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        LogLine.write(level, place, message)
    }

    /// Logs a message of the level `default`.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    /// Logs a message of the level `debug`.
    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Logs a message of the level `debug`.
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Logs a message of the level `info`.
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    /// Logs a message of the level `default`.
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    /// Logs a message of the level `error`.
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    /// Logs a message of the level `error`.
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    /// Logs a message of the level `fault`.
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    /// Logs a message of the level `fault`.
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}

/// The level of a message. Raw values are Apple's, as in `os/log.h`.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt8

    /// Accepts any number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Something of interest.
    public static let `default` = OSLogType(rawValue: 0)
    /// Something that helps, but is not essential.
    public static let info = OSLogType(rawValue: 1)
    /// Something for developers only.
    public static let debug = OSLogType(rawValue: 2)
    /// An error of the process.
    public static let error = OSLogType(rawValue: 16)
    /// An error of several processes, or of the app itself.
    public static let fault = OSLogType(rawValue: 17)

    /// The word in front of a line.
    var word: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}

/// A line of a log.
enum LogLine {
    private static let hasDebug = ["OS_LOG_DEBUG", "OS_ACTIVITY_DT_MODE"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    static func write(_ level: OSLogType, _ place: String, _ message: OSLogMessage) {
        guard level != .debug || hasDebug else { return }
        let text = message.text.replacingOccurrences(of: "\n", with: " ")
        FileHandle.standardError.write(Data("\(place) \(level.word): \(text)\n".utf8))
    }
}
