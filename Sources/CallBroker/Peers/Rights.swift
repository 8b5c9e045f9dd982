internal import BrokerSocket
internal import CallJournal
internal import CallProtocol

/// What a client may do, by the rules of the policy.
struct Rights: Equatable {
    /// The roles that it may have.
    var roles: RoleSet

    /// The rights of a program of the host that no rule is about.
    static let full = Rights(roles: .all)
    /// The rights of a program in a sandbox that no rule is about.
    static let stranger = Rights(roles: .observer)
}

extension HostChoices {
    /// Returns the rights of a client: those of the first rule that applies to it.
    func rights(of process: PeerProcess, _ identity: String?) -> Rights {
        guard let rule = rights.first(where: { $0.applies(to: process, identity) }) else {
            return process.sandbox == .none ? .full : .stranger
        }
        let roles = rule.roles?.compactMap(Role.init(rawValue:)).map { RoleSet($0) }
        return Rights(roles: roles.map { RoleSet($0) } ?? .all)
    }
}

extension Broker {
    /// Returns the rights of a client with an identity.
    func rights(of peer: Peer, as identity: String?) -> Rights {
        policy.choices.rights(of: peer.process ?? PeerProcess(), identity)
    }
}

extension Peer {
    /// Returns whether the client would have all of its rights by another policy.
    func keepsRights(by choices: HostChoices) -> Bool {
        choices.rights(of: process ?? PeerProcess(), identity).roles.isSuperset(of: roles)
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
