// An app that a push may start: its argument chooses the code that takes pushes.

import CallKit
import CallKitCorpus
import CallKitCorpus6
import Dispatch
import Foundation
import Glibc

setlinebuf(stdout)
let keeper: AnyObject?
switch CommandLine.arguments.dropFirst().first {
case "tutorial":
    let delegate = TutorialDelegate()
    MainActor.assumeIsolated { delegate.voipRegistration() }
    keeper = delegate
case "legacy": keeper = LegacyPushManager()
case "async": keeper = AsyncPushes()
// Handles pushes, and reports no call.
case "mute":
    keeper = PushHandler { payload, completion in
        print("push \(payload["n"] ?? "")")
        completion()
    }
// Reports the calls with the second of its providers.
case "second":
    nonisolated(unsafe) let providers = ["First", "Second"].map {
        CXProvider(configuration: CXProviderConfiguration(localizedName: $0))
    }
    keeper = PushHandler { payload, completion in
        let update = CXCallUpdate()
        update.localizedCallerName = payload["callerName"]
        providers[1].reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
    }
// A registry whose delegate comes when a line of the input says so, and a provider that comes and goes.
case "late":
    let delegate = LateDelegate()
    keeper = delegate
    Thread.detachNewThread {
        while let line = readLine() {
            DispatchQueue.main.async { delegate.obey(line) }
        }
        exit(0)
    }
default: exit(64)
}
print("ready")
dispatchMain()
