// A telephone as apps for CallKit are written, with lines on its standard input instead of buttons:
//
//     callbroker serve & swift run Speakerbox
//     ring +15550101      a call comes in: callbroker answer, or callbroker decline
//     call +15550102      the user calls somebody
//     hold, resume, end   the user, about the latest call
//     gone                the other side of the latest call hangs up

import CallKit
import Glibc

/// One line for the user, at once.
func say(_ line: String) {
    print(line)
    fflush(stdout)
}

let callManager = CallManager()
let providerDelegate = ProviderDelegate(callManager: callManager)

func obey(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let call = callManager.calls.last
    switch (words.first, words.dropFirst().first, call) {
    case ("ring", let number?, _): providerDelegate.reportIncomingCall(uuid: UUID(), handle: number)
    case ("call", let number?, _): callManager.start(handle: number)
    case ("hold", _, let call?): callManager.setOnHoldStatus(for: call, to: true)
    case ("resume", _, let call?): callManager.setOnHoldStatus(for: call, to: false)
    case ("end", _, let call?): callManager.end(call)
    case ("gone", _, let call?): providerDelegate.reportEnded(call)
    default: say("ring NUMBER, call NUMBER, hold, resume, end, gone")
    }
}

Thread.detachNewThread {
    while let line = readLine() {
        DispatchQueue.main.async { obey(line) }
    }
    DispatchQueue.main.async { exit(0) }
}
say("ready")
dispatchMain()
