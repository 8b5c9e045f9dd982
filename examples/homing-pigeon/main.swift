// A messenger's calls as its tutorial builds them: a service that carries calls, a manager that
// SwiftUI could watch, a delegate between both. Lines on its standard input are its buttons:
//
//     callbroker serve & swift run HomingPigeon
//     receive ann                 somebody calls: callbroker answer, or callbroker decline
//     dial bob                    the user calls somebody
//     callbroker start bob: the same, outside the app
//     hold, resume, mute, unmute, end
//     gone                        the other side of the latest call hangs up

import CallKit
import Glibc
import UIKit

setvbuf(stdout, nil, _IOLBF, 0)
let manager = CallManager.shared
let screen = CallScreen(manager)
let appDelegate = AppDelegate()
UIApplication.shared.delegate = appDelegate
let providerDelegate = ProviderDelegate()

func obey(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let call = manager.calls.last
    switch (words.first, words.dropFirst().first, call) {
    case ("receive", let name?, _): PigeonLoft.shared.receive(from: name)
    case ("dial", let name?, _): manager.startCall(to: name)
    case ("hold", _, let call?): manager.holdCall(call, true)
    case ("resume", _, let call?): manager.holdCall(call, false)
    case ("mute", _, let call?): manager.muteCall(call, true)
    case ("unmute", _, let call?): manager.muteCall(call, false)
    case ("end", _, let call?): manager.endCall(call)
    case ("gone", _, let call?): PigeonLoft.shared.hangUp(call)
    default: print("receive NAME, dial NAME, hold, resume, mute, unmute, end, gone")
    }
}

Thread.detachNewThread {
    while let line = readLine() {
        DispatchQueue.main.async { obey(line) }
    }
    DispatchQueue.main.async { exit(0) }
}
print("ready")
// Not `dispatchMain()`, under which timers never fire.
RunLoop.main.run()
