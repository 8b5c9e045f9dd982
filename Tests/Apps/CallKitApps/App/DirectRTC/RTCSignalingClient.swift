import Combine
import Foundation
import OSLog

enum RTCSignal: Codable, Sendable {
    case offer(String), answer(String), candidate(String), bye
}

actor RTCSignalingClient {
    private let logger = Logger(subsystem: "org.example.rtc", category: "signaling")
    private let encoder = JSONEncoder()
    private(set) var sent = 0

    func send(_ signal: RTCSignal) throws {
        let data = try encoder.encode(signal)
        sent += 1
        logger.debug("sent \(data.count) bytes")
        logger.notice("sent \(String(describing: signal), privacy: .sensitive)")
    }

    nonisolated func events(_ lines: [String]) -> AsyncStream<RTCSignal> {
        AsyncStream { continuation in
            for line in lines { continuation.yield(.candidate(line)) }
            continuation.yield(.bye)
            continuation.finish()
        }
    }
}
