// A telephone as apps for CallKit are written, with lines on its standard input instead of buttons:
//
//     callbroker serve & swift run Speakerbox
//     ring +15550101          a call comes in: callbroker answer, or callbroker decline
//     call +15550102          the user calls somebody
//     open tel:+15550102      the user touches a link
//     again +15550102         the user touches a line in a list of calls
//     callbroker dial tel:+15550102: the same, outside the app
//     callbroker push local.Speakerbox '{"handle":"+15550101"}': a call comes in by a push
//     hold, resume, end       the user, about the latest call
//     gone                    the other side of the latest call hangs up

import CallKit
import Glibc
import Intents
import UIKit

/// One line for the user, at once.
func say(_ line: String) {
    print(line)
    fflush(stdout)
}

let callManager = SpeakerboxCallManager()
let appDelegate = AppDelegate()
UIApplication.shared.delegate = appDelegate
let providerDelegate = ProviderDelegate(callManager: callManager)
let pushDelegate = PushDelegate()

func ring(_ number: String) {
    providerDelegate.reportIncomingCall(uuid: UUID(), handle: number) { error in
        if let error { say("not to ring: \(error.code) \(error.localizedDescription)") }
    }
}

func start(_ wish: (any StartCallConvertible)?) {
    guard let wish, let handle = wish.startCallHandle else { return say("nobody to call") }
    callManager.startCall(handle: handle, video: wish.isVideo ?? false)
}

/// As a list of calls makes one.
func activity(_ number: String) -> NSUserActivity {
    let person = INPerson(
        personHandle: INPersonHandle(value: number, type: .phoneNumber), nameComponents: nil,
        displayName: nil, image: nil, contactIdentifier: nil, customIdentifier: nil)
    let activity = NSUserActivity(activityType: INStartAudioCallIntentIdentifier)
    activity.interaction = INInteraction(
        intent: INStartAudioCallIntent(contacts: [person]), response: nil)
    return activity
}

func obey(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let call = callManager.calls.last
    switch (words.first, words.dropFirst().first, call) {
    case ("ring", let number?, _): ring(number)
    case ("call", let number?, _): callManager.startCall(handle: number)
    case ("open", let link?, _): start(URL(string: link))
    case ("again", let number?, _): start(activity(number))
    case ("hold", _, let call?): callManager.setHeld(call: call, onHold: true)
    case ("resume", _, let call?): callManager.setHeld(call: call, onHold: false)
    case ("end", _, let call?): callManager.end(call: call)
    case ("gone", _, let call?): providerDelegate.reportEnded(call)
    default: say("ring NUMBER, call NUMBER, open LINK, again NUMBER, hold, resume, end, gone")
    }
}

Thread.detachNewThread {
    while let line = readLine() {
        DispatchQueue.main.async { obey(line) }
    }
    DispatchQueue.main.async { exit(0) }
}
say("ready")
// Not `dispatchMain()`, under which timers never fire.
RunLoop.main.run()
