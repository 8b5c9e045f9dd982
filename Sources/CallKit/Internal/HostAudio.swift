internal import AVFoundation
internal import CallClient
internal import CallModel

/// The audio endpoints of the host, which `AVAudioSession` shows as its route.
enum HostAudio {
    /// Has the session follow the endpoints, once the app reads the route or has the audio. That
    /// takes two connections more, which apps that do neither do not have.
    static func offer() {
        AVAudioSession.sharedInstance().setRouteSource {
            Task { try await follow(ProviderRegistry.shared.options) }
        }
    }

    private static func follow(_ options: ClientOptions) async throws {
        let controller = try await CallController(options)
        // The first event is the snapshot of a subscription, and each new session has one.
        for await _ in try await CallObserver(options, topics: ["audio.endpoints_changed"]) {
            guard let endpoints = try? await controller.hostEndpoints() else { continue }
            AVAudioSession.sharedInstance().setPorts(endpoints.map(HostPort.init))
        }
    }
}

extension HostPort {
    init(_ endpoint: AudioEndpoint) {
        self.init(
            id: endpoint.id, kind: endpoint.kind.rawValue, name: endpoint.name,
            isInUse: endpoint.state == .inUse, isAvailable: endpoint.state != .unavailable)
    }
}
