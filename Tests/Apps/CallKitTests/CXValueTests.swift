import CallModel
import Testing

@testable import CallKit

/// What needs no broker: defaults, copies, archives.
struct CXValueTests {
    private let call = UUID()

    @Test func `a configuration has CallKit's defaults`() {
        let configuration = CXProviderConfiguration()
        #expect(configuration.localizedName == nil)
        #expect(configuration.ringtoneSound == nil)
        #expect(configuration.iconTemplateImageData == nil)
        #expect(configuration.maximumCallGroups == 2)
        #expect(configuration.maximumCallsPerCallGroup == 5)
        #expect(configuration.includesCallsInRecents)
        #expect(!configuration.supportsVideo)
        #expect(configuration.supportedHandleTypes == [])
        #expect(!configuration.supportsAudioTranslation)
        #expect(CXProviderConfiguration(localizedName: "A").localizedName == "A")
    }

    @Test func `an update has CallKit's defaults`() {
        let update = CXCallUpdate()
        #expect(update.remoteHandle == nil)
        #expect(update.localizedCallerName == nil)
        #expect(update.supportsHolding && update.supportsGrouping)
        #expect(update.supportsUngrouping && update.supportsDTMF)
        #expect(!update.hasVideo)
    }

    @Test func `a copy of an update does not change with it`() throws {
        let update = CXCallUpdate()
        update.hasVideo = true
        let copy = try #require(update.copy() as? CXCallUpdate)
        update.hasVideo = false
        #expect(copy !== update)
        #expect(copy.hasVideo)
    }

    @Test func `a copy of a configuration has all of it`() throws {
        let configuration = CXProviderConfiguration(localizedName: "A")
        configuration.ringtoneSound = "ring.caf"
        configuration.iconTemplateImageData = Data([1])
        configuration.maximumCallGroups = 3
        configuration.maximumCallsPerCallGroup = 4
        configuration.includesCallsInRecents = false
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.phoneNumber]
        configuration.supportsAudioTranslation = true
        configuration.urlSchemes = ["sip"]
        let copy = try #require(configuration.copy() as? CXProviderConfiguration)
        configuration.ringtoneSound = nil
        #expect(copy.localizedName == "A" && copy.ringtoneSound == "ring.caf")
        #expect(copy.iconTemplateImageData == Data([1]))
        #expect(copy.maximumCallGroups == 3 && copy.maximumCallsPerCallGroup == 4)
        #expect(!copy.includesCallsInRecents && copy.supportsVideo)
        #expect(copy.supportedHandleTypes == [.phoneNumber])
        #expect(copy.supportsAudioTranslation && copy.urlSchemes == ["sip"])
        #expect(copy.registration(of: "org.example.a").urlSchemes == ["sip"])
    }

    @Test func `handles are the same by type and value`() {
        let handle = CXHandle(type: .phoneNumber, value: "1")
        #expect(handle == CXHandle(type: .phoneNumber, value: "1"))
        #expect(handle.hash == CXHandle(type: .phoneNumber, value: "1").hash)
        #expect(handle != CXHandle(type: .generic, value: "1"))
        #expect(handle != CXHandle(type: .phoneNumber, value: "2"))
    }

    private var actions: [CXAction] {
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "ann"))
        (start.isVideo, start.contactIdentifier) = (true, "contact")
        return [
            start, CXAnswerCallAction(call: call), CXEndCallAction(call: call),
            CXSetHeldCallAction(call: call, onHold: true),
            CXSetMutedCallAction(call: call, muted: true),
            CXSetGroupCallAction(call: call, callUUIDToGroupWith: UUID()),
            CXSetGroupCallAction(call: call, callUUIDToGroupWith: nil),
            CXPlayDTMFCallAction(call: call, digits: "1#", type: .hardPause),
            CXSetTranslatingCallAction(
                call: call, isTranslating: true, localLanguage: "de", remoteLanguage: "en"),
        ]
    }

    private func isAlike(_ left: CXAction, _ right: CXAction) -> Bool {
        guard type(of: left) == type(of: right), left.uuid == right.uuid, left !== right,
            (left as? CXCallAction)?.callUUID == (right as? CXCallAction)?.callUUID,
            abs(left.timeoutDate.timeIntervalSince(right.timeoutDate)) < 0.001
        else { return false }
        switch (left, right) {
        case (let left as CXStartCallAction, let right as CXStartCallAction):
            return left.handle == right.handle && left.isVideo == right.isVideo
                && left.contactIdentifier == right.contactIdentifier
        case (let left as CXSetHeldCallAction, let right as CXSetHeldCallAction):
            return left.isOnHold == right.isOnHold
        case (let left as CXSetMutedCallAction, let right as CXSetMutedCallAction):
            return left.isMuted == right.isMuted
        case (let left as CXSetGroupCallAction, let right as CXSetGroupCallAction):
            return left.callUUIDToGroupWith == right.callUUIDToGroupWith
        case (let left as CXPlayDTMFCallAction, let right as CXPlayDTMFCallAction):
            return left.digits == right.digits && left.type == right.type
        case (let left as CXSetTranslatingCallAction, let right as CXSetTranslatingCallAction):
            return left.isTranslating == right.isTranslating
                && left.localLanguage == right.localLanguage
                && left.remoteLanguage == right.remoteLanguage
        default: return true
        }
    }

    @Test func `a copy of an action keeps its id`() throws {
        for action in actions {
            let copy = try #require(action.copy() as? CXAction)
            #expect(isAlike(copy, action), "\(type(of: action))")
        }
    }

    @Test func `an action comes out of an archive as it went in`() throws {
        for action in actions {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: action, requiringSecureCoding: true)
            let copy = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [type(of: action), CXHandle.self, NSString.self], from: data)
            let restored = try #require(copy as? CXAction)
            #expect(isAlike(restored, action), "\(type(of: action))")
        }
    }

    @Test func `each kind of action has its time`() {
        let seconds = [600.0, 60, 5, 5, 5, 5, 5, 5, 5]
        // Made before them, and with 5 seconds itself: however long this takes, they are not due
        // earlier.
        let former = CXAction().timeoutDate
        for (action, limit) in zip(actions, seconds) {
            let due = action.timeoutDate
            #expect(due.timeIntervalSinceNow <= limit, "\(type(of: action))")
            #expect(due.timeIntervalSince(former) > limit - 5 - 0.001, "\(type(of: action))")
        }
    }

    @Test func `a copy of a transaction is another one, with copies`() throws {
        let transaction = CXTransaction()
        #expect(transaction.isComplete)
        transaction.addAction(CXEndCallAction(call: call))
        #expect(!transaction.isComplete)
        let copy = try #require(transaction.copy() as? CXTransaction)
        #expect(copy.uuid != transaction.uuid)
        #expect(copy.actions[0].uuid == transaction.actions[0].uuid)
        #expect(copy.actions[0] !== transaction.actions[0])
    }

    @Test func `a long name is told cut between characters, and read as it was set`() {
        let update = CXCallUpdate()
        let name = String(repeating: "ä", count: 100)
        update.localizedCallerName = name
        #expect(update.update.displayName == .set(String(repeating: "ä", count: 64)))
        #expect(update.localizedCallerName == name)
        update.localizedCallerName = "x" + name
        #expect(update.update.displayName == .set("x" + String(repeating: "ä", count: 63)))
    }

    @Test func `an empty address is read as it was set, and told as nobody's`() {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: "")
        #expect(update.remoteHandle == CXHandle(type: .phoneNumber, value: ""))
        #expect(update.update.remote == .set(Handle(kind: .generic, value: "unknown")))
    }

    @Test func `what was set to nil is cleared`() {
        let update = CXCallUpdate()
        (update.remoteHandle, update.localizedCallerName) = (nil, nil)
        #expect(update.update.remote == .cleared)
        #expect(update.update.displayName == .cleared)
        #expect(CXCallUpdate().update == CallUpdate())
    }

    // Seconds: Foundation cannot print such dates.
    @Test(
        arguments: [
            (1.5, 1_500), (-1, 0), (.infinity, 9_007_199_254_740_991), (-.infinity, 0), (.nan, 0),
        ] as [(Double, Int64)])
    func `every date is a time on the wire`(seconds: Double, told: Int64) {
        let isTold = Date(timeIntervalSince1970: seconds).unixMS == told
        #expect(isTold)
    }

    @Test func `there are no notification service extensions`() async {
        await #expect {
            try await CXProvider.reportNewIncomingVoIPPushPayload([:])
        } throws: {
            ($0 as? CXErrorCodeNotificationServiceExtensionError)?.code == .invalidClientProcess
        }
    }
}
