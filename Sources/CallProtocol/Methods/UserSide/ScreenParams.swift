package import BrokerJSON

/// A request of a screen.
package enum ScreenRequest {
    case claim(ClaimScreenParams)
    case release
}

/// The params of `ui.claim`.
package struct ClaimScreenParams: MethodParams {
    package let priority: Int
    /// True if the screen rings for the calls that it presents.
    package let rings: Bool

    package init(checked params: JSONValue?) {
        priority = params?["priority"]?.int ?? 0
        rings = params?["sound"]?.boolean ?? false
    }
}
