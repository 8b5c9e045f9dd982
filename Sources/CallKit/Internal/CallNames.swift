internal import CallModel

/// The calls that have two ids, because the app started them under one after the broker had begun
/// them under another. All other programs use the broker's.
struct CallNames {
    /// The number of latest names that are kept after their calls ended, because an app may still
    /// refer to one.
    static let overMax = 100

    private var ids: [UUID: CallID] = [:]
    private var names: [CallID: UUID] = [:]
    /// The app's ids, in the order in which they were given.
    private var order: [UUID] = []

    mutating func name(_ call: CallID, _ uuid: UUID) {
        forget([uuid])
        (ids[uuid], names[call]) = (call, uuid)
        order.append(uuid)
    }

    /// The ids that may be forgotten if their calls have ended.
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
    /// The broker's id of the call that has the id `uuid` in the app.
    init(_ uuid: UUID) {
        self = ProviderRegistry.shared.id(of: uuid) ?? CallID(UUIDBits(uuid))
    }

    /// The app's id of the call.
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
