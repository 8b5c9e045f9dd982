internal import CallModel

/// Calls that have two ids: the app has started them under one, when the broker had begun them
/// under another. Everybody else knows the broker's.
struct CallNames {
    private var ids: [UUID: CallID] = [:]
    private var names: [CallID: UUID] = [:]

    /// As long as the process lives: an app may ask about a call at any time.
    mutating func name(_ call: CallID, _ uuid: UUID) {
        (ids[uuid], names[call]) = (call, uuid)
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
