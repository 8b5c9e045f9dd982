internal import CallClient
internal import CallModel

typealias DirectoryFailure = CXErrorCodeCallDirectoryManagerError

/// The transfer of one list to the broker. Nothing takes effect before it is complete.
final class DirectoryLoad: @unchecked Sendable {
    /// The most frames in flight without a reply.
    private static let framesMax = 8
    /// The time limits of opening a session and of completing a list.
    private static let openingSeconds = 10.0
    private static let completionSeconds = 600.0

    private let identifier: String
    private let begunAtMS = Date().unixMS
    private let room = DispatchSemaphore(value: framesMax)
    /// Opens when the session has ended.
    private let ended = Gate()
    // The lock guards what follows.
    private let lock = NSLock()
    private var link: DirectoryLink?
    private var first: DirectoryFailure?
    /// The previous list; nil until the broker was asked.
    private var previous: PreviousList?

    /// The list of this extension that the broker has.
    private enum PreviousList {
        case absent
        case generation(Int64)
    }

    init(_ identifier: String) {
        self.identifier = identifier
    }

    deinit {
        link?.close()
    }

    /// The first failure, after which nothing is sent.
    var failure: DirectoryFailure? {
        lock.withLock { first }
    }

    func fail(_ error: DirectoryFailure) {
        lock.withLock { first = first ?? error }
    }

    private func wait(for gate: Gate, seconds: Double) {
        guard !gate.wait(seconds: seconds) else { return }
        fail(
            .refused(
                .loadingInterrupted,
                "the broker did not reply within \(Int(seconds)) s: try again later"))
    }

    private func fail(_ error: CallError?) {
        if let error { fail(error.callDirectory) }
    }

    /// Opens the session. Returns false if that failed.
    func open() -> Bool {
        let opened = Gate()
        do throws(CallError) {
            let link = try DirectoryLink(
                ProviderRegistry.shared.options, identity: identifier
            ) { [weak self, ended] error in
                self?.fail(error)
                if error != nil { ended.open() }
                opened.open()
            } lost: { [weak self, ended] error in
                self?.fail(error)
                ended.open()
            }
            lock.withLock { self.link = link }
            wait(for: opened, seconds: Self.openingSeconds)
        } catch {
            fail(error)
        }
        return failure == nil
    }

    /// Sends entries. Waits while the broker has not replied to earlier ones.
    func put(_ entries: [DirectoryEntry]) {
        guard !entries.isEmpty, let generation = generation(), let link = usable else { return }
        room.wait()
        link.put(entries, generation: generation, isFinal: false) { [self] error in
            room.signal()
            fail(error)
        }
    }

    /// Sends the last entries, or clears the list, and waits for the broker's reply.
    func complete(_ entries: [DirectoryEntry], isEmpty: Bool) {
        let generation = isEmpty ? 0 : generation()
        guard let generation, let link = usable else { return }
        let answered = Gate()
        let done: DirectoryLink.Completion = { [self] error in
            fail(error)
            answered.open()
        }
        if isEmpty {
            link.clear(then: done)
        } else {
            link.put(entries, generation: generation, isFinal: true, then: done)
        }
        wait(for: answered, seconds: Self.completionSeconds)
    }

    /// Returns whether the broker has a previous list to change; false if it cannot be asked.
    func hasList() -> Bool {
        if case .generation = previousList() { true } else { false }
    }

    /// The generation of the new list: the time in milliseconds, or more if the previous list has a
    /// higher one because a clock was ahead. Nil if the broker cannot be asked.
    private func generation() -> Int64? {
        switch previousList() {
        case nil: nil
        case .absent: begunAtMS
        case .generation(let previous): max(previous &+ 1, begunAtMS)
        }
    }

    /// Asks the broker for the previous list, once. Nil if it cannot be asked.
    private func previousList() -> PreviousList? {
        if let previous = lock.withLock({ previous }) { return previous }
        guard let link = usable else { return nil }
        let answered = Gate()
        link.generation { [self] result in
            switch result {
            case .success(let number):
                lock.withLock { previous = number.map { .generation($0) } ?? .absent }
            case .failure(let error): fail(error)
            }
            answered.open()
        }
        wait(for: answered, seconds: Self.openingSeconds)
        return lock.withLock { previous }
    }

    /// Changes the previous list, with as many changes at a time as fit a frame. Waits for each
    /// reply: after a failure nothing more is sent.
    func change(_ changes: [DirectoryChange]) {
        var rest = changes[...]
        while !rest.isEmpty, let link = usable {
            var bytes = 0
            let part = rest.prefix(DirectoryLink.entriesMax).prefix { change in
                bytes += change.frameBytes
                return bytes <= DirectoryLink.entryBytesMax
            }
            // A change that is too long by itself is sent, and refused.
            let next = max(1, part.count)
            let answered = Gate()
            link.change(Array(rest.prefix(next))) { [self] error in
                fail(error)
                answered.open()
            }
            wait(for: answered, seconds: Self.completionSeconds)
            rest = rest.dropFirst(next)
        }
    }

    /// Closes the session, and waits until it has ended, because there is one session per source.
    func close() {
        guard let link = lock.withLock({ link }) else { return }
        link.close()
        ended.wait(seconds: ProviderRegistry.shared.patience)
    }

    /// The session; nil after a failure.
    private var usable: DirectoryLink? {
        lock.withLock { first == nil ? link : nil }
    }
}

/// A buffer of entries of one kind, whose order is checked as they are added.
struct OrderedEntries {
    private(set) var entries: [DirectoryEntry] = []
    private var bytes = 0
    private var last: CXCallDirectoryPhoneNumber = 0
    /// The labels of the last number.
    private var labels: [String] = []

    /// Appends an entry, or returns why it is not allowed.
    mutating func add(_ entry: DirectoryEntry) -> DirectoryFailure? {
        guard entry.number >= last, (1...CXCallDirectoryPhoneNumberMax).contains(entry.number)
        else {
            return .refused(
                .entriesOutOfOrder,
                "numbers must be above 0 and added in ascending order: sort them")
        }
        if entry.number > last { labels = [] }
        let label = entry.label ?? ""
        guard !labels.contains(label) else {
            return .refused(
                .duplicateEntries, "the same entry was added twice: add it once")
        }
        labels.append(label)
        last = entry.number
        bytes += entry.frameBytes
        entries.append(entry)
        return nil
    }

    /// True if one more entry might not fit a frame.
    var isFull: Bool {
        entries.count == DirectoryLink.entriesMax
            || bytes > DirectoryLink.entryBytesMax - DirectoryEntry.frameBytesMax
    }

    mutating func take() -> [DirectoryEntry] {
        defer { (entries, bytes) = ([], 0) }
        return entries
    }

    /// Removes the entries of a number, or with nil all.
    mutating func remove(_ number: CXCallDirectoryPhoneNumber?) {
        entries.removeAll { number == nil || $0.number == number }
        if number == nil || number == last { labels = [] }
    }
}

extension DirectoryFailure {
    /// A refusal that needs no broker.
    static func refused(_ code: Code, _ message: String) -> DirectoryFailure {
        DirectoryFailure(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}

extension CallError {
    /// The CallKit error for this one.
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
