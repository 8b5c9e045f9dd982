internal import CallModel

/// Calls that have two ids: the app has started them under one, when the broker had begun them
/// under another. Everybody else knows the broker's.
struct CallNames {
    /// So many of those that are over keep their names: an app may still ask about one.
    static let overMax = 100

    private var ids: [UUID: CallID] = [:]
    private var names: [CallID: UUID] = [:]
    /// As the app calls them, in the order in which they were named.
    private var order: [UUID] = []

    mutating func name(_ call: CallID, _ uuid: UUID) {
        forget([uuid])
        (ids[uuid], names[call]) = (call, uuid)
        order.append(uuid)
    }

    /// Those that may be forgotten if they are over.
    var old: ArraySlice<UUID> {
        order.dropLast(Self.overMax)
    }

    mutating func forget(_ uuids: Set<UUID>) {
        for uuid in uuids {
            if let call = ids.removeValue(forKey: uuid) { names[call] = nil }
        }
        order.removeAll { uuids.contains($0) }
    }

    func id(of uuid: UUID) -> CallID? {
        ids[uuid]
    }

    func uuid(of call: CallID) -> UUID? {
        names[call]
    }
}

extension CallID {
    /// As the broker knows what the app calls so.
    init(_ uuid: UUID) {
        self = ProviderRegistry.shared.id(of: uuid) ?? CallID(UUIDBits(uuid))
    }

    /// As the app knows it.
    var uuid: UUID {
        ProviderRegistry.shared.uuid(of: self) ?? UUID(bits)
    }
}

extension UUIDBits {
    fileprivate init(_ uuid: UUID) {
        self = withUnsafeBytes(of: uuid.uuid) { bytes in
            UUIDBits(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

extension UUID {
    init(_ bits: UUIDBits) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.storeBytes(of: bits.high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: bits.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: value)
    }
}
