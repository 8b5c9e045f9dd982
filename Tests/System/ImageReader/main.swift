internal import BrokerSocket
internal import CallArbitration
internal import CallBroker
internal import CallJournal
internal import CallModel
internal import CallStore
internal import Glibc
internal import Logging

/// Opens what a power cut may have left, one image after another in one process, with the code with
/// which the daemon begins: `Tests/System/Reliability/powercut.py` makes the images and judges.
///
/// A line of the input is `journal FILE` or `store FOLDER`; the line of the output says what is known
/// afterwards: the number that stands in the policy, and the names of the contacts.
func readJournal(_ path: String) throws -> String {
    guard try HostFile.exists(path) else { return "nothing" }
    do throws(JournalFault) {
        var reader = try JournalReader(bytes(of: path))
        var configuration = BrokerConfiguration()
        configuration.epoch = reader.snapshot.epoch
        let broker = Broker(
            configuration: configuration, clock: .manual(.zero), ownUID: HostProcess.userID,
            logger: Logger(label: "image") { _ in SwiftLogNoOpLogHandler() })
        broker.recover(&reader)
        let word = reader.fault == nil ? "whole" : "damaged"
        return "\(word) \(broker.snapshot().choices.policy.limits.calls)"
    } catch {
        return "unreadable"
    }
}

func bytes(of path: String) -> [UInt8] {
    do { return try HostFile.read(path) } catch { fatalError("\(error)") }
}

func readStore(_ folder: String) -> String {
    let store = CallStore(.folder(folder))
    defer { store.shut() }
    do {
        var (names, next) = ([String](), String?.none)
        repeat {
            let page = try store.contacts(after: next)
            names += page.items.map(\.name)
            next = page.next
        } while next != nil
        let word = store.takeNotices().isEmpty ? "whole" : "damaged"
        return ([word] + names).joined(separator: " ")
    } catch {
        return "unreadable"
    }
}

while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    print(words[0] == "journal" ? try readJournal(words[1]) : readStore(words[1]))
    fflush(nil)
}
