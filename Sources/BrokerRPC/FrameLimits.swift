package import BrokerJSON

/// Limits of a frame, and of the open requests of a connection (protocol, section "Limits").
package struct FrameLimits: Equatable, Sendable {
    /// The maximum length of a line from a client, in bytes including LF.
    package var frameBytes = 65_536
    /// The maximum length of a line to a client, in bytes including LF; one less than for input,
    /// for readers whose line buffer must also hold a terminator.
    package var frameOutBytes = 65_535
    /// The limits of the JSON text.
    package var json = JSONLimits.frame
    /// The maximum number of entries of a batch.
    package var batch = 32
    /// The maximum length of a request id, in bytes.
    package var idBytes = 64
    /// The maximum length of a method name, in bytes.
    package var methodBytes = 128
    /// The maximum number of requests of a connection that have not been answered.
    package var pendingRequests = 64

    package init() {}
}
