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
    private let begunAtMS = Date().unixMS
    private let room = DispatchSemaphore(value: framesMax)
    /// Opens when there is no session any more.
    private let ended = Gate()
    // The lock guards what follows.
    private let lock = NSLock()
    private var link: DirectoryLink?
    private var first: DirectoryFailure?
    /// Nil until the broker has said it.
    private var former: Former?

    /// The list of before.
    private enum Former {
        case absent
        case generation(Int64)
    }

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

    private func wait(for gate: Gate, seconds: Double) {
        guard !gate.wait(seconds: seconds) else { return }
        fail(
            .refused(
                .loadingInterrupted,
                "the broker has not answered in \(Int(seconds)) s: try again later"))
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

    /// Sends entries; waits while the broker has too much to do.
    func put(_ entries: [DirectoryEntry]) {
        guard !entries.isEmpty, let generation = generation(), let link = usable else { return }
        room.wait()
        link.put(entries, generation: generation, isFinal: false) { [self] error in
            room.signal()
            fail(error)
        }
    }

    /// Sends the last entries, or empties the list, and waits for the broker.
    func complete(_ entries: [DirectoryEntry], isEmpty: Bool) {
        let generation = isEmpty ? 0 : generation()
        guard let generation, let link = usable else { return }
        let answered = Gate()
        let done: DirectoryLink.Then = { [self] error in
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

    /// Whether the broker has a list of before, to be changed; false if it cannot be asked.
    func hasList() -> Bool {
        if case .generation = listBefore() { true } else { false }
    }

    /// The number of the new list: higher than that of the one before, which a clock may have given that
    /// was ahead. Nil if the broker cannot be asked.
    private func generation() -> Int64? {
        switch listBefore() {
        case nil: nil
        case .absent: begunAtMS
        case .generation(let former): max(former &+ 1, begunAtMS)
        }
    }

    /// Asks the broker, once. Nil if it cannot be asked.
    private func listBefore() -> Former? {
        if let former = lock.withLock({ former }) { return former }
        guard let link = usable else { return nil }
        let answered = Gate()
        link.generation { [self] result in
            switch result {
            case .success(let number):
                lock.withLock { former = number.map { .generation($0) } ?? .absent }
            case .failure(let error): fail(error)
            }
            answered.open()
        }
        wait(for: answered, seconds: Self.openingSeconds)
        return lock.withLock { former }
    }

    /// Changes the list of before, as many changes at a time as a frame takes, and waits for the
    /// broker each time: what follows one that fails is not sent.
    func change(_ changes: [DirectoryChange]) {
        var rest = changes[...]
        while !rest.isEmpty, let link = usable {
            var bytes = 0
            let part = rest.prefix(DirectoryLink.entriesMax).prefix { change in
                bytes += change.frameBytes
                return bytes <= DirectoryLink.entryBytesMax
            }
            // One that is too long by itself is refused.
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

    /// Waits until the broker has let go of the session: there is one of a name.
    func close() {
        guard let link = lock.withLock({ link }) else { return }
        link.close()
        ended.wait(seconds: ProviderRegistry.shared.patience)
    }

    /// Nil when nothing is to be sent any more.
    private var usable: DirectoryLink? {
        lock.withLock { first == nil ? link : nil }
    }
}

/// Entries of one kind, in their order.
struct DirectorySequel {
    private(set) var entries: [DirectoryEntry] = []
    private var bytes = 0
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
        bytes += entry.frameBytes
        entries.append(entry)
        return nil
    }

    /// Another entry might be one too many for a frame.
    var isFull: Bool {
        entries.count == DirectoryLink.entriesMax
            || bytes > DirectoryLink.entryBytesMax - DirectoryEntry.frameBytesMax
    }

    mutating func take() -> [DirectoryEntry] {
        defer { (entries, bytes) = ([], 0) }
        return entries
    }

    /// What was added of a number, or of all, is taken back.
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
