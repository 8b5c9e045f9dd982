internal import CallModel

/// What an app tells about a call. Only what was set counts: the rest stays as it is.
open class CXCallUpdate: NSObject, NSCopying {
    /// What was set so far, as the broker is told it.
    private(set) var update = CallUpdate()
    // As they were set: the broker takes no empty address, and names of limited length.
    private var handle: CXHandle?
    private var name: String?

    /// The caller of an incoming call, whom an outgoing one is for.
    open var remoteHandle: CXHandle? {
        get { handle }
        set {
            handle = newValue
            update.remote = newValue.map { .set($0.handle) } ?? .cleared
        }
    }

    /// Who that is, instead of what the host would show. The broker is told at most 128 bytes.
    open var localizedCallerName: String? {
        get { name }
        set {
            name = newValue
            update.displayName =
                newValue.map { .set($0.prefix(bytes: CallUpdate.displayNameBytesMax)) } ?? .cleared
        }
    }

    /// Whether it can be held; true until said otherwise, as the next three.
    open var supportsHolding: Bool {
        get { update.supportsHolding.value ?? true }
        set { update.supportsHolding = .set(newValue) }
    }

    open var supportsGrouping: Bool {
        get { update.supportsGrouping.value ?? true }
        set { update.supportsGrouping = .set(newValue) }
    }

    open var supportsUngrouping: Bool {
        get { update.supportsUngrouping.value ?? true }
        set { update.supportsUngrouping = .set(newValue) }
    }

    open var supportsDTMF: Bool {
        get { update.supportsDTMF.value ?? true }
        set { update.supportsDTMF = .set(newValue) }
    }

    open var hasVideo: Bool {
        get { update.hasVideo.value ?? false }
        set { update.hasVideo = .set(newValue) }
    }

    public override init() {}

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
    /// The longest beginning of whole characters with so many bytes.
    func prefix(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var short = String(decoding: utf8.prefix(most), as: UTF8.self)
        while short.utf8.count > most || !hasPrefix(short) { short.removeLast() }
        return short
    }
}
