import Combine
import Foundation

final class ChatCallDurationModel: ObservableObject {
    @Published private(set) var text = ""
    private var timer: AnyCancellable?

    func start(from date: Date) {
        timer = Timer.publish(every: 1, on: .main, in: .common)
            .autoconnect()
            .map { Int($0.timeIntervalSince(date)) }
            .map { String(format: "%d:%02d", $0 / 60, $0 % 60) }
            .sink { [weak self] in self?.text = $0 }
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }
}
