internal import BrokerJSON
internal import CallProtocol

/// Which calls a verb may mean when none is named.
struct Candidates {
    /// What is asked for, as in "no call can be answered now".
    let participle: String
    /// Calls that allow one of these, by the broker's own words.
    let verbs: [String]
    /// Only calls in one of these states; in any, where none is said.
    var among: [String] = []
    /// Where none allows it: calls in one of these states. The broker's refusal says more than we
    /// could.
    var states: [String] = []
    /// Of several the only one in one of these states is meant, if all others are held.
    var before: [String] = []
    /// What is done to one call of a group is done to all.
    var isForGroups = false
    /// What it takes, where that is more than one call in the right state.
    var need: String?

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
        let others = calls.filter { $0.state != "held" }
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

/// Finds the call that somebody means: by its id, by the beginning of its id, by the address of the
/// other side, or because it is the only one that comes into question.
struct CallChooser {
    /// Those that are not over.
    private let calls: [CallSummary]
    /// Those that are, as far as the broker keeps them; the latest first.
    private let ended: [CallSummary]

    /// - Parameter knowsEnded: whether a call that is over may be meant, too.
    init(_ session: Session, knowsEnded: Bool = false) throws {
        var calls: [CallSummary] = []
        try session.forEachPage(.listCalls) { page in calls += CallSummary.list(page.result) }
        self.init(calls, ended: knowsEnded ? try session.endedCalls() : [])
    }

    private init(_ calls: [CallSummary], ended: [CallSummary] = []) {
        self.calls = calls
        self.ended = ended
    }

    /// The id of the call. One that is named in full need not be listed: the broker knows more.
    func choose(_ name: String?, _ candidates: Candidates) throws(ToolFailure) -> String {
        guard let name else { return try only(candidates).call }
        if name.isWholeID { return name.lowercased() }
        return try find(name, candidates).call
    }

    /// The call that is listed under a name; nil for a whole id that is not listed.
    func listed(_ name: String) -> CallSummary? {
        (calls + ended).first { $0.call == name.lowercased() }
    }

    /// All that are listed, the latest first.
    var all: [CallSummary] {
        calls.reversed() + ended
    }

    // MARK: - By name

    private func find(
        _ name: String, _ candidates: Candidates
    ) throws(ToolFailure) -> CallSummary {
        let byID = calls.filter { $0.call.isAbbreviated(by: name) }
        let found = byID + calls.filter { $0.isWith(name) && !byID.map(\.call).contains($0.call) }
        if let only = found.first, found.count == 1 { return only }
        guard !found.isEmpty else { return try findEnded(name) }
        // Calls with the same person: the one that can do it is meant. An id has to be written out.
        let able = candidates.able(found)
        if byID.isEmpty, let only = able.first, able.count == 1 { return only }
        throw Self.ambiguous("\"\(name.printable)\" may be any of these calls", found)
    }

    /// Of several with one person the latest is meant.
    private func findEnded(_ name: String) throws(ToolFailure) -> CallSummary {
        let byID = ended.filter { $0.call.isAbbreviated(by: name) }
        if let first = byID.first ?? ended.first(where: { $0.isWith(name) }), byID.count < 2 {
            return first
        }
        guard byID.isEmpty else {
            throw Self.ambiguous("\"\(name.printable)\" may be any of these calls", byID)
        }
        throw ToolFailure(
            code: .errorReply,
            message: """
                callbroker: no call is named by "\(name.printable)"; "callbroker calls" lists them
                """)
    }

    // MARK: - The only one

    /// How many there are to choose from, when none is named.
    func countAble(_ candidates: Candidates) -> Int {
        candidates.able(calls).count
    }

    /// Where there is none any more: the one that ended last.
    private func only(_ candidates: Candidates) throws(ToolFailure) -> CallSummary {
        let able = candidates.able(calls)
        let found = able.isEmpty ? candidates.near(calls) : able
        guard let first = found.first ?? ended.first else {
            let why =
                calls.isEmpty
                ? ": there is none"
                : (candidates.need.map { ": it takes " + $0 } ?? "")
                    + "; \"callbroker calls\" lists what each allows"
            throw ToolFailure(
                code: .errorReply,
                message: "callbroker: no call can be \(candidates.participle) now\(why)")
        }
        if found.count <= 1 { return first }
        if let foremost = candidates.foremost(found) { return foremost }
        throw Self.ambiguous("several calls can be \(candidates.participle)", found)
    }

    /// The other group that can become one with the call's.
    func partner(of call: String, _ candidates: Candidates) throws(ToolFailure) -> String {
        let group = listed(call)?.group ?? call
        let others = CallChooser(calls.filter { $0.group != group })
        return try others.only(candidates).call
    }

    /// The first call of those that can be merged, when exactly two groups can.
    func firstOfTwo(_ candidates: Candidates) throws(ToolFailure) -> String {
        let able = candidates.able(calls)
        if let first = able.first, able.count == 2 { return first.call }
        return try only(candidates).call
    }

    private static func ambiguous(_ what: String, _ calls: [CallSummary]) -> ToolFailure {
        let lines = calls.map { "\n  \($0.line)" }.joined()
        return ToolFailure(code: .usage, message: "callbroker: \(what); name one:\(lines)")
    }
}

extension CallSummary {
    /// Whether an address, however it is written, is that of the other side.
    fileprivate func isWith(_ address: String) -> Bool {
        remote.map { $0.plainAddress == address.plainAddress } ?? false
    }
}

extension String {
    var isWholeID: Bool {
        utf8.count == 36 && allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Whether a name is the beginning of this id, or its beginning and its end as we show them.
    func isAbbreviated(by name: String) -> Bool {
        guard let gap = name.firstIndex(of: Character(ShortID.gap)) else {
            return !name.isEmpty && hasPrefix(name.lowercased())
        }
        let (start, end) = (name[..<gap], name[name.index(after: gap)...])
        return hasPrefix(start.lowercased()) && hasSuffix(end.lowercased())
    }

    /// An address without its scheme and what people put between digits.
    fileprivate var plainAddress: String {
        var rest = lowercased()[...]
        for scheme in ["tel:", "sips:", "sip:", "mailto:"] where rest.hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        return rest.contains("@") ? String(rest) : rest.filter { !"-.() ".contains($0) }
    }
}
