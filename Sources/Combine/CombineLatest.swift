/// Publishers that are made of others.
public enum Publishers {
    /// Tells the newest values of both whenever one of them has a new one, as soon as each has told
    /// one.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            (self.a, self.b) = (a, b)
        }

        public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
            let latest = Latest<A.Output, B.Output, Failure>(listener)
            let first = a._tell(
                _Listener(value: { a in latest.tell { $0.a = a } }, completion: latest.end))
            let second = b._tell(
                _Listener(value: { b in latest.tell { $0.b = b } }, completion: latest.end))
            return AnyCancellable {
                first.cancel()
                second.cancel()
            }
        }
    }

    /// The same of three.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) {
            (self.a, self.b, self.c) = (a, b, c)
        }

        public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
            CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }._tell(listener)
        }
    }
}

extension Publisher {
    public func combineLatest<Other: Publisher>(
        _ other: Other
    ) -> Publishers.CombineLatest<Self, Other> where Other.Failure == Failure {
        Publishers.CombineLatest(self, other)
    }

    public func combineLatest<Second: Publisher, Third: Publisher>(
        _ second: Second, _ third: Third
    ) -> Publishers.CombineLatest3<Self, Second, Third>
    where Second.Failure == Failure, Third.Failure == Failure {
        Publishers.CombineLatest3(self, second, third)
    }
}

/// What two publishers have told last.
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

    func tell(_ change: (inout Values) -> Void) {
        let pair = values.change { values -> (A, B)? in
            change(&values)
            guard let a = values.a, let b = values.b else { return nil }
            return (a, b)
        }
        if let pair { listener.value(pair) }
    }

    /// A failure of one is the end; otherwise both have to finish.
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
