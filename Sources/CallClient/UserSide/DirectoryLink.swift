internal import BrokerJSON
internal import CallModel
internal import CallProtocol
internal import Synchronization

/// What a source of the caller directory says of a number.
package struct DirectoryEntry: Hashable, Sendable {
    /// Country code and digits.
    package var number: Int64
    package var label: String?
    package var isBlocked: Bool

    package init(_ number: Int64, label: String? = nil, isBlocked: Bool = false) {
        (self.number, self.label, self.isBlocked) = (number, label, isBlocked)
    }

    /// Of an entry with a label of the largest length, however it is written.
    package static let frameBytesMax = 56 + 6 * Caller.textBytesMax

    /// No less than it takes in a frame: a byte of a label is six where it is escaped.
    package var frameBytes: Int {
        let label = (label ?? "").utf8.reduce(0) { bytes, byte in
            bytes + (byte < 0x20 ? 6 : byte == 0x22 || byte == 0x5C ? 2 : 1)
        }
        return 56 + label
    }
}

/// What becomes different in a list that serves.
package enum DirectoryChange: Hashable, Sendable {
    case removeAllLabels
    case removeAllBlocks
    case removeLabels(Int64)
    case removeBlock(Int64)
    case add(DirectoryEntry)

    /// No less than it takes in a frame.
    package var frameBytes: Int {
        if case .add(let entry) = self { entry.frameBytes } else { 32 }
    }
}

/// One session of a source that fills the caller directory. It is not opened again when it is lost: a
/// load that is interrupted counts for nothing.
package final class DirectoryLink: Sendable {
    package typealias Then = @Sendable (CallError?) -> Void

    /// What a frame holds at most: so many entries or changes, which take so many bytes.
    package static let entriesMax = 500
    package static let entryBytesMax = 60_000

    private let link: Link
    private let identity: String

    /// Opens a session.
    /// - Parameters:
    ///   - opened: hears once that it is open, or why not.
    ///   - lost: hears once that an open session has ended.
    package init(
        _ options: ClientOptions, identity: String, opened: @escaping Then, lost: @escaping Then
    ) throws(CallError) {
        self.identity = identity
        link = try Link(options, roles: RoleSet(.directory), identity: identity) {
            DirectoryRole(opened: opened, lost: lost)
        }
    }

    /// Adds to the list that is being loaded; with `isFinal` it is complete, and counts.
    package func put(
        _ entries: [DirectoryEntry], generation: Int64, isFinal: Bool, then: @escaping Then
    ) {
        link.request(.putEntries) { writer in
            writer.member("generation", generation)
            writer.member("final", isFinal)
            writer.name("entries")
            writer.array { writer in
                for entry in entries { writer.value(entry) }
            }
        } then: {
            then($0.error)
        }
    }

    /// The number of the list of this source, to be changed, or to be replaced by one with a higher number;
    /// nil if there is none.
    package func generation(then: @escaping @Sendable (Result<Int64?, CallError>) -> Void) {
        link.request(.listDirectories, { _ in }) { [identity] result in
            then(
                result.map { list in
                    let own = list["sources"]?.elements
                        .first { $0["source"]?.string == identity }
                    return own?["generation"]?.integer
                })
        }
    }

    /// Changes the list that serves: all of it or nothing. What is removed goes first.
    package func change(_ changes: [DirectoryChange], then: @escaping Then) {
        link.request(.changeEntries) { writer in
            writer.members(of: changes)
        } then: {
            then($0.error)
        }
    }

    /// Empties the list.
    package func clear(then: @escaping Then) {
        link.request(.clearDirectory, { _ in }) { then($0.error) }
    }

    package func close() {
        link.close()
    }
}

extension Result<JSONValue, CallError> {
    fileprivate var error: CallError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension DirectoryChange {
    fileprivate var unlabelled: Int64? {
        if case .removeLabels(let number) = self { number } else { nil }
    }

    fileprivate var unblocked: Int64? {
        if case .removeBlock(let number) = self { number } else { nil }
    }

    fileprivate var added: DirectoryEntry? {
        if case .add(let entry) = self { entry } else { nil }
    }
}

extension JSONWriter {
    /// The params of `directory.change_entries`.
    fileprivate mutating func members(of changes: [DirectoryChange]) {
        if changes.contains(.removeAllLabels) { member("remove_all_labels", true) }
        if changes.contains(.removeAllBlocks) { member("remove_all_blocks", true) }
        list("remove_labels", changes.compactMap(\.unlabelled)) { $0.value($1) }
        list("remove_blocks", changes.compactMap(\.unblocked)) { $0.value($1) }
        list("add", changes.compactMap(\.added)) { $0.value($1) }
    }

    private mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.name(name)
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }

    fileprivate mutating func value(_ entry: DirectoryEntry) {
        object { writer in
            writer.member("number", entry.number)
            writer.member("label", ifSet: entry.label)
            if entry.isBlocked { writer.member("blocked", true) }
        }
    }
}

/// The broker asks a source that loads nothing.
private final class DirectoryRole: LinkRole {
    private let opened: DirectoryLink.Then
    private let lost: DirectoryLink.Then
    private var isOpen = false
    private var isOver = false

    init(opened: @escaping DirectoryLink.Then, lost: @escaping DirectoryLink.Then) {
        (self.opened, self.lost) = (opened, lost)
    }

    func open(_ loop: LinkLoop) {
        loop.opened()
    }

    func opened(_ loop: LinkLoop) {
        isOpen = true
        opened(nil)
    }

    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        over(error)
        loop.close()
    }

    func lost(_ loop: LinkLoop) {
        over(.disconnected)
        loop.close()
    }

    func ended(_ error: CallError?) {
        over(error ?? .closed)
    }

    private func over(_ error: CallError) {
        guard !isOver else { return }
        isOver = true
        if isOpen { lost(error) } else { opened(error) }
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        loop.answer(
            id, error: .methodNotFound, reason: "not_supported", "this source looks nothing up")
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {}
}
