/// Operators about errors, and about more than one publisher.
extension Publisher {
    /// Returns a publisher with another type of error.
    public func mapError<Other: Error>(
        _ transform: @escaping (Failure) -> Other
    ) -> AnyPublisher<Output, Other> {
        AnyPublisher { listener in
            _tell(
                _Listener(
                    value: listener.value,
                    completion: { completion in
                        switch completion {
                        case .finished: listener.completion(.finished)
                        case .failure(let error): listener.completion(.failure(transform(error)))
                        }
                    }))
        }
    }

    /// Returns a publisher that goes on with another one when this one fails.
    public func `catch`<Other: Publisher>(
        _ handler: @escaping (Failure) -> Other
    ) -> AnyPublisher<Output, Other.Failure> where Other.Output == Output {
        AnyPublisher { listener in
            let second = Locked<AnyCancellable?>(nil)
            let first = _tell(
                _Listener(
                    value: listener.value,
                    completion: { completion in
                        switch completion {
                        case .finished: listener.completion(.finished)
                        case .failure(let error):
                            let next = handler(error)._tell(listener)
                            second.change { $0 = next }
                        }
                    }))
            return AnyCancellable {
                first.cancel()
                second.change { $0 }?.cancel()
            }
        }
    }

    /// Returns a publisher that sends a value, and finishes, when this one fails.
    public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
        `catch` { _ in Just(output) }
    }

    /// Returns a publisher that calls the closures, and passes everything on.
    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let upstream = _tell(
                _Listener(
                    value: { value in
                        receiveOutput?(value)
                        listener.value(value)
                    },
                    completion: { completion in
                        receiveCompletion?(completion)
                        listener.completion(completion)
                    }))
            return AnyCancellable {
                receiveCancel?()
                upstream.cancel()
            }
        }
    }

    /// Returns a publisher of the values of the publishers that the closure makes of each value. It
    /// finishes when this one and all of those have, and fails with the first failure.
    public func flatMap<Other: Publisher>(
        _ transform: @escaping (Output) -> Other
    ) -> AnyPublisher<Other.Output, Failure> where Other.Failure == Failure {
        AnyPublisher { listener in
            let inner = Locked<[AnyCancellable]>([])
            let left = Locked(1)
            let end = { (completion: Subscribers.Completion<Failure>) in
                let isOver = left.change { left in
                    guard left > 0 else { return false }
                    if case .failure = completion { left = 0 } else { left -= 1 }
                    return left == 0
                }
                if isOver { listener.completion(completion) }
            }
            let upstream = _tell(
                _Listener(
                    value: { value in
                        left.change { $0 += $0 > 0 ? 1 : 0 }
                        let next = transform(value)._tell(
                            _Listener(value: listener.value, completion: end))
                        inner.change { $0.append(next) }
                    }, completion: end))
            return AnyCancellable {
                upstream.cancel()
                for subscription in inner.change({ $0 }) { subscription.cancel() }
            }
        }
    }

    /// Returns a publisher of the values of both publishers. It finishes when both have, and fails
    /// with the first failure.
    public func merge<Other: Publisher>(
        with other: Other
    ) -> AnyPublisher<Output, Failure> where Other.Output == Output, Other.Failure == Failure {
        AnyPublisher { listener in
            let both = [AnyPublisher(self), AnyPublisher(other)]
            let source = PassthroughSubject<AnyPublisher<Output, Failure>, Failure>()
            let subscription = source.flatMap { $0 }._tell(listener)
            for publisher in both { source.send(publisher) }
            source.send(completion: .finished)
            return subscription
        }
    }

    /// Returns a publisher of results, each made of the one before it and a value. The closure runs
    /// on the thread that sends.
    public func scan<Result>(
        _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
        AnyPublisher { listener in
            let last = Locked(initialResult)
            return map { output in
                last.change { last in
                    last = nextPartialResult(last, output)
                    return last
                }
            }._tell(listener)
        }
    }

    /// Returns a publisher of the first value, which then finishes.
    public func first() -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let isOver = Locked(false)
            let end = { isOver.change { over in (over, over = true).0 } }
            return _tell(
                _Listener(
                    value: { value in
                        guard !end() else { return }
                        listener.value(value)
                        listener.completion(.finished)
                    },
                    completion: { completion in
                        if !end() { listener.completion(completion) }
                    }))
        }
    }
}

extension Publisher where Failure == Never {
    /// Returns a publisher that could fail, for combining it with one that does.
    public func setFailureType<Other: Error>(
        to failureType: Other.Type
    ) -> AnyPublisher<Output, Other> {
        AnyPublisher { listener in
            _tell(
                _Listener(
                    value: listener.value, completion: { _ in listener.completion(.finished) }))
        }
    }
}
