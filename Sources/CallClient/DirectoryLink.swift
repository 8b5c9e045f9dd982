internal import BrokerJSON
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
}

/// One session of a source that fills the caller directory. It is not opened again when it is lost: a
/// load that is interrupted counts for nothing.
package final class DirectoryLink: Sendable {
    package typealias Then = @Sendable (CallError?) -> Void

    /// What a frame holds at most.
    package static let entriesMax = 500

    private let link: Link

    /// Opens a session.
    /// - Parameters:
    ///   - opened: hears once that it is open, or why not.
    ///   - lost: hears once that an open session has ended.
    package init(
        _ options: ClientOptions, identity: String, opened: @escaping Then, lost: @escaping Then
    ) throws(CallError) {
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

    /// Empties the list.
    package func clear(generation: Int64, then: @escaping Then) {
        link.request(.clearDirectory, { $0.member("generation", generation) }) {
            then($0.error)
        }
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

extension JSONWriter {
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
