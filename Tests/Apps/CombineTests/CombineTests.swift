import Combine
import Testing

/// What call managers for SwiftUI rely on.
struct CombineTests {
    private class Manager: ObservableObject {
        @Published var calls: [String] = []
        @Published private(set) var isMuted = false
        var notes = 0

        func mute() {
            isMuted = true
        }
    }

    private final class VideoManager: Manager {
        @Published var hasVideo = false
    }

    private final class Silent: ObservableObject {}

    private final class Screen {
        var title = ""
        @Published var count = 0
    }

    @Test func `a published property tells the present value, then each before it is set`() {
        let manager = Manager()
        var told: [[String]] = []
        var seen: [[String]] = []
        let watch = manager.$calls.sink { calls in
            told.append(calls)
            seen.append(manager.calls)
        }
        manager.calls = ["ann"]
        manager.calls.append("bob")
        #expect(told == [[], ["ann"], ["ann", "bob"]])
        #expect(seen == [[], [], ["ann"]])
        watch.cancel()
        manager.calls = []
        #expect(told.count == 3)
    }

    @Test func `an object says that it is about to change, once for each change`() {
        let manager = VideoManager()
        var seen: [Bool] = []
        let watch = manager.objectWillChange.sink { seen.append(manager.isMuted) }
        manager.mute()
        manager.hasVideo = true
        manager.notes = 1
        manager.objectWillChange.send()
        #expect(seen == [false, true, true])
        watch.cancel()
    }

    @Test func `an object without published properties can say so itself`() {
        let silent = Silent()
        var count = 0
        let watch = silent.objectWillChange.sink { count += 1 }
        silent.objectWillChange.send()
        #expect(count == 1)
        watch.cancel()
    }

    @Test func `a subscription that nobody keeps ends`() {
        let subject = PassthroughSubject<Int, Never>()
        var told: [Int] = []
        var kept: Set<AnyCancellable> = []
        subject.sink { told.append($0) }.store(in: &kept)
        subject.send(1)
        kept = []
        subject.send(2)
        #expect(told == [1])
    }

    @Test func `a subject that has ended says so to whoever comes`() {
        struct Lost: Error, Equatable {}
        let subject = CurrentValueSubject<Int, Lost>(1)
        var told: [String] = []
        let note = { (end: Subscribers.Completion<Lost>) in
            told.append(end == .failure(Lost()) ? "lost" : "finished")
        }
        let first = subject.sink(receiveCompletion: note) { told.append("\($0)") }
        subject.value = 2
        subject.send(completion: .failure(Lost()))
        subject.send(completion: .finished)
        let second = subject.sink(receiveCompletion: note) { told.append("\($0)") }
        #expect(told == ["1", "2", "lost", "lost"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `values are changed, left out and dropped on their way`() {
        let subject = PassthroughSubject<Int, Never>()
        var told: [String] = []
        let watch = subject.filter { $0 > 0 }.removeDuplicates().dropFirst().map { "\($0)" }
            .compactMap { $0 == "3" ? nil : $0 }.eraseToAnyPublisher().sink { told.append($0) }
        for value in [0, 1, 1, 2, 2, 3, 4] { subject.send(value) }
        #expect(told == ["2", "4"])
        watch.cancel()
    }

    @Test func `values are set on objects`() {
        let (screen, manager) = (Screen(), Manager())
        let watch = manager.$calls.map { $0.joined(separator: ", ") }.assign(
            to: \.title, on: screen)
        manager.$calls.map(\.count).assign(to: &screen.$count)
        manager.calls = ["ann", "bob"]
        #expect(screen.title == "ann, bob")
        #expect(screen.count == 2)
        watch.cancel()
    }

    @Test func `values are told on a queue, until the subscription is cancelled`() {
        let queue = DispatchQueue(label: "screen")
        let subject = PassthroughSubject<Int, Never>()
        nonisolated(unsafe) var told: [Int] = []
        let watch = subject.receive(on: queue).sink { value in
            dispatchPrecondition(condition: .onQueue(queue))
            told.append(value)
        }
        subject.send(1)
        subject.send(2)
        queue.sync {}
        queue.suspend()
        subject.send(3)
        watch.cancel()
        queue.resume()
        #expect(queue.sync { told } == [1, 2])
    }

    @Test func `the newest values of several are told together, once each has one`() {
        let (first, second) = (
            PassthroughSubject<Int, Never>(), CurrentValueSubject<String, Never>("a")
        )
        let manager = Manager()
        var told: [String] = []
        let watch = first.combineLatest(second).sink { _ in
            told.append("finished")
        } receiveValue: {
            told.append("\($0)\($1)")
        }
        let three = first.combineLatest(second, manager.$calls).map { $0 + $1.count + $2.count }
            .sink { told.append("\($0)") }
        first.send(1)
        second.value = "b"
        manager.calls = ["ann"]
        first.send(completion: .finished)
        second.value = "c"
        #expect(told == ["1a", "2", "1b", "2", "3", "1c", "3"])
        second.send(completion: .finished)
        #expect(told.last == "finished")
        watch.cancel()
        three.cancel()
        first.send(2)
        #expect(told.count == 8)
    }

    @Test func `of several one that fails is the end`() {
        struct Lost: Error {}
        let (first, second) = (PassthroughSubject<Int, Lost>(), PassthroughSubject<Int, Lost>())
        var ends = 0
        let watch = Publishers.CombineLatest(first, second).sink { _ in
            ends += 1
        } receiveValue: { _ in
            ends += 100
        }
        first.send(completion: .failure(Lost()))
        second.send(completion: .failure(Lost()))
        second.send(1)
        #expect(ends == 1)
        watch.cancel()
    }

    @Test func `one value is told, and that is all`() {
        var told: [String] = []
        _ = Just(7).sink {
            told.append("\($0)")
        } receiveValue: {
            told.append("\($0)")
        }
        #expect(told == ["7", "finished"])
    }
}
