import Dispatch
import Synchronization
import Testing

/// What happened, for those who wait for it.
final class Diary: Sendable {
    private struct Waiting {
        let number: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var lines: [String] = []
        var waiting: [Waiting] = []
        var lastNumber = 0
        var hasGivenUp = false
    }

    /// How long a line is waited for: a test whose line never comes fails, and says which came. It is
    /// far more than any wait takes while others have the machine, and no test depends on it.
    private let patience: DispatchTimeInterval
    private let state = Mutex(State())

    init(patience: DispatchTimeInterval = .seconds(300)) {
        self.patience = patience
    }

    func note(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.waiting.filter { $0.count <= state.lines.count }
            state.waiting.removeAll { $0.count <= state.lines.count }
            return ready
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    var lines: [String] {
        state.withLock { $0.lines }
    }

    /// The first so many lines, as soon as there are.
    func lines(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> [String] {
        await wait(for: count)
        // There may be more by the time this task goes on.
        let lines = Array(lines.prefix(count))
        if lines.count < count {
            Issue.record(
                "no line \(lines.count + 1) has come; the diary so far: \(lines)",
                sourceLocation: sourceLocation)
        }
        return lines
    }

    private func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                guard state.lines.count < count, !state.hasGivenUp else { return nil }
                state.lastNumber += 1
                state.waiting.append(
                    Waiting(number: state.lastNumber, count: count, continuation: continuation))
                return state.lastNumber
            }
            guard let number else { return continuation.resume() }
            // Not a task: others may block the threads that tasks have.
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
                self?.giveUp(number)
            }
        }
    }

    /// Nothing more is waited for, if this wait still goes on.
    private func giveUp(_ number: Int) {
        let vain = state.withLock { state -> [Waiting] in
            guard state.waiting.contains(where: { $0.number == number }) else { return [] }
            state.hasGivenUp = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in vain { waiting.continuation.resume() }
    }
}
