import CallClient
import CallModel
import ConversationCorpus
import ConversationCorpus6
import Foundation
import Testing

@testable import CallKit
@testable import LiveCommunicationKit

/// Call layers written for LiveCommunicationKit, as they are, and calls with a modem.
extension SemanticsTests {
    @Suite struct ConversationCorpusTests {
        private let host: Host
        private let user: CallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        // MARK: Modems

        @Test func `without a modem a cellular call is refused, plainly`() async {
            let telephony = TelephonyConversationManager.sharedInstance
            #expect(telephony.cellularServices.isEmpty)
            let action = StartCellularConversationAction(
                Member(type: .phoneNumber, value: "+15550102"))
            await #expect {
                try await telephony.startCellularConversation(action)
            } throws: {
                code($0) == 2 && ($0 as NSError).localizedDescription.contains("no modem")
            }
        }

        @Test func `a modem's lines are services, and it places the call`() async throws {
            var modem = ProviderConfiguration(displayName: "Modem", handleKinds: [.phone])
            modem.kind = .modem
            modem.lines = [Line(id: "sim1", label: "Home"), Line(id: "sim2", label: "Work")]
            let diary = Diary()
            let delegate = Modem(diary)
            let provider = try await CallProvider(
                identity: "org.example.modem", modem, delegate: delegate, host.options)
            let telephony = TelephonyConversationManager.sharedInstance
            let services = telephony.cellularServices
            #expect(services.map(\.label) == ["Home", "Work"])
            #expect(Set(services.map(\.id)).count == 2)
            #expect(telephony.cellularServices == services)
            let work = try #require(services.last)
            try await telephony.startCellularConversation(
                StartCellularConversationAction(
                    Member(type: .phoneNumber, value: "+15550102"), cellularService: work))
            #expect(await diary.lines(1) == ["+15550102 sim2"])
            provider.close()
        }

        // MARK: Apps

        @Test func `a service's call layer works as it is`() async throws {
            let service = TalkService()
            let diary = Diary()
            let observer = Noting(diary)
            service.observer = observer
            let first = UUID()
            service.receive(from: "ann", uuid: first) { error in
                diary.note(error == nil ? "rings" : "refused")
            }
            // The manager may begin before the observer is there.
            await diary.comes("rings")
            try await user.answer(CallID(first), nil, .completed)
            await diary.comes("joined", "sound on")
            try await service.mute(first, true)
            await diary.comes("mute")
            try await user.end(CallID(first), .completed)
            await diary.comes("left", "sound off")
            let done = ["join", "mute", "end"]
            #expect(diary.lines.filter { done.contains($0) } == done)
            let second = UUID()
            service.call("bob", named: "Bob", uuid: second)
            await diary.comes("start Bob")
            service.connected(second)
            try await host.settle()
            let call = try await user.call(CallID(second))
            #expect(call.properties.displayName == "Bob")
            service.ended(second, .remoteEnded)
        }

        @Test func `an app of the main actor works as it is`() async throws {
            let room = await RoomController()
            let (first, second) = (UUID(), UUID())
            try await room.invite(["ann@example.org", "bob@example.org"], to: first)
            while await room.states[first]?.last != .joined { await Task.yield() }
            try await room.ring(second, "cy@example.org")
            try await user.answer(CallID(second), nil, .completed)
            while await room.states[second]?.last != .joined { await Task.yield() }
            try await room.merge(first, with: second)
            while await !room.lines.contains("merge") { await Task.yield() }
            try await host.settle()
            #expect(
                try await user.call(CallID(first)).group == user.call(CallID(second)).group)
            try await room.leave(first)
            while await room.states[first]?.last != .left { await Task.yield() }
            #expect(await room.lines.first == "invite ann@example.org bob@example.org")
            #expect(await room.lines.contains("pause"))
            await room.manager.invalidate()
        }
    }
}

/// A modem of the test's own.
private final class Modem: CallProviderDelegate {
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
    }

    func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
    ) async throws {
        diary.note("\(start.remote.value) \(start.line ?? "no line")")
    }
}

extension Diary {
    /// Waits for lines in any order: a state that lasts no time is not always seen.
    fileprivate func comes(_ expected: String...) async {
        for line in expected { await waits(for: line) }
    }
}

private final class Noting: TalkServiceObserver {
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
    }

    func talkService(_ service: TalkService, noted line: String) {
        diary.note(line)
    }
}
