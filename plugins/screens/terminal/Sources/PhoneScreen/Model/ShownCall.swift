package import CallClient
package import CallModel

/// A call as the screen needs it.
package struct ShownCall: Equatable, Sendable, Identifiable {
    package var id: CallID
    package var app: ProviderID
    package var state: CallState
    package var direction = Direction.incoming
    /// The name of the other side as the host knows it, or as the app has reported it.
    package var name: String?
    /// What a directory calls the other side, such as "Spam".
    package var label: String?
    package var remote: Handle?
    package var forwardedFrom: Handle?
    /// The id of the app's line that has the call.
    package var line: String?
    /// The name of the other device that has the call.
    package var elsewhere: String?
    package var isNumberFalse = false
    package var isEmergency = false
    package var pending: PendingAction?
    package var isMuted = false
    package var isSilenced = false
    package var isRemoteHeld = false
    package var isAppConnected = true
    package var heldBecauseOf: CallID?
    package var isResumeOffered = false
    package var group: CallID
    package var allowed: [Verb] = []
    package var mergeWith: [CallID] = []
    package var pausedTones: PausedTones?
    package var endpoints: [AudioEndpoint] = []
    package var video = VideoDirection.off
    package var videoRequest: VideoDirection?
    package var hasText = false
    package var isTextRequested = false
    package var createdAtMS: Int64 = 0
    package var connectedAtMS: Int64?

    /// Creates a call that is alone.
    package init(_ id: CallID, _ app: ProviderID, _ state: CallState) {
        (self.id, self.app, self.state, group) = (id, app, state, id)
    }

    /// Creates a call from the broker's snapshot of it.
    package init(_ call: Call) {
        self.init(call.id, call.provider, call.state)
        direction = call.direction
        name = call.caller?.name ?? call.properties.displayName
        label = call.caller?.label
        pending = call.pendingAction
        (isMuted, isSilenced) = (call.isMuted, call.isSilenced)
        isAppConnected = call.isProviderConnected
        (heldBecauseOf, isResumeOffered) = (call.heldBecauseOf, call.isResumeOffered)
        (group, allowed, mergeWith) = (call.group, call.allowed, call.mergeWith)
        pausedTones = call.pausedTones
        (createdAtMS, connectedAtMS) = (call.createdAtMS, call.connectedAtMS)
        copy(call.properties)
    }

    private mutating func copy(_ properties: CallProperties) {
        (remote, forwardedFrom) = (properties.remote, properties.forwardedFrom)
        (line, elsewhere) = (properties.line, properties.elsewhere)
        isNumberFalse = properties.verification == .failed
        isEmergency = [.emergency, .emergencyCallback].contains(properties.priority)
        isRemoteHeld = properties.isRemoteHeld
        endpoints = properties.endpoints
        (video, videoRequest) = (properties.video, properties.videoRequest)
        (hasText, isTextRequested) = (properties.hasText, properties.textRequest)
    }

    /// Indicates whether the user has still to decide about the call.
    package var isIncoming: Bool {
        (state == .ringing || state == .waiting) && pending != .answering && pending != .ending
    }
}
