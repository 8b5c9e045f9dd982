package import Logging
internal import Synchronization

/// The lines of a log: level, message and metadata of each.
package final class CapturedLog: Sendable {
    private let storage = Mutex<[String]>([])

    package init() {}

    package var lines: [String] {
        storage.withLock { $0 }
    }

    fileprivate func append(_ line: String) {
        storage.withLock { $0.append(line) }
    }
}

package struct CapturingLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace
    private let log: CapturedLog

    package init(_ log: CapturedLog) {
        self.log = log
    }

    package func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        log.append((["\(event.level)", "\(event.message)"] + pairs).joined(separator: " "))
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
