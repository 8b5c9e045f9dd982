import Combine
import Foundation

final class RTCStatisticsTimer: @unchecked Sendable {
    struct Sample: Equatable { let sent: Int, lost: Int }

    let samples = CurrentValueSubject<Sample, Never>(Sample(sent: 0, lost: 0))
    private var subscription: AnyCancellable?

    func start(_ read: @escaping () -> Sample) {
        subscription = Timer.publish(every: 0.5, on: RunLoop.main, in: .default)
            .autoconnect()
            .map { _ in read() }
            .filter { $0.sent > 0 }
            .sink { [samples] in samples.send($0) }
    }

    var quality: AnyPublisher<Double, Never> {
        samples
            .map { $0.sent == 0 ? 1 : 1 - Double($0.lost) / Double($0.sent) }
            .removeDuplicates { abs($0 - $1) < 0.01 }
            .handleEvents(receiveOutput: { if $0 < 0.5 { NSLog("poor connection") } })
            .eraseToAnyPublisher()
    }
}
