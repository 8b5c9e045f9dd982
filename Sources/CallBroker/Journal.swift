package import CallArbitration
package import CallModel

/// Where the arbiter's events are kept, so that the same state can be had again.
///
/// Everything that a turn of the loop decided is appended first and committed once, before a reply of
/// that turn leaves: what a client was told is never lost.
package protocol Journal: AnyObject {
    func append(_ event: ArbiterEvent, at instant: Instant)
    func commit()
}
