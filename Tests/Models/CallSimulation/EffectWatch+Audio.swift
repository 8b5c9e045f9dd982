internal import CallArbitration
internal import CallModel

/// Who has microphone and speaker, as those who are told understand it.
struct AudioGrant: Sendable {
    let provider: ProviderID
    let group: CallID
    let calls: [CallID]
    /// Groups have been merged or split since: it may have another name now.
    var isGroupChanged = false
}

/// Grants and revocations alternate, and belong together (I2, I3).
extension EffectWatch {
    mutating func activateAudio(_ provider: ProviderID, _ group: CallID, _ members: [CallID]) {
        needRegistration(of: provider)
        if let audio {
            complain(
                .audioAlternates, "audio is activated while another group has it", group,
                audio.group)
        }
        if !members.contains(group) {
            complain(.audioAlternates, "audio is activated for a group without its oldest", group)
        }
        for call in members where !calls.isListed(call) {
            complain(.audioAlternates, "audio is activated for an unlisted call", call)
        }
        audio = AudioGrant(provider: provider, group: group, calls: members)
    }

    mutating func deactivateAudio(_ provider: ProviderID, _ group: CallID) {
        guard let audio else {
            return complain(.audioAlternates, "audio is deactivated that nobody has", group)
        }
        let isKnown = audio.isGroupChanged || audio.calls.contains(group)
        if audio.provider != provider || !isKnown {
            complain(
                .audioAlternates, "audio is deactivated for another group than it was activated",
                group, audio.group)
        }
        self.audio = nil
    }

    /// Nothing becomes live as long as another group has the audio (rules 5 and 8, section 7).
    mutating func checkAudio(before dispatch: Dispatch) {
        guard let audio, !audio.isGroupChanged, !audio.calls.contains(dispatch.call) else { return }
        switch dispatch.kind {
        case .start, .answer, .setHeld(false):
            complain(
                .oneLiveGroup, "a call is to become live while another group has the audio",
                dispatch, audio.group)
        case .end, .setHeld(true), .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    private mutating func needRegistration(of provider: ProviderID) {
        guard providers[provider] == nil else { return }
        complain(.audioAlternates, "audio is activated for an unknown provider", provider)
    }
}
