internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What somebody wants of a call.
extension Chance {
    mutating func fittingAction(on view: CallView, in run: Run) -> CallAction {
        if menu.contains(.oddities), random.chance(8) { return anyAction() }
        if !view.properties.endpoints.isEmpty, random.chance(15) {
            return .setEndpoint(random.pick(["1", "2", "3"]))
        }
        if view.properties.supportsSetVideo, random.chance(25) {
            return .setVideo(random.pick(VideoDirection.allCases))
        }
        if view.properties.supportsSetText, random.chance(25) {
            return .setText(random.chance(50))
        }
        switch view.state {
        case .ringing, .waiting:
            if menu.contains(.transfers), random.chance(25) { return .deflect(to: anybody) }
            return view.pending != .holding && random.chance(75) ? .answer : .end
        case .external: return random.chance(85) ? .answer : .end
        case .starting, .dialing, .alerting, .connecting: return .end
        case .active, .held, .ending, .ended: break
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: return .end
        case 25..<60 where menu.contains(.holds): return .setHeld(view.state == .active)
        case 60..<80 where menu.contains(.mutes): return .setMuted(!view.isMuted)
        case 80..<90 where menu.contains(.mutes) && view.state == .active:
            return .playDTMF(digits: "12", .single)
        case 90..<100 where menu.contains(.transfers):
            let others = run.arbiter.summaries.filter { $0.provider == view.provider }
            return random.chance(40)
                ? .transfer(to: anybody)
                : .attendedTransfer(with: random.pick(others.map(\.call) + [view.call]))
        default: return view.state == .held ? .setHeld(false) : .end
        }
    }

    /// One on another device, which mostly can come here.
    mutating func external(at provider: ProviderID, in run: Run) -> ArbiterEvent {
        var update = update()
        if random.chance(85) { update.supportsPull = .set(true) }
        return .callReported(
            CallReport(
                token: token(), provider: provider, call: newCall(),
                news: .external(random.pick([.incoming, .outgoing]), update), at: aTime(in: run)))
    }

    private var anybody: Handle {
        Handle(kind: .phone, value: "+15550111")
    }

    mutating func anyAction() -> CallAction {
        random.pick([
            .answer, .end, .setHeld(true), .setHeld(false), .setMuted(true), .setMuted(false),
            .setGroup(with: nil), .playDTMF(digits: "1", .single), .transfer(to: anybody),
            .deflect(to: anybody), .setEndpoint("1"),
            .setVideo(.both), .setText(true),
        ])
    }
}
