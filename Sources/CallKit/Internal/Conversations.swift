internal import CallClient
package import CallModel

// What LiveCommunicationKit needs of a provider beyond CallKit.

extension CXHandle {
    /// The address as the broker receives it.
    package var wire: Handle { handle }
}

extension CXProvider {
    /// Reports an incoming call, and returns when it may ring.
    package func reportIncoming(_ call: UUID, _ update: Transferred<CXCallUpdate>) async throws {
        try await reportNewIncomingCall(with: call, update: update.value)
    }

    /// Reports who takes part in a call.
    package func reportParticipants(of call: UUID, _ change: ParticipantsChange) {
        port?.reportParticipants(CallID(call), change)
    }

    /// Requests a transaction on calls of this provider, and returns when it was accepted.
    package func perform(_ transaction: Transferred<CXTransaction>) async throws {
        try await waitForCompletion { done in
            CXCallController.request(transaction.value, of: self, completion: done)
        }
    }
}
