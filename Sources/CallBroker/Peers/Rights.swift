internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// What a client may do and see, by the rules of the policy.
struct Rights: Equatable {
    /// The roles that it may have.
    var roles: RoleSet
    /// True if it sees and reaches only the calls that its own connection provides.
    var isForOwnCalls = false
    /// True if numbers and names of remote parties are kept from it.
    var isRedacted = false

    /// The rights of a program of the host that no rule is about.
    static let full = Rights(roles: .all)
    /// The rights of a program in a sandbox that no rule is about.
    static let stranger = Rights(roles: .observer, isRedacted: true)

    /// The roles of those who need to know every call, and who calls.
    private static let knowing: RoleSet = [.admin, .screener, .directory]

    init(roles: RoleSet, isForOwnCalls: Bool = false, isRedacted: Bool = false) {
        self.roles = roles
        self.isForOwnCalls = isForOwnCalls
        self.isRedacted = isRedacted
        if isLimited { self.roles.subtract(Self.knowing) }
        if isForOwnCalls { self.roles.subtract(.ui) }
    }

    /// Creates the rights of a rule, or of a grant.
    ///
    /// - Parameters:
    ///   - words: the words of the roles; nil for all.
    ///   - calls: the calls that the client sees and reaches.
    ///   - isRedacted: true if numbers and names are kept from it.
    fileprivate init(_ words: [String]?, _ calls: RightsRule.Calls, isRedacted: Bool) {
        let roles = words?.compactMap(Role.init(rawValue:)).map { RoleSet($0) }
        self.init(
            roles: roles.map { RoleSet($0) } ?? .all, isForOwnCalls: calls == .own,
            isRedacted: isRedacted)
    }

    /// True if there are calls or people that the client may not see.
    var isLimited: Bool {
        isForOwnCalls || isRedacted
    }

    /// Returns whether these rights include others.
    func include(_ roles: RoleSet, _ others: Rights) -> Bool {
        self.roles.isSuperset(of: roles) && (!isForOwnCalls || others.isForOwnCalls)
            && (!isRedacted || others.isRedacted)
    }
}

extension HostChoices {
    /// Returns the rights of a client: those of the first rule that applies to it.
    func rights(of process: PeerProcess, _ identity: String?) -> Rights {
        guard let rule = rights.first(where: { $0.applies(to: process, identity) }) else {
            return process.sandbox == .none ? .full : .stranger
        }
        return Rights(rule.roles, rule.calls, isRedacted: rule.isRedacted)
    }
}

extension Broker {
    /// Returns the rights of a client with an identity: those of its grant, or by the policy.
    func rights(of peer: Peer, as identity: String?) -> Rights {
        if let grant = peer.grant {
            return Rights(grant.roles, grant.calls, isRedacted: grant.isRedacted)
        }
        return policy.choices.rights(of: peer.process ?? PeerProcess(), identity)
    }

    /// Returns whether a client would have all of its rights by another policy.
    func keepsRights(_ peer: Peer, by choices: HostChoices) -> Bool {
        if let grant = peer.grant { return grants.all.contains(grant) }
        return choices.rights(of: peer.process ?? PeerProcess(), peer.identity)
            .include(peer.roles, peer.rights)
    }
}

extension Peer {
    /// Returns whether the client may see the calls of a provider; nil for what is not about calls.
    func sees(callsOf provider: ProviderID?) -> Bool {
        !rights.isForOwnCalls || provider != nil && provider == session?.provider
    }
}

extension RightsRule {
    /// Returns whether all conditions hold for a client.
    fileprivate func applies(to process: PeerProcess, _ identity: String?) -> Bool {
        holds(of: process.sandbox) && (app == nil || app == process.app)
            && (executable == nil || executable == process.executable)
            && (self.identity == nil || self.identity == identity) && holds(of: process.unit)
    }

    private func holds(of sandbox: PeerProcess.Sandbox) -> Bool {
        switch self.sandbox ?? (app == nil ? .none : .any) {
        case .none: sandbox == .none
        case .flatpak: sandbox == .flatpak
        case .snap: sandbox == .snap
        case .other: sandbox == .other
        case .unknown: sandbox == .unknown
        case .any: sandbox != .none && sandbox != .unknown
        }
    }

    private func holds(of unit: String?) -> Bool {
        guard let wanted = self.unit else { return true }
        guard let unit else { return false }
        return wanted.hasSuffix("*") ? unit.hasPrefix(wanted.dropLast()) : unit == wanted
    }
}
