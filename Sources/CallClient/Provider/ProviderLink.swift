internal import BrokerJSON
package import CallModel
internal import CallProtocol

/// The link of a provider, which may be used from any thread. Its reports, requests and replies are
/// sent in the order in which they were made.
package final class ProviderLink: Sendable {
    package let link: Link

    /// Starts the registration.
    /// - Parameter onEvent: receives events in order, on the link's thread.
    package init(
        _ options: ClientOptions, identity: String, _ configuration: ProviderConfiguration,
        onEvent: @escaping @Sendable (ProviderEvent) -> Void
    ) throws(CallError) {
        link = try Link(options, roles: [.provider, .controller], identity: identity) {
            ProviderRole(configuration, onEvent: onEvent)
        }
    }

    private func post(_ work: @escaping @Sendable (ProviderRole, LinkLoop) -> Void) {
        link.post { loop in
            if let role = loop.role as? ProviderRole { work(role, loop) }
        }
    }

    // MARK: - Replies

    package func settle(_ action: ActionID, _ outcome: ActionOutcome) {
        post { $0.settle(action, outcome, $1) }
    }

    package func decide(_ transaction: TransactionID, isTaken: Bool) {
        post { $0.decide(transaction, isTaken: isTaken, $1) }
    }

    package func extend(_ action: ActionID, byMS milliseconds: Int) {
        post { $0.extend(action, byMS: milliseconds, $1) }
    }

    package func settle(request number: Int, _ outcome: ActionOutcome) {
        post { $0.settle(request: number, outcome, $1) }
    }

    // MARK: - Reports

    /// Reports an incoming call; the update must set `remote`.
    package func reportIncoming(
        _ call: CallID, _ update: CallUpdate, then: @escaping Link.Completion
    ) {
        post { role, _ in role.change { $0.reported(call, update) } }
        link.request(.reportIncoming) { writer in
            writer.member("call", call)
            writer.members(of: update)
        } then: { [self] result in
            // On the link's thread: work that is posted here runs before the next frame's events.
            switch result {
            case .success: post { role, _ in role.change { $0.rings(call) } }
            case .failure: post { role, _ in role.change { $0.refused(call) } }
            }
            then(result)
        }
    }

    /// Asks what the report of an incoming call would do; the update must set `remote`.
    package func mayRing(_ update: CallUpdate, then: @escaping Link.Completion) {
        link.request(
            .reportIncoming,
            { writer in
                writer.member("call", CallID.random())
                writer.members(of: update)
                writer.member("dry_run", true)
            }, then: then)
    }

    /// Reports a call for the history only; the update must set `remote`.
    package func reportMissed(
        _ call: CallID, _ update: CallUpdate, _ reason: MissedReasons, atMS: Int64,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportMissed, call,
            {
                $0.members(of: update)
                $0.member("reason", ifSet: reason.names.first)
                $0.member(atMS: atMS)
            }, then)
    }

    package func reportUpdate(
        _ call: CallID, _ update: CallUpdate, then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportUpdate, call, { $0.members(of: update) }, then) { $0.updated(call, update) }
    }

    package func reportAlerting(
        _ call: CallID, hasEarlyMedia: Bool?, atMS: Int64?,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportAlerting, call,
            {
                if let hasEarlyMedia { $0.member("has_early_media", hasEarlyMedia) }
                $0.member(atMS: atMS)
            }, then
        ) { $0.alerting(call, hasEarlyMedia: hasEarlyMedia) }
    }

    package func reportVideoRequest(
        _ call: CallID, _ video: VideoDirection?, atMS: Int64?,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportVideoRequest, call,
            {
                $0.name("video")
                if let video { $0.value(video.rawValue) } else { $0.null() }
                $0.member(atMS: atMS)
            }, then)
    }

    package func reportTextRequest(
        _ call: CallID, _ isRequested: Bool, atMS: Int64?,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportTextRequest, call,
            {
                $0.member("requested", isRequested)
                $0.member(atMS: atMS)
            }, then)
    }

    package func reportText(
        _ call: CallID, _ characters: String, then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportText, call, { $0.member("text", characters) }, then)
    }

    package func reportQuality(
        _ call: CallID, _ quality: CallQuality, then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportQuality, call, { $0.members(of: quality) }, then)
    }

    package func reportParticipants(
        _ call: CallID, _ change: ParticipantsChange,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportParticipants, call, { $0.members(of: change) }, then)
    }

    package func reportConnecting(
        _ call: CallID, atMS: Int64?, then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportConnecting, call, { $0.member(atMS: atMS) }, then) { $0.connecting(call) }
    }

    package func reportExternal(
        _ call: CallID, _ direction: Direction, _ update: CallUpdate,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportExternal, call,
            {
                $0.member("direction", direction.word)
                $0.members(of: update)
            },
            { [self] result in
                switch result {
                case .success: post { role, _ in role.change { $0.rings(call) } }
                case .failure: post { role, _ in role.change { $0.refused(call) } }
                }
                then(result)
            }
        ) { $0.external(call, direction, update) }
    }

    package func reportConnected(
        _ call: CallID, atMS: Int64?, then: @escaping Link.Completion = { _ in }
    ) {
        report(.reportConnected, call, { $0.member(atMS: atMS) }, then) { $0.connected(call) }
    }

    package func reportHeld(
        _ call: CallID, _ isHeld: Bool, atMS: Int64?, then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportHeld, call,
            {
                $0.member("held", isHeld)
                $0.member(atMS: atMS)
            }, then
        ) { $0.held(call, isHeld) }
    }

    package func reportMuted(
        _ call: CallID, _ isMuted: Bool, atMS: Int64?, then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportMuted, call,
            {
                $0.member("muted", isMuted)
                $0.member(atMS: atMS)
            }, then)
    }

    package func reportGroup(
        _ call: CallID, with other: CallID?, atMS: Int64?,
        then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportGroup, call,
            { writer in
                writer.name("with")
                if let other { writer.value(other) } else { writer.null() }
                writer.member(atMS: atMS)
            }, then)
    }

    package func reportEnded(
        _ call: CallID, _ reason: EndReason, _ detail: EndDetail? = nil, elsewhere: String? = nil,
        atMS: Int64?, then: @escaping Link.Completion = { _ in }
    ) {
        report(
            .reportEnded, call,
            {
                $0.member("reason", reason.word)
                if let detail { $0.member("end_detail", detail) }
                $0.member("elsewhere", ifSet: elsewhere)
                $0.member(atMS: atMS)
            }, then)
        post { $0.ended(call, $1) }
    }

    private func report(
        _ method: MethodName, _ call: CallID, _ members: (inout JSONWriter) -> Void,
        _ then: @escaping Link.Completion,
        change: @escaping @Sendable (inout LiveCalls) -> Void = { _ in }
    ) {
        post { role, _ in role.change(change) }
        link.request(
            method,
            { writer in
                writer.member("call", call)
                members(&writer)
            }, then: then)
    }

    // MARK: - The registration

    /// Sends another configuration.
    /// - Parameter dropsPushes: true if the app no longer takes the pushes that it took.
    package func update(
        _ configuration: ProviderConfiguration, dropsPushes: Bool = false,
        then: @escaping Link.Completion = { _ in }
    ) {
        post { role, _ in role.change(configuration) }
        link.request(
            .updateProvider,
            { writer in
                writer.members(of: configuration)
                writer.members(absentIn: configuration)
                if dropsPushes { writer.member("push_types", words: [String]()) }
            }, then: then)
    }

    /// Unregisters the provider, whose calls end as failed, and ends the session.
    package func unregister() {
        post { role, _ in role.change { $0.endedAll() } }
        link.request(.unregister, then: { _ in })
        link.close()
    }
}

extension JSONWriter {
    /// Takes back what an earlier configuration may have had and this one has not.
    fileprivate mutating func members(absentIn provider: ProviderConfiguration) {
        let absent: [(StaticString, Bool)] = [
            ("ringtone", provider.ringtone == nil), ("icon", provider.icon == nil),
            ("ring_timeout_ms", provider.ringTimeoutMS == nil),
            ("grace_ms", provider.graceMS == nil), ("start_by", provider.startBy == nil),
        ]
        for (name, isAbsent) in absent where isAbsent {
            self.name(name)
            null()
        }
        if provider.lines.isEmpty { member("lines", lines: []) }
        if !provider.supportsText { member("supports_text", false) }
    }

    fileprivate mutating func member(atMS: Int64?) {
        if let atMS { member("at_ms", atMS) }
    }
}
