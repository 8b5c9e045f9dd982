internal import CallModel

/// The group that microphone and speaker belong to.
struct AudioHolder: Equatable, Sendable {
    var group: Slot<GroupRecord>
    /// The name of the group when it got the audio: the grant is withdrawn under the same name.
    let name: CallID
}
