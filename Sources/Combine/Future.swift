/// A publisher of one result, which its closure finds out: every subscriber receives it, at once or
/// as soon as it is there. The closure runs once, when the future is made.
public final class Future<Output, Failure: Error>: Publisher {
    /// The closure with which the result is given; only its first call counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private struct State {
        var result: Result<Output, Failure>?
        var waiting: [(id: Int, listener: _Listener<Output, Failure>)] = []
        var lastID = 0
    }

    private let state = Locked(State())

    /// Makes a future, and runs the closure within the call.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { [state] result in
            let waiting = state.change { state in
                guard state.result == nil else { return state.waiting }
                state.result = result
                defer { state.waiting = [] }
                return state.waiting
            }
            for entry in waiting { Self.send(result, to: entry.listener) }
        }
    }

    /// Subscribes to the result. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        let (id, result) = state.change { state in
            state.lastID += 1
            if state.result == nil { state.waiting.append((state.lastID, listener)) }
            return (state.lastID, state.result)
        }
        if let result { Self.send(result, to: listener) }
        return AnyCancellable { [state] in
            state.change { $0.waiting.removeAll { $0.id == id } }
        }
    }

    private static func send(
        _ result: Result<Output, Failure>, to listener: _Listener<Output, Failure>
    ) {
        switch result {
        case .success(let output):
            listener.value(output)
            listener.completion(.finished)
        case .failure(let error): listener.completion(.failure(error))
        }
    }
}

/// A publisher without values, which ends at once or never.
public struct Empty<Output, Failure: Error>: Publisher {
    private let completesImmediately: Bool

    /// Makes a publisher without values.
    public init(completeImmediately: Bool = true) {
        completesImmediately = completeImmediately
    }

    /// Makes a publisher without values, of stated types.
    public init(
        completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
    ) {
        completesImmediately = completeImmediately
    }

    /// Sends the end to a new subscriber, if at all. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        if completesImmediately { listener.completion(.finished) }
        return AnyCancellable {}
    }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error that every subscriber receives.
    public let error: Failure

    /// Makes a publisher that fails.
    public init(error: Failure) {
        self.error = error
    }

    /// Makes a publisher that fails, of a stated type.
    public init(outputType: Output.Type, failure: Failure) {
        error = failure
    }

    /// Sends the error to a new subscriber. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        listener.completion(.failure(error))
        return AnyCancellable {}
    }
}
