internal import CallArbitration
internal import CallModel

/// Checks that no background call comes in, or is started, beside another (rule 44).
struct PriorityWatch: Sendable {
    func take(
        _ event: ArbiterEvent, _ former: [CallView], _ views: [CallView],
        _ complaints: inout [Complaint]
    ) {
        guard event.asksAlone, let inWay = former.first(where: { $0.speaksOrRings }) else { return }
        let known = Set(former.map(\.call))
        for view in views where view.properties.priority == .background {
            guard !known.contains(view.call) else { continue }
            complaints.append(
                Complaint(.form, "a background call is not refused", "\(view.call) \(inWay.call)"))
        }
    }
}

extension ArbiterEvent {
    /// Nothing makes room for the call before, and it was not there before its app came back.
    fileprivate var asksAlone: Bool {
        switch self {
        case .incomingReported, .screeningSettled, .timerFired(.screening): true
        case .transactionRequested(let request): request.actions.count == 1
        default: false
        }
    }
}

extension CallView {
    fileprivate var speaksOrRings: Bool {
        state.speaks || state == .starting || state == .ringing || state == .waiting
    }
}
