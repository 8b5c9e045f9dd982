import BrokerRPC
import Testing

struct ErrorCodeTests {
    /// The table of the protocol's section "Errors". A number here never changes its meaning.
    static let table: [Int: String] = [
        -32_700: "parse_error",
        -32_600: "invalid_request",
        -32_601: "method_not_found",
        -32_602: "invalid_params",
        -32_603: "internal",
        -32_000: "broker_error",
        -32_002: "hello_required",
        -32_003: "permission_denied",
        -32_004: "not_found",
        -32_005: "already_exists",
        -32_006: "invalid_state",
        -32_007: "limit_reached",
        -32_008: "filtered",
        -32_009: "deadline_exceeded",
        -32_010: "cancelled",
        -32_011: "frame_limit",
        -32_012: "overloaded",
        -32_013: "provider_failed",
        -32_014: "provider_gone",
        -32_015: "version_unsupported",
        -32_018: "stopping",
    ]

    @Test func `the numbers and names are those of the protocol`() {
        let pairs = ErrorCode.allCases.map { ($0.rawValue, $0.name) }
        #expect(Dictionary(pairs, uniquingKeysWith: { $0 + " and " + $1 }) == Self.table)
        #expect(pairs.count == Self.table.count)
    }

    @Test func `no two codes share a name`() {
        #expect(Set(ErrorCode.allCases.map(\.name)).count == ErrorCode.allCases.count)
    }

    @Test func `our own codes lie in the range that is left to servers`() {
        let standard: Set<Int> = [-32_700, -32_600, -32_601, -32_602, -32_603]
        let own = Set(ErrorCode.allCases.map(\.rawValue)).subtracting(standard)
        #expect(own.count == ErrorCode.allCases.count - standard.count)
        #expect(own.allSatisfy { (-32_019 ... -32_000).contains($0) })
    }

    @Test func `only what is no message at all makes a frame bad`() {
        #expect(
            ErrorCode.allCases.filter(\.isBadFrame) == [.parseError, .invalidRequest, .frameLimit])
    }
}
