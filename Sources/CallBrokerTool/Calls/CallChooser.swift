internal import CallProtocol

/// The calls that a command may mean when none is named.
struct Candidates {
    /// The messages if no call can be meant, or several.
    let none: String
    let several: String
    /// The verbs, in the broker's words, of which a call must allow one.
    let verbs: [String]
    /// The states in which a call is a candidate; empty for any.
    var among: [String] = []
    /// The states to choose from if no call allows a verb: the broker's refusal explains more than
    /// the tool could.
    var states: [String] = []
    /// The states in which a single call is preferred, if all others are in `passedOver`.
    var before: [String] = []
    var passedOver = "held"
    /// True if the command acts on whole groups.
    var isForGroups = false
    /// The message with what the command needs, if that is more than one call in the right state.
    var needed: String?

    /// Those of a command for incoming calls: a ringing one comes before those that wait.
    static func incoming(
        none: String, several: String, _ verbs: [String]
    ) -> Candidates {
        Candidates(
            none: none, several: several, verbs: verbs, states: CallArgument.incoming,
            before: ["ringing"], passedOver: "waiting")
    }

    fileprivate func able(_ calls: [CallSummary]) -> [CallSummary] {
        oneOfEachGroup(
            calls.filter { call in
                verbs.contains(where: call.allowed.contains)
                    && (among.isEmpty || among.contains(call.state))
            })
    }

    fileprivate func near(_ calls: [CallSummary]) -> [CallSummary] {
        oneOfEachGroup(calls.filter { states.contains($0.state) })
    }

    fileprivate func foremost(_ calls: [CallSummary]) -> CallSummary? {
        let others = calls.filter { $0.state != passedOver }
        guard let only = others.first, others.count == 1, before.contains(only.state) else {
            return nil
        }
        return only
    }

    private func oneOfEachGroup(_ calls: [CallSummary]) -> [CallSummary] {
        guard isForGroups else { return calls }
        var groups: Set<String> = []
        return calls.filter { groups.insert($0.group).inserted }
    }
}

/// Finds the call that the user means: by its id, by the start of its id, by the remote address or
/// name, or because it is the only candidate.
struct CallChooser {
    /// The calls that have not ended.
    private let calls: [CallSummary]
    /// The ended calls that the broker still lists, latest first.
    private let ended: [CallSummary]

    /// - Parameter knowsEnded: whether the user may mean an ended call.
    init(_ session: Session, knowsEnded: Bool = false) throws {
        var calls: [CallSummary] = []
        try session.forEachPage(.listCalls) { page in calls += CallSummary.list(page.result) }
        self.init(calls, ended: knowsEnded ? try session.endedCalls() : [])
    }

    private init(_ calls: [CallSummary], ended: [CallSummary] = []) {
        self.calls = calls
        self.ended = ended
    }

    /// Returns the id of the call. A full id need not be listed, because the broker remembers more
    /// calls than it lists.
    func choose(_ name: String?, _ candidates: Candidates) throws(ToolFailure) -> String {
        guard let name else { return try only(candidates).call }
        if name.isWholeID { return name.lowercased() }
        return try find(name, candidates).call
    }

    /// Returns the call listed under a name; nil for a full id that is not listed.
    func listed(_ name: String) -> CallSummary? {
        (calls + ended).first { $0.call == name.lowercased() }
    }

    /// All listed calls, latest first.
    var all: [CallSummary] {
        calls.reversed() + ended
    }

    // MARK: - By name

    private func find(
        _ name: String, _ candidates: Candidates
    ) throws(ToolFailure) -> CallSummary {
        let byID = calls.filter { $0.call.isAbbreviated(by: name) }
        var found = byID + calls.filter { $0.isWith(name) && !byID.map(\.call).contains($0.call) }
        if found.isEmpty { found = calls.filter { $0.isNamed(name) } }
        if let only = found.first, found.count == 1 { return only }
        guard !found.isEmpty else { return try findEnded(name) }
        // Of several calls with one person, the one that allows the verb is meant. Ids are not guessed.
        let able = candidates.able(found)
        if byID.isEmpty, let only = able.first, able.count == 1 { return only }
        throw Self.ambiguous(Messages.callMatchesSeveral(name: name.printable), found)
    }

    /// Returns the latest call with that person.
    private func findEnded(_ name: String) throws(ToolFailure) -> CallSummary {
        let byID = ended.filter { $0.call.isAbbreviated(by: name) }
        let byName = ended.first { $0.isWith(name) } ?? ended.first { $0.isNamed(name) }
        if let first = byID.first ?? byName, byID.count < 2 {
            return first
        }
        guard byID.isEmpty else {
            throw Self.ambiguous(Messages.callMatchesSeveral(name: name.printable), byID)
        }
        throw ToolFailure(.errorReply, Messages.callMatchesNone(name: name.printable))
    }

    // MARK: - The only one

    /// The number of candidates when no call is named.
    func countAble(_ candidates: Candidates) -> Int {
        candidates.able(calls).count
    }

    /// Returns the only candidate; if no call is left, the one that ended last.
    private func only(_ candidates: Candidates) throws(ToolFailure) -> CallSummary {
        let able = candidates.able(calls)
        let found = able.isEmpty ? candidates.near(calls) : able
        guard let first = found.first ?? ended.first else {
            let message =
                calls.isEmpty
                ? Messages.callNoneAtAll(sentence: candidates.none)
                : Messages.callNoneAllows(sentence: candidates.needed ?? candidates.none)
            throw ToolFailure(.errorReply, message)
        }
        if found.count <= 1 { return first }
        if let foremost = candidates.foremost(found) { return foremost }
        throw Self.ambiguous(candidates.several, found)
    }

    /// Returns two calls of different groups, those that are named or the only possible ones.
    func choosePair(
        _ call: String?, _ with: String?, _ candidates: Candidates
    ) throws(ToolFailure) -> (call: String, with: String) {
        let first = if let call { try choose(call, candidates) } else { try firstOfTwo(candidates) }
        let second =
            if let with { try choose(with, candidates) } else {
                try partner(of: first, candidates)
            }
        return (first, second)
    }

    /// Returns the only possible call of another group.
    private func partner(
        of call: String, _ candidates: Candidates
    ) throws(ToolFailure) -> String {
        let group = listed(call)?.group ?? call
        let others = CallChooser(calls.filter { $0.group != group })
        return try others.only(candidates).call
    }

    /// Returns the first of the two calls that are possible.
    private func firstOfTwo(_ candidates: Candidates) throws(ToolFailure) -> String {
        let able = candidates.able(calls)
        if let first = able.first, able.count == 2 { return first.call }
        return try only(candidates).call
    }

    private static func ambiguous(_ what: String, _ calls: [CallSummary]) -> ToolFailure {
        .ambiguous(what, calls.map(\.line))
    }
}

extension CallSummary {
    /// True if the text is the remote address, in any notation, or the name of the remote party.
    fileprivate func isWith(_ text: String) -> Bool {
        displayName?.lowercased() == text.lowercased()
            || remote.map { $0.plainAddress == text.plainAddress } ?? false
    }

    /// True if the text is a part of the name of the remote party.
    fileprivate func isNamed(_ text: String) -> Bool {
        !text.isEmpty && displayName?.lowercased().contains(text.lowercased()) ?? false
    }
}

extension String {
    var isWholeID: Bool {
        utf8.count == 36 && allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// True if a name is the start of this id, or its start and end as `ShortID` shows them.
    func isAbbreviated(by name: String) -> Bool {
        guard let gap = name.firstIndex(of: Character(ShortID.gap)) else {
            return !name.isEmpty && hasPrefix(name.lowercased())
        }
        let (start, end) = (name[..<gap], name[name.index(after: gap)...])
        return hasPrefix(start.lowercased()) && hasSuffix(end.lowercased())
    }

    /// The address without its scheme and without separators between digits.
    var plainAddress: String {
        var rest = lowercased()[...]
        for scheme in ["tel:", "sips:", "sip:", "mailto:"] where rest.hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        return rest.contains("@") ? String(rest) : rest.filter { !"-.() ".contains($0) }
    }
}
