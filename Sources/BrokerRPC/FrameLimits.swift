package import BrokerJSON

/// The bounds of one frame and of what one connection may have open (protocol, section "Limits").
package struct FrameLimits: Equatable, Sendable {
    /// Bytes of a line from a client, LF included.
    package var frameBytes = 65_536
    /// Bytes of a line to a client, LF included; one less than inwards, for readers whose line
    /// buffer must also hold a terminator.
    package var frameOutBytes = 65_535
    package var json = JSONLimits.frame
    /// Entries of a batch.
    package var batch = 32
    package var idBytes = 64
    package var methodBytes = 128
    /// Requests of one connection that wait for their replies.
    package var pendingRequests = 64

    package init() {}
}
