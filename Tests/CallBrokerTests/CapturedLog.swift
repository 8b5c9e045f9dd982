import Logging
import Synchronization

/// What was logged: level, message and metadata of each line.
final class CapturedLog: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] {
        storage.withLock { $0 }
    }

    fileprivate func append(_ line: String) {
        storage.withLock { $0.append(line) }
    }
}

struct CapturingLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    private let log: CapturedLog

    init(_ log: CapturedLog) {
        self.log = log
    }

    func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        log.append((["\(event.level)", "\(event.message)"] + pairs).joined(separator: " "))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
