internal import Synchronization

/// An audio endpoint of the host, as CallKit reads it from the broker.
package struct HostPort: Equatable, Sendable {
    /// The broker's id of the endpoint.
    package let id: String
    /// The broker's word for its kind, such as `bluetooth`.
    package let kind: String
    /// Its name for people.
    package let name: String?
    /// The sound comes out of it.
    package let isInUse: Bool
    /// It is in use, or could be chosen.
    package let isAvailable: Bool

    /// Makes a port of the parts of an endpoint.
    package init(id: String, kind: String, name: String?, isInUse: Bool, isAvailable: Bool) {
        (self.id, self.kind, self.name) = (id, kind, name)
        (self.isInUse, self.isAvailable) = (isInUse, isAvailable)
    }

    /// Apple's kinds of output and input; no input for an endpoint without a microphone.
    private var types: (output: AVAudioSession.Port, input: AVAudioSession.Port?) {
        switch kind {
        case "earpiece": (.builtInReceiver, .builtInMic)
        case "speaker": (.builtInSpeaker, .builtInMic)
        case "wired": (.headphones, .headsetMic)
        case "bluetooth": (.bluetoothHFP, .bluetoothHFP)
        case "streaming": (.airPlay, nil)
        default: (AVAudioSession.Port(rawValue: kind), AVAudioSession.Port(rawValue: kind))
        }
    }

    var output: AVAudioSessionPortDescription { port(types.output) }
    var input: AVAudioSessionPortDescription? { types.input.map(port) }

    private func port(_ type: AVAudioSession.Port) -> AVAudioSessionPortDescription {
        AVAudioSessionPortDescription(type, name: name ?? kind, uid: id)
    }
}

extension [HostPort] {
    var route: AVAudioSessionRouteDescription {
        let inUse = filter(\.isInUse)
        return AVAudioSessionRouteDescription(
            inputs: inUse.compactMap(\.input), outputs: inUse.map(\.output))
    }

    /// The reason of a change to other ports, for the app.
    func reason(to later: [HostPort]) -> AVAudioSession.RouteChangeReason {
        let (before, after) = (Set(filter(\.isAvailable).map(\.id)), later.filter(\.isAvailable))
        let now = Set(after.map(\.id))
        if !now.isSubset(of: before) { return .newDeviceAvailable }
        if !before.isSubset(of: now) { return .oldDeviceUnavailable }
        return .override
    }
}

/// What a session knows of the host's endpoints.
struct RouteState {
    var ports: [HostPort] = []
    var preferred: AVAudioSessionPortDescription?
    /// Begins to follow the endpoints; nil before there is a provider.
    var follow: (@Sendable () -> Void)?
    var isFollowed = false
}

extension AVAudioSession {
    /// Sets what begins to follow the host's endpoints. It is called once: when the route is first
    /// read, or the app first gets the audio.
    package func setRouteSource(_ follow: @escaping @Sendable () -> Void) {
        route.withLock { $0.follow = follow }
    }

    /// Begins to follow the endpoints, if it was not done before.
    package func followRoute() {
        let follow = route.withLock { state in
            guard !state.isFollowed else { return (@Sendable () -> Void)?.none }
            state.isFollowed = state.follow != nil
            return state.follow
        }
        follow?()
    }

    /// Replaces the host's endpoints, and posts a change of the route.
    package func setPorts(_ ports: [HostPort]) {
        let before = route.withLock { state in
            defer { state.ports = ports }
            return state.ports
        }
        guard before != ports else { return }
        let reason = before.reason(to: ports).rawValue
        DispatchQueue.main.async {
            NotificationCenter.default.post(
                name: Self.routeChangeNotification, object: self,
                userInfo: [
                    AVAudioSessionRouteChangeReasonKey: reason,
                    AVAudioSessionRouteChangePreviousRouteKey: before.route,
                ])
        }
    }
}
