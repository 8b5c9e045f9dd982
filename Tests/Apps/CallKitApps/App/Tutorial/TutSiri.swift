import Intents

func tutAskForSiri(_ done: @escaping @Sendable (Bool) -> Void) {
    INPreferences.requestSiriAuthorization { status in
        done(status == .authorized)
    }
}

func tutRecord(_ id: String) -> INCallRecord {
    INCallRecord(
        identifier: id, dateCreated: Date(), callRecordType: .missed, callCapability: .audioCall,
        callDuration: nil, unseen: true)
}

func tutCallBack(_ record: INCallRecord, _ person: INPerson) -> INInteraction {
    let filter = INCallRecordFilter(
        participants: [person], callTypes: [.missed, .received], callCapability: .audioCall)
    let intent = INStartCallIntent(
        callRecordFilter: filter, callRecordToCallBack: record,
        audioRoute: .speakerphoneAudioRoute, destinationType: .callBack, contacts: [person],
        callCapability: .audioCall)
    return INInteraction(intent: intent, response: nil)
}
