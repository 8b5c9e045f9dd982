internal import CallClient
internal import CallModel

typealias DirectoryFailure = CXErrorCodeCallDirectoryManagerError

/// One list on its way to the broker. Nothing counts before it is complete.
final class DirectoryLoad: @unchecked Sendable {
    /// Frames that the broker has not answered.
    private static let framesMax = 8
    /// How long a session may take to open, and the broker to make a complete list count.
    private static let openingSeconds = 10.0
    private static let completionSeconds = 600.0

    private let identifier: String
    private let generation = Date().unixMS
    private let room = DispatchSemaphore(value: framesMax)
    // The lock guards both.
    private let lock = NSLock()
    private var link: DirectoryLink?
    private var first: DirectoryFailure?

    init(_ identifier: String) {
        self.identifier = identifier
    }

    deinit {
        link?.close()
    }

    /// What went wrong first. After it nothing is sent.
    var failure: DirectoryFailure? {
        lock.withLock { first }
    }

    func fail(_ error: DirectoryFailure) {
        lock.withLock { first = first ?? error }
    }

    private func fail(_ error: CallError?) {
        if let error { fail(error.callDirectory) }
    }

    /// Opens the session; false if there is a failure now.
    func open() -> Bool {
        let opened = Gate()
        do throws(CallError) {
            let link = try DirectoryLink(
                ProviderRegistry.shared.options, identity: identifier
            ) { [weak self] error in
                self?.fail(error)
                opened.open()
            } lost: { [weak self] error in
                self?.fail(error)
            }
            lock.withLock { self.link = link }
            opened.wait(seconds: Self.openingSeconds)
        } catch {
            fail(error)
        }
        return failure == nil
    }

    /// Sends entries; waits while the broker has too much to do.
    func put(_ entries: [DirectoryEntry]) {
        guard !entries.isEmpty, let link = usable else { return }
        room.wait()
        link.put(entries, generation: generation, isFinal: false) { [self] error in
            room.signal()
            fail(error)
        }
    }

    /// Sends the last entries, or empties the list, and waits for the broker.
    func complete(_ entries: [DirectoryEntry], isEmpty: Bool) {
        guard let link = usable else { return }
        let answered = Gate()
        let done: DirectoryLink.Then = { [self] error in
            fail(error)
            answered.open()
        }
        if isEmpty {
            link.clear(generation: generation, then: done)
        } else {
            link.put(entries, generation: generation, isFinal: true, then: done)
        }
        answered.wait(seconds: Self.completionSeconds)
    }

    func close() {
        lock.withLock { link }?.close()
    }

    /// Nil when nothing is to be sent any more.
    private var usable: DirectoryLink? {
        lock.withLock { first == nil ? link : nil }
    }
}

/// Entries of one kind, in their order.
struct DirectorySequel {
    private(set) var entries: [DirectoryEntry] = []
    private var last: CXCallDirectoryPhoneNumber = 0
    /// Those of the last number.
    private var labels: [String] = []

    /// Why the entry must not follow.
    mutating func add(_ entry: DirectoryEntry) -> DirectoryFailure? {
        guard entry.number >= last, (1...CXCallDirectoryPhoneNumberMax).contains(entry.number)
        else {
            return .refused(
                .entriesOutOfOrder,
                "numbers are added from the smallest to the largest, beginning above 0: sort them")
        }
        if entry.number > last { labels = [] }
        let label = entry.label ?? ""
        guard !labels.contains(label) else {
            return .refused(
                .duplicateEntries, "the same entry was added twice: leave one of them out")
        }
        labels.append(label)
        last = entry.number
        entries.append(entry)
        return nil
    }

    mutating func take() -> [DirectoryEntry] {
        defer { entries = [] }
        return entries
    }
}

extension DirectoryFailure {
    /// A refusal that needs no broker.
    static func refused(_ code: Code, _ message: String) -> DirectoryFailure {
        DirectoryFailure(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}

extension CallError {
    /// As apps written for CallKit know it.
    var callDirectory: DirectoryFailure {
        DirectoryFailure(directoryCode, userInfo: userInfo)
    }

    private var directoryCode: DirectoryFailure.Code {
        let number = callKit.flatMap { $0.domain == .directoryManager ? $0.number : nil }
        if let code = number.flatMap(DirectoryFailure.Code.init(rawValue:)) { return code }
        return switch reason {
        case "disconnected", "closed": .loadingInterrupted
        case "role_not_granted": .extensionDisabled
        default: .unknown
        }
    }
}
