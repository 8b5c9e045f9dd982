internal import CallArbitration
internal import CallModel

/// The actions that were settled last: a late reply is published with the action that it belongs to.
struct SettledActions {
    private static let countMax = 1_024

    private var dispatches: [ActionID: Dispatch] = [:]
    /// The oldest is at `next`, once all places are taken.
    private var order: [ActionID] = []
    private var next = 0

    subscript(action: ActionID) -> Dispatch? {
        dispatches[action]
    }

    mutating func insert(_ dispatch: Dispatch) {
        guard dispatches.updateValue(dispatch, forKey: dispatch.action) == nil else { return }
        guard order.count == Self.countMax else { return order.append(dispatch.action) }
        dispatches[order[next]] = nil
        order[next] = dispatch.action
        next = (next + 1) % Self.countMax
    }
}
