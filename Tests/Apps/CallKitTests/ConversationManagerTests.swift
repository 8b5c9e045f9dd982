import CallClient
import CallModel
import Foundation
import Testing

@testable import CallKit
@testable import LiveCommunicationKit

/// LiveCommunicationKit with a real broker.
extension SemanticsTests {
    @Suite struct ConversationTests {
        private let host: Host
        private let user: CallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        private func refusal(_ app: ConversationApp, _ actions: ConversationAction...) async -> Int?
        {
            do {
                try await app.manager.perform(actions)
                return nil
            } catch {
                return code(error)
            }
        }

        private func start(_ members: [String], _ uuid: UUID = UUID()) -> StartConversationAction {
            StartConversationAction(
                conversationUUID: uuid,
                handles: members.map { Member(type: .phoneNumber, value: $0) }, isVideo: false)
        }

        // MARK: The life of a conversation

        @Test func `a conversation rings, is joined, paused, continued and left`() async throws {
            let app = ConversationApp()
            let uuid = try await app.rings()
            let conversation = try #require(app.conversation(uuid))
            #expect(conversation.state == .idle)
            try await user.answer(CallID(uuid), nil, .completed)
            await app.waits(for: "is joined")
            #expect(conversation.state == .joined)
            #expect(try await user.call(CallID(uuid)).state == .active)
            try await user.setHeld(CallID(uuid), true, .completed)
            await app.waits(for: "is paused")
            #expect(conversation.state == .paused)
            try await user.setHeld(CallID(uuid), false, .completed)
            await app.waits(for: "is joined", times: 2)
            try await user.end(CallID(uuid), .completed)
            await app.waits(for: "is left")
            await app.waits(for: "audio off", times: 2)
            #expect(conversation.state == .left)
            #expect(app.conversation(uuid) == nil)
            let lines = app.diary.lines.filter { !$0.hasPrefix("is ") }
            #expect(
                lines == [
                    "began", "join", "audio on", "pause", "audio off", "continue", "audio on",
                    "end",
                    "audio off",
                ])
            let states = app.diary.lines.filter { $0.hasPrefix("is ") }
            #expect(
                states == [
                    "is joining", "is joined", "is paused", "is joined", "is leaving", "is left",
                ])
        }

        @Test func `the app reports connecting and connected, and then fulfills the join`()
            async throws
        {
            let app = ConversationApp(keeps: [JoinConversationAction.self])
            let uuid = try await app.rings()
            let conversation = try #require(app.conversation(uuid))
            try await user.answer(CallID(uuid))
            await app.waits(for: "join")
            let join = try #require(app.open.first as? JoinConversationAction)
            #expect(join.state == .running && join.conversationUUID == uuid)
            app.manager.reportConversationEvent(
                .conversationStartedConnecting(.now), for: conversation)
            app.manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            #expect(conversation.state == .joining)
            join.fulfill(dateConnected: .now)
            #expect(join.state == .complete)
            await app.waits(for: "is joined")
            await app.waits(for: "audio on")
            #expect(try await user.call(CallID(uuid)).state == .active)
            join.fail()
            #expect(join.state == .complete)
        }

        @Test func `a conversation that is joined in the app itself needs no action`() async throws
        {
            let app = ConversationApp()
            let uuid = try await app.rings()
            app.manager.reportConversationEvent(
                .conversationConnected(.now), for: try #require(app.conversation(uuid)))
            await app.waits(for: "is joined")
            await app.waits(for: "audio on")
            #expect(try await user.call(CallID(uuid)).state == .active)
            #expect(!app.diary.lines.contains("join"))
        }

        @Test func `a conversation that the other side ends is left, and no action follows`()
            async throws
        {
            let app = ConversationApp()
            let uuid = try await app.rings()
            let conversation = try #require(app.conversation(uuid))
            app.manager.reportConversationEvent(
                .conversationEnded(.now, .unanswered), for: conversation)
            #expect(conversation.state == .left)
            await app.waits(for: "is left")
            #expect(app.diary.lines == ["began", "is left"])
            // What is over is not changed any more.
            app.manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            #expect(conversation.state == .left)
            _ = await refusal(app, MuteConversationAction(conversationUUID: uuid, isMuted: true))
            let past = try await user.history().calls.first { $0.call == CallID(uuid) }
            #expect(past?.endReason == .unanswered)
        }

        @Test(arguments: [
            (Conversation.EndedReason.failed, EndReason.failed), (.remoteEnded, .remoteEnded),
            (.joinedElsewhere, .answeredElsewhere), (.declinedElsewhere, .declinedElsewhere),
        ])
        func `each reason of an end is the host's`(
            reason: Conversation.EndedReason, told: EndReason
        ) async throws {
            let app = ConversationApp()
            let uuid = try await app.rings()
            let conversation = try #require(app.conversation(uuid))
            app.manager.reportConversationEvent(.conversationEnded(.now, reason), for: conversation)
            _ = await refusal(app, EndConversationAction(conversationUUID: uuid))
            let past = try await user.history().calls.first { $0.call == CallID(uuid) }
            #expect(past?.endReason == told)
        }

        // MARK: Members and capabilities

        @Test func `a start with several members is a call with participants`() async throws {
            let app = ConversationApp(keeps: [StartConversationAction.self])
            let uuid = UUID()
            let people = [("+15550102", "Bob"), ("+15550103", "Cy")].map {
                Member(type: .phoneNumber, value: $0.0, displayName: $0.1)
            }
            let action = StartConversationAction(
                conversationUUID: uuid, handles: people, isVideo: false)
            #expect(action.state == .idle)
            try await app.manager.perform([action])
            await app.waits(for: "start +15550102 +15550103")
            #expect(app.open.first === action && action.state == .running)
            #expect(app.manager.pendingActions.map(\.uuid) == [action.uuid])
            #expect(action.timeoutDate.timeIntervalSinceNow <= 30)
            action.fulfill(dateStarted: .now)
            let conversation = try #require(app.conversation(uuid))
            app.manager.reportConversationEvent(
                .conversationStartedConnecting(.now), for: conversation)
            app.manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            #expect(conversation.state == .joined)
            await app.waits(for: "audio on")
            try await host.settle()
            let call = try await user.call(CallID(uuid))
            #expect(call.state == .active)
            #expect(call.properties.remote?.value == "+15550102")
            #expect(call.properties.displayName == "Bob, Cy")
            let participants = try await user.participants(of: CallID(uuid))
            #expect(participants.map(\.name) == ["Bob", "Cy"])
            #expect(app.manager.pendingActions.isEmpty)
        }

        @Test func `members come and go, and the local one is known to the app alone`()
            async throws
        {
            let app = ConversationApp()
            let uuid = try await app.rings(["+15550102"])
            try await user.answer(CallID(uuid), nil, .completed)
            await app.waits(for: "is joined")
            let conversation = try #require(app.conversation(uuid))
            let me = Member(type: .phoneNumber, value: "+15550100", displayName: "Me")
            let ann = Member(type: .phoneNumber, value: "+15550102", displayName: "Ann")
            let bob = Member(type: .phoneNumber, value: "+15550103", displayName: "Bob")
            app.manager.reportConversationEvent(
                .conversationUpdated(
                    Conversation.Update(
                        localMember: me, members: [me, ann, bob], activeRemoteMembers: [ann])),
                for: conversation)
            #expect(conversation.localMember == me)
            _ = await refusal(app, UnmergeConversationAction(conversationUUID: uuid))
            let participants = try await user.participants(of: CallID(uuid))
            #expect(participants.map(\.name) == ["Ann", "Bob"])
            #expect(participants.map(\.state) == [.joined, .joining])
            #expect(try await user.call(CallID(uuid)).properties.displayName == "Ann, Bob")
            app.manager.reportConversationEvent(
                .conversationUpdated(
                    Conversation.Update(members: [me, bob], activeRemoteMembers: [bob])),
                for: conversation)
            _ = await refusal(app, UnmergeConversationAction(conversationUUID: uuid))
            let call = try await user.call(CallID(uuid))
            #expect(call.properties.remote?.value == "+15550103")
            #expect(call.properties.displayName == "Bob")
            #expect(try await user.participants(of: CallID(uuid)).isEmpty)
        }

        @Test func `capabilities decide what the user is offered, and may change`() async throws {
            let app = ConversationApp()
            let uuid = try await app.rings(["+15550102"], [.playingTones])
            try await user.answer(CallID(uuid), nil, .completed)
            await app.waits(for: "is joined")
            var allowed = try await user.call(CallID(uuid)).allowed
            #expect(allowed.contains(.playDTMF) && !allowed.contains(.hold))
            let conversation = try #require(app.conversation(uuid))
            app.manager.reportConversationEvent(
                .conversationUpdated(Conversation.Update(capabilities: [.pausing, .video])),
                for: conversation)
            _ = await refusal(app, UnmergeConversationAction(conversationUUID: uuid))
            let call = try await user.call(CallID(uuid))
            allowed = call.allowed
            #expect(!allowed.contains(.playDTMF) && allowed.contains(.hold))
            #expect(call.properties.hasVideo)
        }

        @Test func `without capabilities all but video are assumed`() async throws {
            let app = ConversationApp()
            let uuid = try await app.rings()
            let call = try await user.call(CallID(uuid))
            #expect(call.properties.supportsHolding && call.properties.supportsGrouping)
            #expect(!call.properties.hasVideo)
        }

        // MARK: Actions

        @Test func `actions of the app and of the user come to the same delegate`() async throws {
            let app = ConversationApp()
            let uuid = try await app.rings()
            #expect(await refusal(app, JoinConversationAction(conversationUUID: uuid)) == nil)
            await app.waits(for: "is joined")
            #expect(
                await refusal(
                    app, MuteConversationAction(conversationUUID: uuid, isMuted: true),
                    PlayToneAction(conversationUUID: uuid, digits: "12", tone: .softPause)) == nil)
            await app.waits(for: "tones 12 softPause")
            try await user.playDTMF(CallID(uuid), digits: "34")
            await app.waits(for: "tones 4 single")
            try await host.settle()
            #expect(try await user.call(CallID(uuid)).isMuted)
            #expect(
                await refusal(app, PauseConversationAction(conversationUUID: uuid, isPaused: true))
                    == nil)
            await app.waits(for: "is paused")
            #expect(await refusal(app, EndConversationAction(conversationUUID: uuid)) == nil)
            await app.waits(for: "is left")
            let actions = app.diary.lines.filter { !$0.hasPrefix("is ") && !$0.hasPrefix("audio") }
            #expect(
                actions == [
                    "began", "join", "mute", "tones 12 softPause", "tones 3 single",
                    "tones 4 single", "pause", "end",
                ])
        }

        @Test func `two conversations are merged, and come apart`() async throws {
            let app = ConversationApp(keeps: [MergeConversationAction.self])
            let first = try await app.rings(["+15550102"])
            try await user.answer(CallID(first), nil, .completed)
            let second = try await app.rings(["+15550103"])
            try await user.answer(CallID(second), nil, .completed)
            let merge = MergeConversationAction(
                conversationUUID: first, conversationUUIDToMergeWith: second)
            try await app.manager.perform([merge])
            await app.waits(for: "merge")
            #expect(app.open.first === merge)
            #expect(
                app.manager.pendingConversationActions(
                    of: MergeConversationAction.self, for: try #require(app.conversation(first))
                ).count == 1)
            #expect(
                app.manager.pendingConversationActions(
                    of: MuteConversationAction.self, for: try #require(app.conversation(first))
                ).isEmpty)
            merge.fulfill()
            await app.waits(for: "continue")
            try await host.settle()
            #expect(
                try await user.call(CallID(first)).group == user.call(CallID(second)).group)
            try await app.manager.perform([UnmergeConversationAction(conversationUUID: first)])
            await app.waits(for: "unmerge")
            try await host.settle()
            #expect(
                try await user.call(CallID(first)).group != user.call(CallID(second)).group)
        }

        @Test func `a join that takes over 30 seconds has failed, and the conversation is left`()
            async throws
        {
            let app = ConversationApp(keeps: [JoinConversationAction.self])
            let uuid = try await app.rings()
            try await user.answer(CallID(uuid))
            await app.waits(for: "join")
            try await host.advance(29_999)
            #expect(app.open[0].state == .running)
            try await host.advance(1)
            await app.waits(for: "timed out join")
            #expect(app.open[0].state == .failed(reason: "timed out"))
            await app.waits(for: "end")
            await app.waits(for: "is left")
            app.open[0].fulfill()
            #expect(app.open[0].state == .failed(reason: "timed out"))
        }

        @Test func `a configuration that changes later counts at once`() async throws {
            let app = ConversationApp(groups: 1)
            _ = try await app.rings()
            let maximumCallGroupsReached = 7
            #expect(await refusal(app, start(["+15550102"])) == maximumCallGroupsReached)
            app.manager.configuration.maximumConversationGroups = 2
            #expect(app.manager.configuration.maximumConversationGroups == 2)
            #expect(await refusal(app, start(["+15550102"])) == nil)
            await app.waits(for: "start +15550102")
        }

        @Test func `each action has the time that its request gives it`() async throws {
            let app = ConversationApp(keeps: [
                MuteConversationAction.self, PauseConversationAction.self,
            ])
            let uuid = try await app.rings()
            try await user.answer(CallID(uuid), nil, .completed)
            await app.waits(for: "is joined")
            var brief = RequestOptions()
            brief.deadlineMS = 7_000
            try await user.setHeld(CallID(uuid), true, brief)
            await app.waits(for: "pause")
            #expect(app.open[0].timeoutDate.timeIntervalSinceNow <= 7)
            try await host.advance(6_999)
            #expect(app.open[0].state == .running)
            try await host.advance(1)
            await app.waits(for: "timed out pause")
            #expect(app.open[0].state == .failed(reason: "timed out"))
            // Made before it, with 5 seconds.
            let former = CXAction().timeoutDate
            try await user.setMuted(CallID(uuid), true)
            await app.waits(for: "mute")
            #expect(app.open[1].timeoutDate.timeIntervalSince(former) > 25 - 0.001)
            try await host.advance(29_999)
            #expect(app.open[1].state == .running)
            app.open[1].fulfill()
            #expect(app.open[1].state == .complete)
        }

        @Test func `a start that fails leaves no conversation`() async throws {
            let app = ConversationApp(keeps: [StartConversationAction.self])
            let action = start(["+15550102"])
            try await app.manager.perform([action])
            await app.waits(for: "start +15550102")
            let conversation = try #require(app.conversation(action.conversationUUID))
            action.fail()
            #expect(action.state == .failed(reason: "failed"))
            await app.waits(for: "is left")
            #expect(conversation.state == .left && app.manager.conversations.isEmpty)
        }

        @Test func `the user starts a conversation outside the app`() async throws {
            let app = ConversationApp()
            let name = ProviderID(app.manager.provider.value.identity)
            try await user.start(CallModel.Handle(kind: .phone, value: "+15550107"), provider: name)
            await app.waits(for: "start +15550107")
            #expect(app.manager.conversations.map(\.state) == [.joining])
        }

        @Test func `an action that the host withdraws has failed`() async throws {
            let app = ConversationApp(keeps: [JoinConversationAction.self])
            let uuid = try await app.rings()
            try await user.answer(CallID(uuid))
            await app.waits(for: "join")
            app.manager.reportConversationEvent(
                .conversationEnded(.now, .remoteEnded), for: try #require(app.conversation(uuid)))
            _ = await refusal(app, EndConversationAction(conversationUUID: uuid))
            #expect(app.open[0].state == .failed(reason: "withdrawn"))
            #expect(app.manager.pendingActions.isEmpty)
        }

        // MARK: Refusals

        @Test func `what cannot be requested is refused with CallKit's errors`() async throws {
            let app = ConversationApp(groups: 1)
            let uuid = try await app.rings()
            do {
                try await app.manager.perform([])
                Issue.record("expected a refusal")
            } catch {
                #expect(code(error) == 3)
            }
            #expect(await refusal(app, JoinConversationAction(conversationUUID: UUID())) == 4)
            #expect(await refusal(app, start(["+15550102"], uuid)) == 5)
            #expect(await refusal(app, ConversationAction(conversationUUID: uuid)) == 6)
            let translation = SetTranslatingAction(
                conversationID: uuid, isTranslating: true,
                localLanguage: Locale.Language(identifier: "de"),
                remoteLanguage: Locale.Language(identifier: "en"))
            #expect(await refusal(app, translation) == 6)
            #expect(await refusal(app, start(["+15550102"])) == 7)
            #expect(app.manager.conversations.map(\.uuid) == [uuid])
            let mute = MuteConversationAction(conversationUUID: UUID(), isMuted: true)
            #expect(await refusal(app, mute) == 4)
            #expect(await refusal(app, mute) == 6)
            #expect(mute.state == .idle)
        }

        @Test func `a second report of a conversation is refused, and changes nothing`()
            async throws
        {
            let app = ConversationApp()
            let uuid = try await app.rings()
            let conversation = try #require(app.conversation(uuid))
            await #expect {
                try await app.manager.reportNewIncomingConversation(
                    uuid: uuid, update: Conversation.Update())
            } throws: {
                ($0 as? CXErrorCodeIncomingCallError)?.code == .callUUIDAlreadyExists
            }
            #expect(app.conversation(uuid) === conversation && conversation.state == .idle)
        }

        @Test func `an invalidated manager's conversations are left, its delegate hears no more`()
            async throws
        {
            let app = ConversationApp(keeps: [MuteConversationAction.self])
            let uuid = try await app.rings()
            try await user.answer(CallID(uuid), nil, .completed)
            await app.waits(for: "is joined")
            let conversation = try #require(app.conversation(uuid))
            let mute = MuteConversationAction(conversationUUID: uuid, isMuted: true)
            try await app.manager.perform([mute])
            await app.waits(for: "mute")
            await app.waits(for: "audio on")
            let lines = app.diary.lines
            app.manager.invalidate()
            #expect(conversation.state == .left && app.manager.conversations.isEmpty)
            #expect(mute.state == .failed(reason: "withdrawn"))
            #expect(app.manager.pendingActions.isEmpty)
            await MainActor.run {}
            #expect(app.diary.lines == lines)
            await #expect(throws: CXErrorCodeIncomingCallError.self) {
                try await app.manager.reportNewIncomingConversation(
                    uuid: UUID(), update: Conversation.Update())
            }
            #expect(try await !user.calls().contains { $0.id == CallID(uuid) })
        }

        @Test func `there are no notification service extensions for conversations either`() async {
            await #expect(throws: CXErrorCodeNotificationServiceExtensionError.self) {
                try await ConversationManager.reportNewIncomingVoIPPushPayload([:])
            }
        }

        @Test func `descriptions of conversations have nothing of the members`() {
            let secret = Member(type: .phoneNumber, value: "+15550199", displayName: "Eve")
            let start = StartConversationAction(
                conversationUUID: UUID(), handles: [secret], isVideo: false)
            for text in ["\(secret)", String(reflecting: secret), String(reflecting: start)] {
                #expect(!text.contains("15550199") && !text.contains("Eve"), "\(text)")
            }
            #expect(String(reflecting: start).contains("\(start.uuid)"))
        }
    }
}
