import CallClient
import CallModel
import Testing

@testable import CallKit

extension SemanticsTests {
    @Suite struct ControllerTests {
        private let host: Host
        private let user: CallController
        private let controller: CXCallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
            controller = CXCallController()
        }

        /// The code of the error that a request is refused with.
        private func refusal(_ actions: CXAction...) async -> Int? {
            do {
                try await controller.request(CXTransaction(actions: actions))
                return nil
            } catch {
                return code(error)
            }
        }

        private func start(_ call: UUID = UUID()) -> CXStartCallAction {
            CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "ann"))
        }

        @Test func `an empty transaction is refused before anything else`() async {
            #expect(await refusal() == 3)
        }

        @Test func `without a provider nobody can be asked`() async {
            // An app of an earlier test may still be on its way out.
            while ProviderRegistry.shared.provider(for: []) != nil { await Task.yield() }
            #expect(await refusal(start()) == 2)
        }

        @Test func `what is no action on a call, or no broker can do, is invalid`() async {
            let app = App()
            #expect(await refusal(CXAction()) == 6)
            let translation = CXSetTranslatingCallAction(
                call: UUID(), isTranslating: true, localLanguage: "de", remoteLanguage: "en")
            #expect(await refusal(translation) == 6)
            #expect(app.diary.lines == [])
        }

        @Test func `an unknown call cannot be answered, a known one not be started`() async throws {
            let app = App()
            let call = try await app.rings()
            #expect(await refusal(CXAnswerCallAction(call: UUID())) == 4)
            #expect(await refusal(start(call)) == 5)
            #expect(app.diary.lines == [])
        }

        @Test func `ringing calls count as groups`() async throws {
            let configuration = CXProviderConfiguration()
            configuration.maximumCallGroups = 1
            let app = App(configuration)
            _ = try await app.rings()
            #expect(await refusal(start()) == 7)
        }

        @Test func `with no groups at all no call is started`() async {
            let configuration = CXProviderConfiguration()
            configuration.maximumCallGroups = 0
            let app = App(configuration)
            #expect(await refusal(start()) == 7)
            #expect(app.diary.lines == [])
        }

        @Test func `a transaction is refused as a whole`() async throws {
            let app = App()
            let call = try await app.rings()
            #expect(
                await refusal(CXAnswerCallAction(call: call), CXEndCallAction(call: UUID())) == 4)
            #expect(app.diary.lines == [])
        }

        @Test func `another app's call is not ours to end`() async throws {
            let app = App()
            let phone = try await CallProvider(
                identity: "org.example.other", .phone, delegate: Obedient.shared, host.options)
            let call = CallID.random()
            try await phone.reportIncoming(call, CallUpdate(from: .ann))
            #expect(await refusal(CXEndCallAction(call: call.uuid)) == 1)
            phone.close()
            withExtendedLifetime(app) {}
        }

        @Test func `no error means accepted, not performed`() async throws {
            let app = App(keeps: [CXStartCallAction.self])
            let queue = DispatchQueue(label: "completions")
            let diary = Diary()
            CXCallController(queue: queue).requestTransaction(with: start()) { error in
                dispatchPrecondition(condition: .onQueue(queue))
                diary.note(error == nil ? "accepted" : "refused")
            }
            #expect(await diary.lines(1) == ["accepted"])
            _ = await app.lines(2)
            #expect(app.open.map(\.isComplete) == [false])
            app.open[0].fulfill()
        }

        @Test func `an action keeps its id and its words on its way to the delegate`() async throws
        {
            let app = App(keeps: [CXStartCallAction.self])
            let action = start()
            action.isVideo = false
            action.contactIdentifier = "contact-7"
            try await controller.request(CXTransaction(action: action))
            _ = await app.lines(2)
            let performed = try #require(app.open.first as? CXStartCallAction)
            #expect(performed !== action)
            #expect(performed.uuid == action.uuid)
            #expect(performed.contactIdentifier == "contact-7")
            performed.fulfill(withDateStarted: Date(timeIntervalSince1970: 1))
            #expect(performed.isComplete)
            #expect(!action.isComplete)
        }

        @Test func `actions are performed in their order`() async throws {
            let app = App()
            let call = try await app.speaks(user)
            let before = await app.lines(3).count
            try await controller.request(
                CXTransaction(actions: [
                    CXSetMutedCallAction(call: call, muted: true),
                    CXPlayDTMFCallAction(call: call, digits: "12#", type: .softPause),
                    CXSetHeldCallAction(call: call, onHold: true),
                ]))
            let lines = await app.lines(before + 5).dropFirst(before + 1)
            #expect(lines == ["mute", "tones 12# 2", "hold", "audio off"])
        }

        @Test func `two calls become a group, and come apart`() async throws {
            let app = App()
            let first = try await app.speaks(user)
            let second = try await app.rings()
            try await user.answer(CallID(second), nil, .completed)
            try await controller.request(
                CXTransaction(
                    action: CXSetGroupCallAction(
                        call: first, callUUIDToGroupWith: second)))
            try await host.settle()
            let calls = try await user.calls().filter {
                [CallID(first), CallID(second)].contains($0.id)
            }
            #expect(Set(calls.map(\.group)).count == 1)
            try await controller.request(
                CXTransaction(action: CXSetGroupCallAction(call: first, callUUIDToGroupWith: nil)))
            await app.diary.waits(for: "merge")
            await app.diary.waits(for: "split")
            withExtendedLifetime(app) {}
        }

        @Test func `a second report of a call is refused, and changes nothing`() async throws {
            let app = App()
            let call = try await app.rings()
            await #expect {
                try await app.provider.reportNewIncomingCall(with: call, update: CXCallUpdate())
            } throws: {
                code($0) == 2 && $0 is CXErrorCodeIncomingCallError
            }
            #expect(try await user.call(CallID(call)).state == .ringing)
        }

        @Test func `an error names the rule, and the call in the way`() async throws {
            let app = App()
            let phone = try await CallProvider(
                identity: "org.example.other", .phone, delegate: Picker.shared, host.options)
            let call = CallID.random()
            var update = CallUpdate(from: .ann)
            update.supportsHolding = .set(false)
            try await phone.reportIncoming(call, update)
            try await user.answer(call, nil, .completed)
            do {
                try await controller.request(CXTransaction(action: start()))
                Issue.record("expected a refusal")
            } catch let error as NSError {
                #expect(error.code == 6)
                #expect(error.userInfo["reason"] as? String == "cannot_hold")
                #expect(error.userInfo["rule"] as? String == "9")
                #expect(error.userInfo["blocking"] as? [String] == [call.description])
                #expect(
                    error.localizedFailureReason
                        == "rule 9 of arbitration; in the way: \(call) of org.example.other")
                #expect(error.localizedRecoverySuggestion != nil)
            }
            phone.close()
            withExtendedLifetime(app) {}
        }

        @Test func `an error says what is in the way`() async throws {
            let configuration = CXProviderConfiguration()
            configuration.maximumCallGroups = 1
            let app = App(configuration)
            _ = try await app.rings()
            do {
                try await controller.request(CXTransaction(action: start()))
                Issue.record("expected a refusal")
            } catch let error as NSError {
                #expect(error.domain == "com.apple.CallKit.error.requesttransaction")
                #expect(error.code == 7)
                #expect(error.userInfo["reason"] as? String == "max_call_groups")
                #expect(!error.localizedDescription.isEmpty)
                #expect(error.localizedFailureReason?.contains("max_call_groups") == true)
            }
        }
    }
}

/// Another app, which answers.
private final class Picker: CallProviderDelegate {
    static let shared = Picker()

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
}

/// Another app, which is no CallKit app.
private final class Obedient: CallProviderDelegate {
    static let shared = Obedient()
}
