/// A part of the broker, which owns its state and the rules for it, and reaches the other parts
/// through its broker.
///
/// The broker has its parts in constants, because each access to a lazy variable is a call; it
/// creates them first, and completes them with a reference to itself.
class BrokerPart {
    /// The broker, which owns the part.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    final unowned private(set) var broker: Broker!

    /// Completes the part. The broker calls this once, before anything else.
    final func attach(to broker: Broker) {
        self.broker = broker
    }
}
