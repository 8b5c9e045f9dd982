internal import CallArbitration
internal import CallModel
package import CallTranscript

/// A screener or a directory of a story.
package struct Filter: Hashable, Comparable, Sendable {
    package enum Role: String, Sendable {
        case screener, directory
    }

    /// As stories name it.
    package let name: String
    package let role: Role

    /// The one that is asked where a story names none.
    static let anybody = Filter(name: "filter", role: .screener)

    /// The name that it has on the wire.
    package var identity: String { Self.identity(name) }

    static func identity(_ name: String) -> String { "org.example." + name }

    package static func < (one: Filter, other: Filter) -> Bool {
        (one.name, one.role.rawValue) < (other.name, other.role.rawValue)
    }

    /// The manifests of all filters that stories name, by their identities. None has a program: they
    /// connect by themselves. A call waits for a directory as long as for a screener.
    package static let manifests: [String: String] = {
        let names = ["filter", "quiet", "calm", "spam", "sharing", "list", "numbers"]
        let rest = #""roles":["screener","directory"],"directory":{"budget_ms":1500}"#
        return Dictionary(
            uniqueKeysWithValues: names.map(identity).map { identity in
                (identity, #"{"manifest":1,"identity":"\#(identity)",\#(rest)}"#)
            })
    }()
}

/// The filters that a section needs for each of its calls: clients have to be there before they can be
/// asked.
package struct FilterCast: Sendable {
    /// Those that say something before the call rings.
    private var before: [CallID: Set<Filter>] = [:]
    /// Those that say something later.
    private var after: [CallID: Set<Filter>] = [:]

    /// - Parameter steps: all of a section and its setup.
    package init(_ steps: [Transcript.Step]) {
        var settled: Set<CallID> = []
        for step in steps {
            switch step.event {
            case .screeningSettled(let call, let verdict):
                if let filter = verdict.filter, !settled.contains(call) {
                    before[call, default: []].insert(filter)
                }
                settled.insert(call)
            case .timerFired(.screening(let call)): settled.insert(call)
            case .callerIdentified(let call, let caller):
                let filter = Filter(name: caller.source, role: .directory)
                if settled.contains(call) {
                    after[call, default: []].insert(filter)
                } else {
                    before[call, default: []].formUnion([filter, .anybody])
                }
            default: break
            }
        }
    }

    /// Those that are asked before the call rings.
    func screening(_ call: CallID) -> [Filter] {
        let named = before[call, default: []].sorted()
        return named.isEmpty ? [.anybody] : named
    }

    /// Those that come once the call rings.
    func identifying(_ call: CallID) -> [Filter] {
        after[call, default: []].sorted()
    }
}

extension ScreeningVerdict {
    /// The one that decides; nil if it is nobody's word.
    var filter: Filter? {
        switch self {
        case .block(.blockList, let name): Filter(name: name, role: .directory)
        case .block(_, let name), .silence(let name): Filter(name: name, role: .screener)
        case .allow, .doNotDisturb, .ring, .ringInCall, .timedOut: nil
        }
    }

    /// Why a screener refuses the call, if it says so.
    var blockReason: RefusalReason? {
        if case .block(let reason, _) = self, reason != .screener { reason } else { nil }
    }

    /// What a screener answers for it.
    var screenerWord: String {
        switch self {
        case .block: "block"
        case .silence: "silence"
        case .allow: "allow"
        case .doNotDisturb, .ring, .ringInCall, .timedOut: "continue"
        }
    }
}
