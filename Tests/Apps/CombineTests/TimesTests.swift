import Combine
import Foundation
import Testing

/// Publishers of one result, and those with a clock.
struct TimesTests {
    @Test func `a future has one result for every subscriber`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        var values: [Int] = []
        let early = future.sink { values.append($0) }
        let gone = future.sink { values.append($0 + 100) }
        gone.cancel()
        promise?(.success(1))
        promise?(.success(2))
        let late = future.sink { values.append($0) }
        #expect(values == [1, 1])
        withExtendedLifetime((early, late)) {}
    }

    @Test func `an error is mapped, caught, replaced`() {
        let failing = Fail<Int, CocoaError>(error: CocoaError(.featureUnsupported))
        var seen: [String] = []
        let subscriptions = [
            failing.mapError { NSError(domain: "mapped", code: $0.errorCode) }.sink(
                receiveCompletion: {
                    if case .failure(let error) = $0 { seen.append(error.domain) }
                },
                receiveValue: { _ in }),
            failing.catch { _ in Just(7) }.sink { seen.append("\($0)") },
            failing.replaceError(with: 8).sink { seen.append("\($0)") },
        ]
        #expect(seen == ["mapped", "7", "8"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `values of several publishers come together`() {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var values: [Int] = []
        var hasEnded = false
        let merged = first.merge(with: second).scan(0, +).sink(
            receiveCompletion: { _ in hasEnded = true }, receiveValue: { values.append($0) })
        first.send(1)
        second.send(2)
        first.send(completion: .finished)
        #expect(!hasEnded)
        second.send(3)
        second.send(completion: .finished)
        #expect(values == [1, 3, 6] && hasEnded)
        withExtendedLifetime(merged) {}
    }

    @Test func `only the last of several quick values is sent`() async {
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "debounce")
        var subscription: AnyCancellable?
        let value = await withCheckedContinuation { done in
            subscription = subject.debounce(for: .milliseconds(1), scheduler: queue).first()
                .sink { done.resume(returning: $0) }
            queue.sync { for number in 1...3 { subject.send(number) } }
        }
        #expect(value == 3)
        withExtendedLifetime(subscription) {}
    }

    @Test func `of quick values the first and the latest are sent`() async {
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "throttle")
        var subscription: AnyCancellable?
        let values = await withCheckedContinuation { done in
            subscription = subject.throttle(for: 0.001, scheduler: queue, latest: true)
                .scan([]) { $0 + [$1] }
                .filter { $0.count == 2 }.first().sink { done.resume(returning: $0) }
            queue.sync { for number in 1...3 { subject.send(number) } }
        }
        #expect(values == [1, 3])
        withExtendedLifetime(subscription) {}
    }

    @Test func `notifications are values until the subscription is cancelled`() {
        let (center, name) = (NotificationCenter(), Notification.Name("test"))
        var count = 0
        let subscription = center.publisher(for: name).sink { _ in count += 1 }
        center.post(name: name, object: nil)
        subscription.cancel()
        center.post(name: name, object: nil)
        #expect(count == 1)
    }
}
