import CallClient
import CallModel
import Intents
import Testing

@testable import CallKit

/// Calls that the user asks for outside the app, with a real broker.
extension SemanticsTests {
    @Suite struct StartIntentTests {
        private let host: Host
        private let user: CallController
        private let diary = Diary()
        /// As the user's side names the call, and the app.
        private let id = CallID.random()
        private let own = UUID()

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        private func app(keeps: [AnyClass] = []) -> App {
            let configuration = CXProviderConfiguration()
            configuration.supportedHandleTypes = [.phoneNumber]
            configuration.supportsVideo = true
            return App(configuration, keeps: keeps)
        }

        /// Somebody takes activities while this happens.
        private func taking(
            with taker: @escaping ActivityDoor.Handler, _ body: () async throws -> Void
        ) async throws {
            ActivityDoor.shared.open(taker)
            defer { ActivityDoor.shared.open(nil) }
            try await body()
        }

        private static func start(
            _ uuid: UUID, _ value: String, _ type: CXHandle.HandleType = .phoneNumber
        ) -> CXStartCallAction {
            CXStartCallAction(call: uuid, handle: CXHandle(type: type, value: value))
        }

        private func dial(
            _ app: App, hasVideo: Bool = false, _ options: RequestOptions = .completed
        )
            async throws
        {
            try await user.start(.ann, call: id, provider: app.id, hasVideo: hasVideo, options)
        }

        @Test func `the user's call comes as an intent, and the app's own start is that call`()
            async throws
        {
            let app = app(keeps: [CXStartCallAction.self])
            let screen = Screen()
            _ = screen.observer.calls
            let (diary, own) = (diary, own)
            try await taking { activity in
                let start = Self.start(own, activity.handle?.value ?? "")
                diary.note("\(activity.activityType) \(start.uuid)")
                CXCallController().request(CXTransaction(action: start)) { error in
                    diary.note(error == nil ? "accepted" : "refused")
                }
                return true
            } _: {
                try await dial(app, RequestOptions())
                _ = await app.lines(2)
                let performed = app.open[0]
                performed.fulfill()
                let lines = await app.lines(3)
                #expect(lines == ["execute CXStartCallAction", "start +15550101", "audio on"])
                let intent = "INStartCallIntent \(performed.uuid)"
                #expect(await diary.lines(2) == [intent, "accepted"])
                app.provider.reportOutgoingCall(with: own, connectedAt: nil)
                await app.isHeard()
                #expect(try await user.call(id).state == .active)
                try await user.end(id, .completed)
                #expect(await app.lines(5).contains("end"))
            }
            #expect(
                await screen.lines(3, of: own) == [
                    "outgoing", "outgoing connected", "outgoing connected ended",
                ])
            #expect(screen.heard(of: UUID(id.bits)) == [])
        }

        @Test(arguments: [
            (false, "INStartAudioCallIntent"), (true, "INStartVideoCallIntent"),
        ])
        func `an app that sees to no intent is to perform the start`(
            hasVideo: Bool, former: String
        ) async throws {
            let app = app()
            let diary = diary
            try await taking { activity in
                diary.note("\(activity.activityType) \(activity.handle?.value ?? "")")
                return false
            } _: {
                try await dial(app, hasVideo: hasVideo)
                let start = "start +15550101" + (hasVideo ? " video" : "")
                let lines = await app.lines(3)
                #expect(lines == ["execute CXStartCallAction", start, "audio on"])
            }
            #expect(diary.lines == ["INStartCallIntent +15550101", "\(former) +15550101"])
            try await user.end(id, .completed)
        }

        @Test func `a call that the app never starts is starting until its time is over`()
            async throws
        {
            let app = app()
            let diary = diary
            try await taking { activity in
                diary.note(activity.activityType)
                return true
            } _: {
                try await dial(app, RequestOptions())
                _ = await diary.lines(1)
                try await host.advance(599_999)
                #expect(try await user.call(id).state == .starting)
                try await host.advance(1)
                try await host.settle()
                await #expect(throws: CallError.self) { try await user.call(id) }
                #expect(app.diary.lines.allSatisfy { !$0.hasPrefix("start") })
            }
        }

        @Test func `a call that is taken back before the app starts it the app never hears of`()
            async throws
        {
            let app = app()
            let (diary, own) = (diary, own)
            try await taking { activity in
                diary.note(activity.activityType)
                return true
            } _: {
                try await dial(app, RequestOptions())
                _ = await diary.lines(1)
                try await user.end(id, .completed)
                #expect(app.diary.lines == [])
                // What the app starts now is a call of its own.
                try await CXCallController().request(
                    CXTransaction(action: Self.start(own, "+15550101")))
                let lines = await app.lines(3)
                #expect(lines == ["execute CXStartCallAction", "start +15550101", "audio on"])
                #expect(try await user.calls().map(\.id).contains(CallID(own)))
            }
            #expect(CallID(own) != id)
        }

        @Test func `an app may know whom it is to call by another name`() async throws {
            let app = app()
            let own = own
            try await taking { _ in
                CXCallController().request(
                    CXTransaction(action: Self.start(own, "ann", .generic))
                ) { _ in }
                return true
            } _: {
                try await dial(app)
                #expect(await app.lines(2).contains("start ann"))
            }
            let call = try await user.call(id)
            #expect(call.properties.remote == Handle(kind: .generic, value: "ann"))
            #expect(try await user.calls().filter { $0.provider == app.id }.map(\.id) == [id])
            try await user.end(id, .completed)
        }

        @Test func `a call keeps the app's name for it as long as it lasts`() async throws {
            let app = app()
            let own = own
            let nameOthers = {
                for _ in 0...CallNames.overMax { ProviderRegistry.shared.name(.random(), UUID()) }
            }
            try await taking { activity in
                let start = Self.start(own, activity.handle?.value ?? "")
                CXCallController().request(CXTransaction(action: start)) { _ in }
                return true
            } _: {
                try await dial(app)
                _ = await app.lines(3)
            }
            nameOthers()
            #expect(CallID(own) == id)
            #expect(id.uuid == own)
            try await user.end(id, .completed)
            nameOthers()
            #expect(CallID(own) != id)
            #expect(id.uuid != own)
        }

        @Test func `a start that fails leaves no call behind`() async throws {
            let app = app(keeps: [CXStartCallAction.self])
            try await dial(app, RequestOptions())
            _ = await app.lines(2)
            #expect(app.provider.hasCall(id.uuid))
            app.open[0].fail()
            #expect(!app.provider.hasCall(id.uuid))
        }

        @Test func `a start of another address, later, is another call`() async throws {
            let app = app()
            let (diary, own) = (diary, own)
            try await taking { activity in
                diary.note(activity.activityType)
                return true
            } _: {
                try await dial(app, RequestOptions())
                _ = await diary.lines(1)
                // Behind the method of the app's delegate.
                await MainActor.run {}
                await #expect {
                    try await CXCallController().request(
                        CXTransaction(action: Self.start(UUID(), "+15550199")))
                } throws: {
                    code($0) == 6
                }
                #expect(app.diary.lines == [])
                try await CXCallController().request(
                    CXTransaction(action: Self.start(own, "+15550101")))
                #expect(await app.lines(2).last == "start +15550101")
            }
            #expect(CallID(own) == id)
            try await user.end(id, .completed)
        }

        @Test func `what else the app asks for with the start is asked for, too`() async throws {
            let app = app()
            let first = try await app.speaks(user)
            let before = await app.lines(3).count
            let own = own
            try await taking { activity in
                let actions = [
                    CXSetHeldCallAction(call: first, onHold: true),
                    CXSetMutedCallAction(call: first, muted: true),
                    Self.start(own, activity.handle?.value ?? ""),
                ]
                CXCallController().request(CXTransaction(actions: actions)) { _ in }
                return true
            } _: {
                try await dial(app)
                let lines = await app.lines(before + 8).dropFirst(before)
                #expect(lines.prefix(3) == ["execute CXSetHeldCallAction", "hold", "audio off"])
                #expect(Set(lines).isSuperset(of: ["mute", "start +15550101", "audio on"]))
            }
            #expect(try await user.call(CallID(first)).state == .held)
            for call in [id, CallID(first)] { try await user.end(call, .completed) }
        }

        @Test func `what else the app asks for can be refused, and the start with it`() async throws
        {
            let app = app()
            let (diary, own) = (diary, own)
            try await taking { activity in
                let actions = [
                    CXAnswerCallAction(call: UUID()),
                    Self.start(own, activity.handle?.value ?? ""),
                ]
                CXCallController().request(CXTransaction(actions: actions)) { error in
                    diary.note("refused \(error.flatMap { code($0) } ?? 0)")
                }
                return true
            } _: {
                await #expect {
                    try await dial(app)
                } throws: {
                    ($0 as? CallError)?.code == .providerFailed
                }
            }
            #expect(await diary.lines(1) == ["refused 4"])
            #expect(app.diary.lines == [])
        }
    }
}

extension NSUserActivity {
    /// Whom the app is to call.
    fileprivate var handle: INPersonHandle? {
        let contacts: [INPerson]? =
            switch interaction?.intent {
            case let intent as INStartCallIntent: intent.contacts
            case let intent as INStartAudioCallIntent: intent.contacts
            case let intent as INStartVideoCallIntent: intent.contacts
            default: nil
            }
        return contacts?.first?.personHandle
    }
}
