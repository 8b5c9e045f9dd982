/// The frames that were written for subscriptions that are behind, while there are such: after a
/// burst many get the same ones.
struct LateFrames {
    /// What frames that are the same have in common.
    struct Key: Hashable {
        let subscription: Int
        let seq: Int64
        let previous: Int64
        let wantsChanges: Bool

        init(of seq: Int64, for subscription: Subscription) {
            (self.subscription, self.seq) = (subscription.number, seq)
            (previous, wantsChanges) = (subscription.seq, subscription.wantsChanges)
        }
    }

    /// The number of bytes that are kept at most.
    private static let bytesMax = 4_194_304

    private var frames: [Key: [UInt8]] = [:]
    private var bytes = 0

    /// The frame with a key. Setting one beyond the limit drops the others.
    subscript(key: Key) -> [UInt8]? {
        get { frames[key] }
        set {
            guard let newValue else { return }
            if bytes + newValue.count > Self.bytesMax { self = LateFrames() }
            frames[key] = newValue
            bytes += newValue.count
        }
    }
}
