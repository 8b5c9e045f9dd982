internal import CallKit

/// A line of a modem, such as a SIM card, with which calls can be placed.
public struct CellularService: Hashable, Codable, Identifiable, Sendable {
    /// The id of the line, the same in every process.
    public let id: UUID
    /// The name of the line, for people.
    public let label: String
}

/// A request to call a telephone number with a modem of the host.
public struct StartCellularConversationAction: Hashable, Codable, Sendable {
    let handle: Handle
    let cellularService: CellularService?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - handle: the number to call.
    ///   - cellularService: the line to call with; nil lets the host choose one.
    public init(_ handle: Handle, cellularService: CellularService? = nil) {
        (self.handle, self.cellularService) = (handle, cellularService)
    }
}

/// Calls with a modem of the host, of which its adapter is the owner: this app only requests them,
/// and does not perform them.
public final class TelephonyConversationManager: Sendable {
    /// The only object of this class.
    public static let sharedInstance = TelephonyConversationManager()

    private init() {}

    /// The lines of the modems that the broker can reach; empty on a host without a modem. Waits up
    /// to 5 s for the broker.
    public var cellularServices: [CellularService] {
        HostModem.all().map { CellularService(id: $0.id, label: $0.label) }
    }

    /// Requests a call, and returns when the broker has accepted it.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError` of CallKit: `unknownCallProvider` if there is
    ///   no modem, or no such line.
    public func startCellularConversation(
        _ action: StartCellularConversationAction
    ) async throws {
        try await HostModem.start(action.handle.callKit.wire, with: action.cellularService?.id)
    }
}
