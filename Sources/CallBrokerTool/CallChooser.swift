internal import BrokerJSON
internal import CallProtocol

/// Which calls a verb may mean when none is named.
struct Candidates {
    /// What is asked for, as in "no call can be answered now".
    let participle: String
    /// Calls that allow one of these, by the broker's own words.
    let verbs: [String]
    /// Where none allows it: calls in one of these states. The broker's refusal says more than we
    /// could.
    var states: [String] = []
    /// What is done to one call of a group is done to all.
    var isForGroups = false
}

/// Finds the call that somebody means: by its id, by the beginning of its id, by the address of the
/// other side, or because it is the only one that comes into question.
struct CallChooser {
    private let calls: [CallSummary]

    init(_ session: Session) throws {
        var calls: [CallSummary] = []
        try session.forEachPage(.listCalls) { page in
            calls += page.result["calls"].map { $0.elements.map(CallSummary.init) } ?? []
        }
        self.calls = calls
    }

    init(_ calls: [CallSummary]) {
        self.calls = calls
    }

    /// The id of the call. One that is named in full need not be listed: the broker knows more.
    func choose(_ name: String?, _ candidates: Candidates) throws(ToolFailure) -> String {
        guard let name else { return try only(candidates).call }
        if Self.isWhole(name) { return name.lowercased() }
        return try find(name, candidates).call
    }

    /// The call that is listed under a name; nil for a whole id that is not listed.
    func listed(_ name: String) -> CallSummary? {
        calls.first { $0.call == name.lowercased() }
    }

    // MARK: - By name

    private func find(
        _ name: String, _ candidates: Candidates
    ) throws(ToolFailure) -> CallSummary {
        let byID = calls.filter { Self.abbreviates(name, $0.call) }
        let byAddress = calls.filter { call in
            call.remote.map { Self.plain($0) == Self.plain(name) } ?? false
        }
        let found = byID + byAddress.filter { call in !byID.contains { $0.call == call.call } }
        if let only = found.first, found.count == 1 { return only }
        guard !found.isEmpty else {
            throw ToolFailure(
                code: .errorReply,
                message: """
                    callbroker: no call is named by "\(name.printable)"; "callbroker calls" lists them
                    """)
        }
        // Calls with the same person: the one that can do it is meant. An id has to be written out.
        let able = Self.oneOfEachGroup(found.filter { $0.allows(candidates.verbs) }, candidates)
        if byID.isEmpty, let only = able.first, able.count == 1 { return only }
        throw Self.ambiguous("\"\(name.printable)\" may be any of these calls", found)
    }

    private static func isWhole(_ name: String) -> Bool {
        name.utf8.count == 36 && name.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Whether a name is the beginning of an id, or its beginning and its end as we show them.
    private static func abbreviates(_ name: String, _ id: String) -> Bool {
        guard let gap = name.firstIndex(of: Character(ShortID.gap)) else {
            return !name.isEmpty && id.hasPrefix(name.lowercased())
        }
        let (start, end) = (name[..<gap], name[name.index(after: gap)...])
        return id.hasPrefix(start.lowercased()) && id.hasSuffix(end.lowercased())
    }

    /// An address without its scheme and what people put between digits.
    private static func plain(_ address: String) -> String {
        var rest = address.lowercased()[...]
        for scheme in ["tel:", "sips:", "sip:", "mailto:"] where rest.hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        return rest.contains("@") ? String(rest) : rest.filter { !"-.() ".contains($0) }
    }

    // MARK: - The only one

    private func only(_ candidates: Candidates) throws(ToolFailure) -> CallSummary {
        let able = calls.filter { $0.allows(candidates.verbs) }
        let near = calls.filter { candidates.states.contains($0.state) }
        let found = Self.oneOfEachGroup(able.isEmpty ? near : able, candidates)
        guard let first = found.first else {
            throw ToolFailure(
                code: .errorReply,
                message: """
                    callbroker: no call can be \(candidates.participle) now; \
                    "callbroker calls" lists what each allows
                    """)
        }
        guard found.count == 1 else {
            throw Self.ambiguous("several calls can be \(candidates.participle)", found)
        }
        return first
    }

    /// The two groups that can become one, when no call is named; with one named, the other.
    func partner(of call: String, _ candidates: Candidates) throws(ToolFailure) -> String {
        let group = listed(call)?.group ?? call
        let others = CallChooser(calls.filter { $0.group != group })
        return try others.only(candidates).call
    }

    /// The first call of those that can be merged, when exactly two groups can.
    func firstOfTwo(_ candidates: Candidates) throws(ToolFailure) -> String {
        let able = calls.filter { $0.allows(candidates.verbs) }
        let found = Self.oneOfEachGroup(able, candidates)
        if let first = found.first, found.count == 2 { return first.call }
        return try only(candidates).call
    }

    private static func oneOfEachGroup(
        _ calls: [CallSummary], _ candidates: Candidates
    ) -> [CallSummary] {
        guard candidates.isForGroups else { return calls }
        var groups: Set<String> = []
        return calls.filter { groups.insert($0.group).inserted }
    }

    private static func ambiguous(_ what: String, _ calls: [CallSummary]) -> ToolFailure {
        let lines = calls.map { "\n  \($0.line)" }.joined()
        return ToolFailure(code: .usage, message: "callbroker: \(what); name one:\(lines)")
    }
}

extension CallSummary {
    fileprivate func allows(_ verbs: [String]) -> Bool {
        verbs.contains(where: allowed.contains)
    }
}
