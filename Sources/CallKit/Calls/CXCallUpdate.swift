internal import CallModel

/// New values of a call's properties. Only properties that were set are sent; the others of the
/// call stay as they are. Setting `remoteHandle` or `localizedCallerName` to nil clears it.
open class CXCallUpdate: NSObject, NSCopying {
    /// The properties that were set, in the broker's form.
    private(set) var update = CallUpdate()
    // The values as they were set: the broker accepts no empty address, and shortens names.
    private var handle: CXHandle?
    private var name: String?

    /// The address of the other side; nil if it is unknown.
    open var remoteHandle: CXHandle? {
        get { handle }
        set {
            handle = newValue
            update.remote = newValue.map { .set($0.handle) } ?? .cleared
        }
    }

    /// The name of the other side, which the host shows instead of the address. The broker receives
    /// at most 128 bytes, cut between characters.
    open var localizedCallerName: String? {
        get { name }
        set {
            name = newValue
            update.displayName =
                newValue.map { .set($0.prefix(bytes: CallUpdate.displayNameBytesMax)) } ?? .cleared
        }
    }

    /// True if the call can be held. The default is true. For one that cannot, the host's policy
    /// and the user decide what happens when another call needs the audio.
    open var supportsHolding: Bool {
        get { update.supportsHolding.value ?? true }
        set { update.supportsHolding = .set(newValue) }
    }

    /// True if the call can join a group. The default is true.
    open var supportsGrouping: Bool {
        get { update.supportsGrouping.value ?? true }
        set { update.supportsGrouping = .set(newValue) }
    }

    /// True if the call can leave its group. The default is true.
    open var supportsUngrouping: Bool {
        get { update.supportsUngrouping.value ?? true }
        set { update.supportsUngrouping = .set(newValue) }
    }

    /// True if tones can be played. The default is true.
    open var supportsDTMF: Bool {
        get { update.supportsDTMF.value ?? true }
        set { update.supportsDTMF = .set(newValue) }
    }

    /// True if the call has video. The default is false.
    open var hasVideo: Bool {
        get { update.hasVideo.value ?? false }
        set { update.hasVideo = .set(newValue) }
    }

    /// Makes an update that changes nothing.
    public override init() {}

    /// Returns an update with the same properties set.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXCallUpdate()
        (copy.update, copy.handle, copy.name) = (update, handle, name)
        return copy
    }
}

extension Change {
    fileprivate var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}

extension String {
    /// The longest prefix of whole characters with at most `most` bytes of UTF-8.
    func prefix(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var short = String(decoding: utf8.prefix(most), as: UTF8.self)
        while short.utf8.count > most || !hasPrefix(short) { short.removeLast() }
        return short
    }
}
