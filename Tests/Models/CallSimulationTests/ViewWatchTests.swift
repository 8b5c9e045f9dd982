import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// What changes unseen, goes backwards or is not well formed is seen.
struct ViewWatchTests {
    private static let one = Doctored.call(1)
    private static let two = Doctored.call(2)

    static func view(
        _ call: CallID, _ state: CallState = .active, _ change: (inout CallView) -> Void = { _ in }
    ) -> CallView {
        let isConnected = state == .active || state == .held
        var view = CallView(
            call: call, provider: Doctored.provider, direction: .incoming, state: state,
            pending: nil, group: call, canHoldNow: false, heldBecauseOf: nil, isMuted: false,
            isSilenced: false, isProviderConnected: true, properties: CallProperties(),
            createdAt: .zero, connectingAt: nil, connectedAt: isConnected ? .zero : nil,
            allowed: [], revision: 1)
        change(&view)
        return view
    }

    private static func host(live: CallID? = one, ringing: Int = 0) -> HostSummary {
        HostSummary(facts: HostFacts(liveGroup: live, ringing: ringing))
    }

    /// What is wrong when the second list of calls follows the first.
    private func complaints(
        from former: [CallView] = [], to latter: [CallView], _ effects: [ArbiterEffect] = [],
        _ host: HostSummary = host(), isSaid: Bool = true
    ) -> [String] {
        var watch = ViewWatch()
        var complaints: [Complaint] = []
        let added = former.map { ArbiterEffect.announce(.callAdded($0.call, Cause(.user))) }
        let facts = ArbiterEffect.announce(.hostChanged(host.facts))
        watch.take(Doctored.nothing, added + [facts], former, host, &complaints)
        complaints = []
        watch.take(Doctored.nothing, effects, latter, host, &complaints)
        return complaints.map { "\($0.check.rawValue): \($0.what)" }
    }

    private func changed(
        _ call: CallID, _ properties: ChangedProperties
    ) -> [ArbiterEffect] {
        [.announce(.callChanged(call, properties, Cause(.user)))]
    }

    @Test func `an announced change is fine`() {
        let latter = Self.view(Self.one, .held) { $0.revision = 2 }
        #expect(
            complaints(
                from: [Self.view(Self.one)], to: [latter], changed(Self.one, [.state]),
                Self.host(live: nil)) == [])
    }

    @Test(arguments: [
        (ChangedProperties.muted, { @Sendable (view: inout CallView) in view.isMuted = true }),
        (.silenced, { @Sendable (view: inout CallView) in view.isSilenced = true }),
        (.caller, { @Sendable (view: inout CallView) in view.caller = Caller(source: "s") }),
        (.pendingAction, { @Sendable (view: inout CallView) in view.pending = .muting }),
        (.heldBecauseOf, { @Sendable (view: inout CallView) in view.heldBecauseOf = two }),
        (.resumeOffered, { @Sendable (view: inout CallView) in view.isResumeOffered = true }),
        (.remoteHeld, { @Sendable (view: inout CallView) in view.properties.isRemoteHeld = true }),
        (
            .providerConnected,
            { @Sendable (view: inout CallView) in view.isProviderConnected = false }
        ),
    ]) func `a change that nobody was told of`(
        property: ChangedProperties, change: @Sendable (inout CallView) -> Void
    ) {
        let latter = Self.view(Self.one) {
            $0.revision = 2
            change(&$0)
        }
        let former = [Self.view(Self.one)]
        #expect(
            complaints(from: former, to: [latter])
                == ["I9: \(property.names[0]) changes unseen"])
        #expect(complaints(from: former, to: [latter], changed(Self.one, property)) == [])
    }

    @Test func `a change without a revision`() {
        let latter = Self.view(Self.one) { $0.isMuted = true }
        #expect(
            complaints(from: [Self.view(Self.one)], to: [latter], changed(Self.one, [.muted]))
                == ["I9: a change without revision"])
    }

    @Test func `calls that come or go unseen`() {
        #expect(complaints(to: [Self.view(Self.one)]) == ["I9: a call comes unseen"])
        #expect(
            complaints(from: [Self.view(Self.one)], to: [], [], Self.host())
                == ["I9: a call goes unseen"])
    }

    @Test func `a call that was removed and is there`() {
        let removed = ArbiterEffect.announce(.callRemoved(Self.one, Cause(.user)))
        #expect(
            complaints(from: [Self.view(Self.one)], to: [Self.view(Self.one)], [removed])
                == ["I6: a removed call is there"])
    }

    @Test func `an ended call that is listed`() {
        #expect(
            complaints(
                from: [Self.view(Self.one, .ended)], to: [Self.view(Self.one, .ended)])
                == ["I6: an ended call is listed"])
    }

    @Test func `a state that goes backwards`() {
        let latter = Self.view(Self.one, .active) { $0.revision = 2 }
        let former = Self.view(Self.one, .ending) { $0.connectedAt = .zero }
        #expect(
            complaints(from: [former], to: [latter], changed(Self.one, [.state]))
                == ["form: ending becomes active"])
    }

    @Test func `a call that becomes another, or was connected at another time`() {
        let latter = Self.view(Self.one) {
            $0.revision = 2
            $0.direction = .outgoing
            $0.connectedAt = Instant(nanoseconds: 7)
        }
        #expect(
            complaints(from: [Self.view(Self.one)], to: [latter])
                == ["form: a call becomes another", "form: connected_at changes"])
    }

    @Test func `an active call that was never connected`() {
        let view = Self.view(Self.one) { $0.connectedAt = nil }
        #expect(
            complaints(from: [view], to: [view]) == ["form: active with the wrong connected_at"])
    }

    @Test func `two groups that speak`() {
        let views = [Self.view(Self.one), Self.view(Self.two)]
        #expect(
            complaints(from: views, to: views) == [
                "I1: two groups speak", "I1: a group speaks and is not live",
            ])
    }

    @Test func `audio that is not with the live group`() {
        let views = [Self.view(Self.one)]
        var host = Self.host()
        host.audioGroup = Self.two
        #expect(
            complaints(from: views, to: views, [], host)
                == ["I2: the audio is not with the live group"])
    }

    @Test func `a group without its oldest, or of two minds`() {
        let lost = [Self.view(Self.one) { $0.group = Self.two }]
        #expect(
            complaints(from: lost, to: lost, [], Self.host(live: Self.two))
                == ["form: a group without its oldest"])
        let divided = [
            Self.view(Self.one),
            Self.view(Self.two) {
                $0.group = Self.one
                $0.isMuted = true
            },
        ]
        #expect(complaints(from: divided, to: divided) == ["form: a group is not of one mind"])
    }

    @Test func `a call that waits while nothing is live, and two that ring`() {
        let waiting = [Self.view(Self.one, .waiting)]
        #expect(
            complaints(from: waiting, to: waiting, [], Self.host(live: nil, ringing: 1))
                == ["form: 0 ring where 1 should"])
        let ringing = [Self.view(Self.one, .ringing), Self.view(Self.two, .ringing)]
        #expect(
            complaints(from: ringing, to: ringing, [], Self.host(live: nil, ringing: 2))
                == ["form: 2 ring where 1 should"])
    }

    @Test func `another call rings than the one that should`() {
        let host = Self.host(live: nil, ringing: 2)
        let before = [Self.view(Self.one, .ringing), Self.view(Self.two, .waiting)]
        let after = [Self.view(Self.one, .waiting), Self.view(Self.two, .ringing)]
        let changes: [ArbiterEffect] = [Self.one, Self.two].map {
            .announce(.callChanged($0, .state, Cause(.arbitration)))
        }
        #expect(
            complaints(from: before, to: after, changes, host).contains(
                "form: another call should ring"))
    }

    @Test func `host facts that change unseen, or are said twice`() {
        var watch = ViewWatch()
        var found: [Complaint] = []
        let host = HostSummary(facts: HostFacts(ringing: 1))
        watch.take(Doctored.nothing, [], [], host, &found)
        #expect(found.map(\.what) == ["host facts change unseen"])
        found = []
        watch.take(Doctored.nothing, [.announce(.hostChanged(host.facts))], [], host, &found)
        #expect(found.map(\.what) == ["the same host facts again"])
    }

    // MARK: - Limits

    private func limitComplaints(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect] = [], isWorking: Bool = false,
        _ change: (inout HostSummary) -> Void
    ) -> [String] {
        var watch = LimitWatch()
        var host = HostSummary(isWorking: isWorking)
        change(&host)
        var complaints: [Complaint] = []
        watch.take(event, effects, [], host, &complaints)
        return complaints.map { "\($0.check.rawValue): \($0.what)" }
    }

    @Test func `more held groups or ringing calls than allowed`() {
        #expect(
            limitComplaints(Doctored.nothing) { $0.facts.heldGroups = 5 }
                == ["I7: too many held groups"])
        #expect(
            limitComplaints(Doctored.nothing) { $0.facts.ringing = 5 }
                == ["I7: too many calls ringing"])
    }

    @Test func `a plan under way and a report may exceed limits`() {
        #expect(
            limitComplaints(Doctored.nothing, isWorking: true) { $0.facts.heldGroups = 5 } == [])
        #expect(
            limitComplaints(.policyChanged(ArbitrationPolicy())) { $0.facts.heldGroups = 5 } == [])
        let late = ArbiterEffect.announce(.actionLate(Doctored.action(1), Doctored.provider))
        #expect(limitComplaints(Doctored.nothing, [late]) { $0.facts.heldGroups = 5 } == [])
    }

    @Test func `more calls and groups of a provider than allowed`() {
        var watch = LimitWatch()
        var complaints: [Complaint] = []
        var host = HostSummary()
        host.limits.calls = 2
        host.limits.callsPerProvider = 2
        var configuration = ProviderConfiguration(displayName: "a", handleKinds: [])
        configuration.maxCallGroups = 1
        configuration.maxCallsPerGroup = 1
        watch.take(
            .providerUpdated(Doctored.provider, configuration), [], [], host, &complaints)
        watch.take(Doctored.nothing, [], [], host, &complaints)
        let views = [
            Self.view(Self.one), Self.view(Self.two) { $0.group = Self.one },
            Self.view(Doctored.call(3), .held),
        ]
        watch.take(Doctored.nothing, [], views, host, &complaints)
        #expect(
            complaints.map(\.what) == [
                "too many calls", "too many calls of a provider", "too many groups of a provider",
                "too many calls in a group",
            ])
    }
}
