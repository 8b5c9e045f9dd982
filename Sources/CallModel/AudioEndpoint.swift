/// A place where the sound of calls comes out and goes in, such as a headset.
public struct AudioEndpoint: Hashable, Sendable {
    /// The maximum number of endpoints in a list.
    public static let countMax = 16
    /// The maximum length of an id, in bytes of UTF-8.
    public static let idBytesMax = 256
    /// The maximum length of a kind, in bytes.
    public static let kindBytesMax = 32
    /// The maximum length of a name, in bytes of UTF-8.
    public static let nameBytesMax = 128

    /// The id, by which the endpoint is chosen; unique in its list.
    public var id: String
    /// The kind of device.
    public var kind: Kind
    /// The name of the device, for people.
    public var name: String?
    /// Indicates whether the endpoint is in use, or could be.
    public var state: State

    /// Creates an endpoint, which is available unless stated otherwise.
    public init(id: String, kind: Kind, name: String? = nil, state: State = .available) {
        self.id = id
        self.kind = kind
        self.name = name
        self.state = state
    }

    /// States of an endpoint.
    public enum State: String, CaseIterable, Sendable {
        /// The user may choose the endpoint.
        case available
        /// The sound comes out of the endpoint.
        case inUse = "in_use"
        /// The endpoint exists, and cannot be chosen now.
        case unavailable
    }

    /// Kinds of endpoint: one of `all`, or another word in snake case.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Creates a kind from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The part of a telephone that is held to the ear.
        public static let earpiece = Kind(rawValue: "earpiece")
        /// A loudspeaker.
        public static let speaker = Kind(rawValue: "speaker")
        /// A headset or headphones with a cable.
        public static let wired = Kind(rawValue: "wired")
        /// A device that is connected by Bluetooth.
        public static let bluetooth = Kind(rawValue: "bluetooth")
        /// Another device to which the sound is sent over a network.
        public static let streaming = Kind(rawValue: "streaming")

        /// The kinds that have a meaning of their own.
        public static let all: [Kind] = [.earpiece, .speaker, .wired, .bluetooth, .streaming]
    }
}

extension [AudioEndpoint] {
    /// The endpoint out of which the sound comes; nil if none is known.
    public var inUse: AudioEndpoint? {
        first { $0.state == .inUse }
    }

    /// Marks an endpoint as the one in use, and the former one as available. Does nothing if there is
    /// no endpoint with the id.
    package mutating func use(_ id: String) {
        guard contains(where: { $0.id == id }) else { return }
        for index in indices {
            if self[index].state == .inUse { self[index].state = .available }
            if self[index].id == id { self[index].state = .inUse }
        }
    }
}
