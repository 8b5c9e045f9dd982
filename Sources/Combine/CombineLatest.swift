/// A namespace for publishers that are made of other publishers, as in Combine. Only the types that
/// `combineLatest` returns are here; the other operators return an `AnyPublisher`.
public enum Publishers {
    /// A publisher that sends the latest values of two publishers whenever one of them sends a new
    /// one, from when both have sent one. It finishes when both have finished, and fails with the
    /// first failure.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        /// The latest value of each publisher, in their order.
        public typealias Output = (A.Output, B.Output)
        /// The failure that both publishers share.
        public typealias Failure = A.Failure

        /// The first publisher, which is subscribed to first.
        public let a: A
        /// The second publisher.
        public let b: B

        /// Makes a publisher of two. They are subscribed to when the result is.
        public init(_ a: A, _ b: B) {
            (self.a, self.b) = (a, b)
        }

        /// Subscribes to both publishers. `sink` and `assign` call it.
        public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
            let latest = Latest<A.Output, B.Output, Failure>(listener)
            let first = a._tell(
                _Listener(value: { a in latest.update { $0.a = a } }, completion: latest.end))
            let second = b._tell(
                _Listener(value: { b in latest.update { $0.b = b } }, completion: latest.end))
            return AnyCancellable {
                first.cancel()
                second.cancel()
            }
        }
    }

    /// A publisher that sends the latest values of three publishers whenever one of them sends a
    /// new one, from when all have sent one. It finishes when all have finished, and fails with the
    /// first failure.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        /// The latest value of each publisher, in their order.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// The failure that all three publishers share.
        public typealias Failure = A.Failure

        /// The first publisher, which is subscribed to first.
        public let a: A
        /// The second publisher.
        public let b: B
        /// The third publisher.
        public let c: C

        /// Makes a publisher of three. They are subscribed to when the result is.
        public init(_ a: A, _ b: B, _ c: C) {
            (self.a, self.b, self.c) = (a, b, c)
        }

        /// Subscribes to the three publishers. `sink` and `assign` call it.
        public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
            CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }._tell(listener)
        }
    }
}

extension Publisher {
    /// Returns a publisher of pairs: the latest value of this publisher and of `other`, whenever
    /// one of them changes, from when both have sent one.
    public func combineLatest<Other: Publisher>(
        _ other: Other
    ) -> Publishers.CombineLatest<Self, Other> where Other.Failure == Failure {
        Publishers.CombineLatest(self, other)
    }

    /// Returns a publisher of triples: the latest value of each publisher, whenever one of them
    /// changes, from when all three have sent one.
    public func combineLatest<Second: Publisher, Third: Publisher>(
        _ second: Second, _ third: Third
    ) -> Publishers.CombineLatest3<Self, Second, Third>
    where Second.Failure == Failure, Third.Failure == Failure {
        Publishers.CombineLatest3(self, second, third)
    }
}

/// The latest values of two publishers, shared by their subscriptions.
private final class Latest<A, B, Failure: Error> {
    struct Values {
        var a: A?
        var b: B?
        var publishersLeft = 2
    }

    private let values = Locked(Values())
    private let listener: _Listener<(A, B), Failure>

    init(_ listener: _Listener<(A, B), Failure>) {
        self.listener = listener
    }

    /// Stores a new value, and sends the pair if it is complete.
    func update(_ change: (inout Values) -> Void) {
        let pair = values.change { values -> (A, B)? in
            change(&values)
            guard let a = values.a, let b = values.b else { return nil }
            return (a, b)
        }
        if let pair { listener.value(pair) }
    }

    /// Ends the combination at the first failure, or when both publishers have finished.
    func end(_ completion: Subscribers.Completion<Failure>) {
        let isOver = values.change { values in
            if case .failure = completion {
                defer { values.publishersLeft = 0 }
                return values.publishersLeft > 0
            }
            values.publishersLeft -= 1
            return values.publishersLeft == 0
        }
        if isOver { listener.completion(completion) }
    }
}
