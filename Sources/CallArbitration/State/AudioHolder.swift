internal import CallModel

/// The group that has microphone and speaker.
struct AudioHolder: Equatable, Sendable {
    var group: Slot<GroupRecord>
    /// The name of the group at the grant, under which the grant is withdrawn.
    let name: CallID
}
