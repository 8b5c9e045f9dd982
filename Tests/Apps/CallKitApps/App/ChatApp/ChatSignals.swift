import AVFoundation
import Combine
import UIKit

/// The app's state as values over time.
final class ChatSignals {
    let isActive: AnyPublisher<Bool, Never>
    let routeChanges: AnyPublisher<AVAudioSession.RouteChangeReason, Never>
    let typing = PassthroughSubject<String, Never>()
    private var cancellables = Set<AnyCancellable>()

    init(center: NotificationCenter = .default) {
        let becomes = center.publisher(for: UIApplication.didBecomeActiveNotification)
            .map { _ in true }
        let resigns = center.publisher(for: UIApplication.willResignActiveNotification)
            .map { _ in false }
        isActive = becomes.merge(with: resigns).removeDuplicates().eraseToAnyPublisher()
        routeChanges = center.publisher(for: AVAudioSession.routeChangeNotification)
            .compactMap { $0.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt }
            .compactMap { AVAudioSession.RouteChangeReason(rawValue: $0) }
            .eraseToAnyPublisher()
    }

    func search(_ body: @escaping (String) -> Void) {
        typing
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .removeDuplicates()
            .sink(receiveValue: body)
            .store(in: &cancellables)
    }

    func levels(of source: AnyPublisher<Float, Never>) -> AnyPublisher<Float, Never> {
        source
            .throttle(for: 0.1, scheduler: RunLoop.main, latest: true)
            .scan(0) { $0 * 0.5 + $1 * 0.5 }
            .eraseToAnyPublisher()
    }
}
