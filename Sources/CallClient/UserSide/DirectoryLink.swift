internal import BrokerJSON
internal import CallModel
internal import CallProtocol
internal import Synchronization

/// An entry of a source of the caller directory: a label or a block for a number.
package struct DirectoryEntry: Hashable, Sendable {
    /// The telephone number: country code and digits.
    package var number: Int64
    package var label: String?
    package var isBlocked: Bool

    package init(_ number: Int64, label: String? = nil, isBlocked: Bool = false) {
        (self.number, self.label, self.isBlocked) = (number, label, isBlocked)
    }

    /// An upper bound of the bytes of any entry in a frame.
    package static let frameBytesMax = 56 + 6 * Caller.textBytesMax

    /// An upper bound of the entry's bytes in a frame, where an escaped byte of a label takes six.
    package var frameBytes: Int {
        let label = (label ?? "").utf8.reduce(0) { bytes, byte in
            bytes + (byte < 0x20 ? 6 : byte == 0x22 || byte == 0x5C ? 2 : 1)
        }
        return 56 + label
    }
}

/// A change of a list in use.
package enum DirectoryChange: Hashable, Sendable {
    case removeAllLabels
    case removeAllBlocks
    case removeLabels(Int64)
    case removeBlock(Int64)
    case add(DirectoryEntry)

    /// An upper bound of the change's bytes in a frame.
    package var frameBytes: Int {
        if case .add(let entry) = self { entry.frameBytes } else { 32 }
    }
}

/// A session of a source that provides entries for the caller directory. A lost session is not
/// opened again, because an interrupted load has no effect.
package final class DirectoryLink: Sendable {
    package typealias Completion = @Sendable (CallError?) -> Void

    /// The most entries or changes in a frame.
    package static let entriesMax = 500
    /// The most bytes of entries or changes in a frame.
    package static let entryBytesMax = 60_000

    private let link: Link
    private let identity: String

    /// Opens a session. The closures are called on the link's thread.
    ///
    /// - Parameters:
    ///   - options: the broker's socket, and how long to wait for it.
    ///   - identity: the identity of the list's owner.
    ///   - opened: called once, with an error if the session could not be opened.
    ///   - lost: called once, when an open session has ended.
    package init(
        _ options: ClientOptions, identity: String, opened: @escaping Completion,
        lost: @escaping Completion
    ) throws(CallError) {
        self.identity = identity
        link = try Link(options, roles: RoleSet(.directory), identity: identity) {
            DirectoryRole(opened: opened, lost: lost)
        }
    }

    /// Adds entries to the list that is being loaded; with `isFinal` the list is complete and comes
    /// into use.
    package func put(
        _ entries: [DirectoryEntry], generation: Int64, isFinal: Bool, then: @escaping Completion
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

    /// Requests the generation of this source's list, which a new list must exceed; nil if there is
    /// none.
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

    /// Changes the list in use; all changes take effect or none. Removals are applied first.
    package func change(_ changes: [DirectoryChange], then: @escaping Completion) {
        link.request(.changeEntries) { writer in
            writer.members(of: changes)
        } then: {
            then($0.error)
        }
    }

    /// Removes all entries of the list.
    package func clear(then: @escaping Completion) {
        link.request(.clearDirectory, { _ in }) { then($0.error) }
    }

    /// Ends the session.
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
    fileprivate var unlabeled: Int64? {
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
    /// Writes the params of `directory.change_entries`.
    fileprivate mutating func members(of changes: [DirectoryChange]) {
        if changes.contains(.removeAllLabels) { member("remove_all_labels", true) }
        if changes.contains(.removeAllBlocks) { member("remove_all_blocks", true) }
        list("remove_labels", changes.compactMap(\.unlabeled)) { $0.value($1) }
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

/// The role of a source that provides a list, and performs no lookups.
private final class DirectoryRole: LinkRole {
    private let opened: DirectoryLink.Completion
    private let lost: DirectoryLink.Completion
    private var isOpen = false
    private var isOver = false

    init(
        opened: @escaping DirectoryLink.Completion, lost: @escaping DirectoryLink.Completion
    ) {
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
        finish(error)
        loop.close()
    }

    func lost(_ loop: LinkLoop) {
        finish(.disconnected)
        loop.close()
    }

    func ended(_ error: CallError?) {
        finish(error ?? .closed)
    }

    private func finish(_ error: CallError) {
        guard !isOver else { return }
        isOver = true
        if isOpen { lost(error) } else { opened(error) }
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        loop.answer(
            id, error: .methodNotFound, reason: "not_supported", "this source performs no lookups")
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {}
}
