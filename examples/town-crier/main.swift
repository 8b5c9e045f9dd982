// An app written for LiveCommunicationKit, whose conversations have several members. Lines on its
// standard input are its buttons:
//
//     callbroker serve & swift run TownCrier
//     ring ann                    somebody calls: callbroker answer, or callbroker decline
//     gather ann bob              the user calls several people, who all come
//     callbroker start ann: the same for one, outside the app
//     pause, continue, mute, unmute, leave
//     arrive cy, depart ann       others come and go; the last one ends the conversation

import Glibc
import LiveCommunicationKit

setvbuf(stdout, nil, _IOLBF, 0)
let crier = TownCrier()

func obey(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("ring", let name?): crier.ring(name)
    case ("gather", .some): crier.gather(Array(words.dropFirst()))
    case ("pause", _): crier.pause(true)
    case ("continue", _): crier.pause(false)
    case ("mute", _): crier.mute(true)
    case ("unmute", _): crier.mute(false)
    case ("leave", _): crier.leave()
    case ("arrive", let name?): crier.arrive(name)
    case ("depart", let name?): crier.depart(name)
    default:
        print("ring NAME, gather NAMES, pause, continue, mute, unmute, leave")
        print("arrive NAME, depart NAME")
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
