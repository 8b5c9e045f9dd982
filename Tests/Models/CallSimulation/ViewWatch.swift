package import CallArbitration
internal import CallModel

/// Compares what can be seen of the calls with what was announced about them: nothing changes
/// unseen, states go forwards, and only one group speaks.
package struct ViewWatch: Sendable {
    private var former: [CallView] = []
    private var facts = HostFacts()
    /// Calls in the order in which they could be seen first: a filter may have looked at some.
    private var arrivals: [CallID] = []
    private var limits = LimitWatch()
    private let priorities = PriorityWatch()

    package init() {}

    package mutating func take(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ views: [CallView], _ host: HostSummary,
        _ complaints: inout [Complaint]
    ) {
        let news = News(effects)
        compare(views, news, &complaints)
        for view in views { checkForm(view, views, &complaints) }
        checkGroups(views, host, &complaints)
        arrivals.removeAll { news.removed.contains($0) }
        arrivals += news.added
        checkRinging(views, host, &complaints)
        checkFacts(host.facts, news, &complaints)
        limits.take(event, effects, views, host, &complaints)
        priorities.take(event, former, views, &complaints)
        former = views
    }

    // MARK: - Nothing changes unseen

    /// What the effects of one event say about calls.
    private struct News {
        var added: [CallID] = []
        var removed: [CallID] = []
        private var changed: [(call: CallID, properties: ChangedProperties)] = []
        var facts: HostFacts?

        init(_ effects: [ArbiterEffect]) {
            for case .announce(let announcement) in effects {
                switch announcement {
                case .callAdded(let call, _): added.append(call)
                case .callRemoved(let call, _): removed.append(call)
                case .callChanged(let call, let properties, _): changed.append((call, properties))
                case .hostChanged(let facts): self.facts = facts
                default: break
                }
            }
        }

        func changes(of call: CallID) -> ChangedProperties {
            changed.reduce(into: []) { if $1.call == call { $0.formUnion($1.properties) } }
        }
    }

    private func compare(_ views: [CallView], _ news: News, _ complaints: inout [Complaint]) {
        // Calls keep their order; one that a filter has looked at comes in between.
        let known = news.added.isEmpty ? views : views.filter { !news.added.contains($0.call) }
        var next = 0
        for old in former {
            if next < known.count, known[next].call == old.call {
                if known[next] != old { compare(old, known[next], news, &complaints) }
                next += 1
            } else if !news.removed.contains(old.call) {
                complaints.append(Complaint(.announced, "a call goes unseen", "\(old.call)"))
            }
        }
        for new in known[next...] {
            complaints.append(Complaint(.announced, "a call comes unseen", "\(new.call)"))
        }
        for call in news.removed where views.contains(where: { $0.call == call }) {
            complaints.append(Complaint(.endedStays, "a removed call is there", "\(call)"))
        }
    }

    private func compare(
        _ old: CallView, _ new: CallView, _ news: News, _ complaints: inout [Complaint]
    ) {
        let unsaid = changes(old, new).subtracting(news.changes(of: new.call))
        for name in unsaid.names {
            complaints.append(Complaint(.announced, "\(name) changes unseen", "\(new.call)"))
        }
        if new.revision <= old.revision {
            complaints.append(
                Complaint(.announced, "a change without revision", "\(old) \(new)"))
        }
        checkEdge(old, new, &complaints)
    }

    private func changes(_ old: CallView, _ new: CallView) -> ChangedProperties {
        var properties = old.properties
        var changes = properties.apply(.difference(from: old.properties, to: new.properties))
        if old.state != new.state { changes.insert(.state) }
        if old.pending != new.pending { changes.insert(.pendingAction) }
        if old.heldBecauseOf != new.heldBecauseOf { changes.insert(.heldBecauseOf) }
        if old.isResumeOffered != new.isResumeOffered { changes.insert(.resumeOffered) }
        if old.group != new.group { changes.insert(.group) }
        if old.isMuted != new.isMuted { changes.insert(.muted) }
        if old.isSilenced != new.isSilenced { changes.insert(.silenced) }
        if old.caller != new.caller { changes.insert(.caller) }
        if old.isProviderConnected != new.isProviderConnected {
            changes.insert(.providerConnected)
        }
        return changes
    }

    private func checkEdge(_ old: CallView, _ new: CallView, _ complaints: inout [Complaint]) {
        if new.state.rank < old.state.rank {
            complaints.append(
                Complaint(
                    .form, "\(old.state) becomes \(new.state)", "\(new.call)"))
        }
        if old.provider != new.provider || old.direction != new.direction
            || old.createdAt != new.createdAt
        {
            complaints.append(Complaint(.form, "a call becomes another", "\(new.call)"))
        }
        if old.connectedAt != nil, old.connectedAt != new.connectedAt {
            complaints.append(Complaint(.form, "connected_at changes", "\(new.call)"))
        }
    }

    private mutating func checkFacts(
        _ current: HostFacts, _ news: News, _ complaints: inout [Complaint]
    ) {
        if current != facts, news.facts != current {
            complaints.append(Complaint(.announced, "host facts change unseen", "\(current)"))
        }
        if let said = news.facts, said == facts {
            complaints.append(Complaint(.announced, "the same host facts again", "\(said)"))
        }
        facts = current
    }

    // MARK: - Calls and groups are well formed

    private func checkForm(
        _ view: CallView, _ views: [CallView], _ complaints: inout [Complaint]
    ) {
        if view.state == .ended {
            complaints.append(Complaint(.endedStays, "an ended call is listed", "\(view.call)"))
        }
        let isConnected = view.state == .active || view.state == .held
        if isConnected != (view.connectedAt != nil), view.state != .ending {
            complaints.append(
                Complaint(.form, "\(view.state) with the wrong connected_at", "\(view.call)"))
        }
        guard view.group != view.call else { return }
        guard let oldest = views.first(where: { $0.call == view.group }) else {
            complaints.append(Complaint(.form, "a group without its oldest", "\(view.call)"))
            return
        }
        if oldest.group != view.group || oldest.provider != view.provider
            || oldest.isMuted != view.isMuted || oldest.createdAt > view.createdAt
        {
            complaints.append(
                Complaint(.form, "a group is not of one mind", "\(oldest) \(view)"))
        }
    }

    private func checkGroups(
        _ views: [CallView], _ host: HostSummary, _ complaints: inout [Complaint]
    ) {
        var speaking: CallID?
        for view in views where view.state.speaks && view.group != speaking {
            if let speaking {
                complaints.append(
                    Complaint(.oneLiveGroup, "two groups speak", "\(speaking) \(view.group)"))
            }
            speaking = view.group
        }
        let live = host.facts.liveGroup
        if let speaking, speaking != live {
            complaints.append(
                Complaint(.oneLiveGroup, "a group speaks and is not live", "\(speaking)"))
        }
        if let audio = host.audioGroup, audio != live {
            complaints.append(
                Complaint(.oneAudioGrant, "the audio is not with the live group", "\(audio)"))
        }
    }

    /// The oldest incoming call rings while nothing is live; all others wait (rule 3).
    private func checkRinging(
        _ views: [CallView], _ host: HostSummary, _ complaints: inout [Complaint]
    ) {
        let live = host.facts.liveGroup
        let incoming = arrivals.compactMap { call in
            views.first { $0.call == call && $0.state.isUnanswered && $0.group != live }
        }
        let ringing = incoming.filter { $0.state == .ringing }
        let wanted = incoming.isEmpty || live != nil ? 0 : 1
        if ringing.count != wanted {
            let calls = incoming.map(\.call)
            complaints.append(
                Complaint(.form, "\(ringing.count) ring where \(wanted) should", "\(calls)"))
        }
        guard wanted == 1, let now = ringing.first, !mayRing(now, of: incoming) else { return }
        complaints.append(Complaint(.form, "another call should ring", "\(now.call)"))
    }

    /// Who rings goes on, unless another that is louder comes in, or becomes so; after it the oldest of
    /// the most urgent of the loudest is next. An answer that was called off gives its call back what it had.
    private func mayRing(_ call: CallView, of incoming: [CallView]) -> Bool {
        let old = former.first { $0.state == .ringing }
        if let old, incoming.contains(where: { $0.call == old.call }) {
            let before = former.first { $0.call == call.call }?.loudness ?? -1
            return call.call == old.call
                || old.loudness < call.loudness && before < call.loudness
        }
        let loudest = incoming.map(\.loudness).max()
        let next = incoming.filter { $0.loudness == loudest }
        let urgent = next.map(\.urgency).max()
        return call.call == next.first { $0.urgency == urgent }?.call
            || former.contains { $0.call == call.call && $0.pending != nil }
    }
}

extension CallView {
    /// Silent, in the background, audible, or an emergency (rules 3, 20 and 44).
    fileprivate var loudness: Int {
        if isSilenced { return 0 }
        return switch properties.priority {
        case .background: 1
        case .normal, .priorityCaller, .emergencyCallback: 2
        case .emergency: 3
        }
    }

    /// Who rings first of those that are as loud (rule 43).
    fileprivate var urgency: Int {
        let order: [Priority] = [
            .background, .normal, .priorityCaller, .emergencyCallback, .emergency,
        ]
        return order.firstIndex(of: properties.priority) ?? 0
    }
}

extension CallState {
    var speaks: Bool {
        [.dialing, .alerting, .connecting, .active].contains(self)
    }

    fileprivate var isUnanswered: Bool {
        self == .ringing || self == .waiting
    }

    /// How far a call has come; states of one rank alternate.
    fileprivate var rank: Int {
        switch self {
        case .starting, .ringing, .waiting, .external: 0
        case .dialing: 1
        case .alerting: 2
        case .connecting: 3
        case .active, .held: 4
        case .ending: 5
        case .ended: 6
        }
    }
}

extension CallUpdate {
    /// An update that turns the first into the second.
    fileprivate static func difference(
        from old: CallProperties, to new: CallProperties
    ) -> CallUpdate {
        var update = CallUpdate()
        update.remote = new.remote.map { .set($0) } ?? .cleared
        update.displayName = new.displayName.map { .set($0) } ?? .cleared
        update.hasVideo = .set(new.hasVideo)
        update.supportsHolding = .set(new.supportsHolding)
        update.supportsGrouping = .set(new.supportsGrouping)
        update.supportsUngrouping = .set(new.supportsUngrouping)
        update.supportsDTMF = .set(new.supportsDTMF)
        update.supportsTransfer = .set(new.supportsTransfer)
        update.supportsAttendedTransfer = .set(new.supportsAttendedTransfer)
        update.supportsDeflect = .set(new.supportsDeflect)
        update.isRemoteHeld = .set(new.isRemoteHeld)
        update.hasEarlyMedia = .set(new.hasEarlyMedia)
        update.priority = .set(new.priority)
        update.line = new.line.map { .set($0) } ?? .cleared
        update.forwardedFrom = new.forwardedFrom.map { .set($0) } ?? .cleared
        update.verification = .set(new.verification)
        update.externalID = new.externalID.map { .set($0) } ?? .cleared
        update.endpoints = .set(new.endpoints)
        update.elsewhere = new.elsewhere.map { .set($0) } ?? .cleared
        update.supportsPull = .set(new.supportsPull)
        (update.video, update.supportsSetVideo) = (.set(new.video), .set(new.supportsSetVideo))
        update.videoRequest = new.videoRequest.map { .set($0) } ?? .cleared
        (update.hasText, update.supportsSetText) = (.set(new.hasText), .set(new.supportsSetText))
        update.textRequest = .set(new.textRequest)
        return update
    }
}
