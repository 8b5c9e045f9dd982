import AVFoundation
import BrokerJSON
import CallClient
import CallModel
import CallProtocol
import Testing

@testable import CallKit

/// The edges of CallKit: what is long, many or empty, and what Apple does not say.
extension SemanticsTests {
    @Suite struct EdgeTests {
        private let host: Host
        private let user: CallController
        private let controller: CXCallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
            controller = CXCallController()
        }

        private func start(_ call: UUID = UUID(), _ address: String = "ann") -> CXStartCallAction {
            CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: address))
        }

        /// What is wrong with a request; nil if it was accepted.
        private func refusal(_ actions: CXAction...) async -> NSError? {
            do {
                try await controller.request(CXTransaction(actions: actions))
                return nil
            } catch {
                return error as NSError
            }
        }

        // MARK: Long texts

        @Test func `a long address is whole in its app, and short for all others`() async throws {
            let app = App(keeps: [CXStartCallAction.self])
            let (call, long) = (UUID(), String(repeating: "e30", count: 200))
            let action = start(call, long)
            action.contactIdentifier = long + "contact"
            try await controller.request(CXTransaction(action: action))
            #expect(await app.lines(2).last == "start \(long)")
            let performed = try #require(app.open.first as? CXStartCallAction)
            #expect(performed.contactIdentifier == long + "contact")
            let told = try #require(try await user.call(CallID(call)).properties.remote)
            #expect(told.value.utf8.count <= 256)
            #expect(long.hasPrefix(told.value.prefix(200)))
            performed.fulfill()
        }

        @Test func `long addresses that begin alike are two`() async throws {
            let app = App()
            let long = String(repeating: "ä", count: 300)
            var told: Set<Handle?> = []
            for end in ["1", "2"] {
                let update = CXCallUpdate()
                update.remoteHandle = CXHandle(type: .generic, value: long + end)
                let call = try await app.rings(update)
                told.insert(try await user.call(CallID(call)).properties.remote)
                app.provider.reportCall(with: call, endedAt: nil, reason: .failed)
            }
            #expect(told.count == 2)
        }

        @Test func `who is called back by a short address is given to the app whole`() async throws
        {
            let app = App()
            let long = String(repeating: "e30", count: 200)
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .generic, value: long)
            let call = try await app.rings(update)
            let told = try #require(try await user.call(CallID(call)).properties.remote)
            app.provider.reportCall(with: call, endedAt: nil, reason: .unanswered)
            try await user.start(told, provider: app.id)
            #expect(await app.lines(2).last == "start \(long)")
        }

        @Test func `an empty contact is none`() async throws {
            let app = App()
            let action = start()
            action.contactIdentifier = ""
            try await controller.request(CXTransaction(action: action))
            #expect(await app.lines(2).last == "start ann")
        }

        // MARK: Tones

        @Test func `several keys are an action each, one after the other`() async throws {
            let app = App(keeps: [CXPlayDTMFCallAction.self])
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            try await user.playDTMF(CallID(call), digits: "12#", style: .single)
            #expect(
                await app.lines(count + 2).suffix(2) == [
                    "execute "
                        + Array(repeating: "CXPlayDTMFCallAction", count: 3)
                        .joined(separator: ", "), "tones 1 1",
                ])
            try await host.settle(without: app.id)
            #expect(app.diary.lines.count == count + 2)
            app.open[0].fulfill()
            #expect(await app.lines(count + 3).last == "tones 2 1")
            #expect(try await user.call(CallID(call)).pendingAction == .sendingDTMF)
            app.open[1].fulfill()
            #expect(await app.lines(count + 4).last == "tones # 1")
            app.open[2].fulfill()
            try await host.settle()
            #expect(try await user.call(CallID(call)).pendingAction == nil)
            #expect(Set(app.open.map(\.uuid)).count == 3)
            #expect(app.provider.pendingTransactions.isEmpty)
        }

        @Test func `after a key that fails no other is played`() async throws {
            let app = App(keeps: [CXPlayDTMFCallAction.self])
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            try await user.playDTMF(CallID(call), digits: "123", style: .single)
            _ = await app.lines(count + 2)
            let transaction = try #require(app.provider.pendingTransactions.first)
            app.open[0].fail()
            try await host.settle()
            #expect(transaction.isComplete)
            #expect(app.diary.lines.count == count + 2)
            #expect(try await user.call(CallID(call)).pendingAction == nil)
        }

        @Test func `keys that were taken over are settled by the app alone`() async throws {
            let app = App(takesTransactions: true)
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(1)
            app.open[0].fulfill()
            _ = await app.lines(2)
            try await user.playDTMF(CallID(call), digits: "12", style: .single)
            _ = await app.lines(3)
            app.open[2].fulfill()
            await app.isHeard()
            #expect(try await user.call(CallID(call)).pendingAction == .sendingDTMF)
            app.open[1].fulfill()
            await app.isHeard()
            #expect(try await user.call(CallID(call)).pendingAction == nil)
            #expect(app.diary.lines.count == 3)
        }

        @Test func `a key that takes too long is late, and no other is played`() async throws {
            let app = App(keeps: [CXPlayDTMFCallAction.self])
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            try await user.playDTMF(CallID(call), digits: "12", style: .single)
            _ = await app.lines(count + 2)
            try await host.advance(5_000)
            #expect(await app.lines(count + 3).last == "timed out CXPlayDTMFCallAction")
            app.open[0].fulfill()
            try await host.settle()
            #expect(app.diary.lines.count == count + 3)
        }

        @Test func `tones after a pause are one action`() async throws {
            let app = App()
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            try await user.playDTMF(CallID(call), digits: "12", style: .softPause)
            #expect(await app.lines(count + 2).last == "tones 12 2")
        }

        // MARK: What Apple does not say

        @Test func `a transaction of nine actions is invalid`() async throws {
            let app = App()
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            let mutes = (0..<9).map { CXSetMutedCallAction(call: call, muted: $0 % 2 == 0) }
            await #expect {
                try await controller.requestTransaction(with: mutes)
            } throws: {
                code($0) == 6
            }
            #expect(app.diary.lines.count == count)
        }

        @Test func `a video call of an app without video is an invalid action`() async throws {
            let app = App()
            let video = start()
            video.isVideo = true
            let error = await refusal(video)
            #expect(error?.code == 6)
            #expect(error?.userInfo["reason"] as? String == "not_supported")
            #expect(app.diary.lines == [])
        }

        @Test func `a call whose end fails is over all the same`() async throws {
            let app = App(keeps: [CXEndCallAction.self])
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            #expect(await refusal(CXEndCallAction(call: call)) == nil)
            _ = await app.lines(count + 2)
            app.open[0].fail()
            try await host.settle()
            #expect(try await !user.calls().contains { $0.id == CallID(call) })
        }

        // MARK: Several calls

        /// A call that cannot be held, and speaks.
        private func speaksUnheld(_ app: App) async throws -> UUID {
            let update = CXCallUpdate()
            update.supportsHolding = false
            let call = try await app.rings(update)
            try await user.answer(CallID(call), nil, .completed)
            return call
        }

        @Test func `the policy ends an app's own call in the way, not another app's`()
            async throws
        {
            let app = App()
            let first = try await speaksUnheld(app)
            #expect(await refusal(start()) != nil)
            try await user.changePolicy { $0.onCannotHold = .end }
            let second = UUID()
            let lines = await app.lines(3).count
            #expect(await refusal(start(second)) == nil)
            #expect(
                await app.lines(lines + 4).dropFirst(lines) == [
                    "execute CXEndCallAction, CXStartCallAction", "end", "audio off", "start ann",
                ])
            #expect(try await !user.calls().contains { $0.id == CallID(first) })
            app.provider.reportCall(with: second, endedAt: nil, reason: .failed)
            let phone = try await CallProvider(
                identity: "org.example.other", .phone, delegate: Answerer.shared, host.options)
            let other = CallID.random()
            var update = CallUpdate(from: .ann)
            update.supportsHolding = .set(false)
            try await phone.reportIncoming(other, update)
            try await user.answer(other, nil, .completed)
            #expect(await refusal(start())?.userInfo["reason"] as? String == "cannot_hold")
            phone.close()
            try await user.changePolicy { $0.onCannotHold = .refuse }
        }

        @Test func `the call that is named first joins the other`() async throws {
            let app = App(keeps: [CXSetGroupCallAction.self])
            let first = try await app.speaks(user)
            let second = try await app.rings()
            try await user.answer(CallID(second), nil, .completed)
            for (joining, staying) in [(first, second), (second, first)] {
                let before = app.open.count
                try await controller.request(
                    CXTransaction(CXSetGroupCallAction(call: joining, callUUIDToGroupWith: staying))
                )
                while app.open.count == before { await Task.yield() }
                let group = try #require(app.open.last as? CXSetGroupCallAction)
                #expect(group.callUUID == joining && group.callUUIDToGroupWith == staying)
                group.fail()
                try await host.settle()
            }
        }

        // MARK: Handle types

        @Test func `an app without handle types is listed, and may call whom it likes`()
            async throws
        {
            for type in [CXHandle.HandleType.phoneNumber, .emailAddress, .generic] {
                let app = App()
                #expect(try await registration(of: app).handleTypes == 0)
                let action = CXStartCallAction(
                    call: UUID(), handle: CXHandle(type: type, value: "+15550102"))
                try await controller.request(CXTransaction(action: action))
                #expect(await app.lines(2).last == "start +15550102")
            }
        }

        /// What the broker has of an app.
        private struct Registration: Sendable {
            let handleTypes: Int?
            let icon: String?
            let ringtone: String?
        }

        private func registration(of app: App) async throws -> Registration {
            let port = try #require(app.provider.port)
            let name = app.id.name
            return try await port.link.request(.listProviders) { reply in
                let all = reply["providers"]?.elements.map { $0 } ?? []
                return all.first { $0["provider"]?.string == name }.map {
                    Registration(
                        handleTypes: $0["handle_types"]?.count, icon: $0["icon"]?.string,
                        ringtone: $0["ringtone"]?.string)
                }
            }
        }

        // MARK: Files

        @Test func `an icon becomes a file that screens can show, and a new one another`()
            async throws
        {
            let configuration = CXProviderConfiguration()
            configuration.iconTemplateImageData = Self.png + [1]
            let app = App(configuration)
            let first = try #require(try await registration(of: app).icon)
            #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == Self.png + [1])
            configuration.iconTemplateImageData = Self.png + [2]
            app.provider.configuration = configuration
            await app.isHeard()
            let second = try #require(try await registration(of: app).icon)
            #expect(second != first)
            #expect(try Data(contentsOf: URL(fileURLWithPath: second)) == Self.png + [2])
            #expect(!FileManager.default.fileExists(atPath: first))
            configuration.iconTemplateImageData = nil
            app.provider.configuration = configuration
            await app.isHeard()
            #expect(try await registration(of: app).icon == nil)
            try FileManager.default.removeItem(atPath: second)
        }

        private static let png = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

        @Test func `what is no PNG is no icon, and neither is a huge one`() throws {
            let folder = try TemporaryFolder()
            let place = URL(fileURLWithPath: folder.path)
            let huge = Self.png + Data(count: 1 << 20)
            for data in [Data("GIF89a".utf8), Data(), huge] {
                #expect(AppFiles.storeIcon(data, of: "org.example.a", in: place) == nil)
            }
            let blocked = place.appendingPathComponent("file")
            try Data().write(to: blocked)
            #expect(AppFiles.storeIcon(Self.png, of: "org.example.a", in: blocked) == nil)
        }

        @Test func `another app's icon stays`() throws {
            let folder = try TemporaryFolder()
            let place = URL(fileURLWithPath: folder.path)
            let names = ["org.example.a", "org.example.a-b", "org.example"]
            let paths = names.map { AppFiles.storeIcon(Self.png, of: $0, in: place) }
            _ = AppFiles.storeIcon(Self.png + [1], of: "org.example.a", in: place)
            let left = paths.map { FileManager.default.fileExists(atPath: $0 ?? "") }
            #expect(left == [false, true, true])
        }

        @Test func `a ringtone is found by its name in the app's folder`() throws {
            let folder = try TemporaryFolder()
            let place = [URL(fileURLWithPath: folder.path)]
            try Data("a".utf8).write(to: place[0].appendingPathComponent("bell.caf"))
            try Data("b".utf8).write(to: place[0].appendingPathComponent("chime.ogg"))
            #expect(AppFiles.sound(named: "bell.caf", in: place) == folder.file("bell.caf"))
            #expect(AppFiles.sound(named: "chime.caf", in: place) == folder.file("chime.ogg"))
            #expect(AppFiles.sound(named: "chime", in: place) == folder.file("chime.ogg"))
            #expect(
                AppFiles.sound(named: "phone-incoming-call", in: place) == "phone-incoming-call")
            #expect(AppFiles.sound(named: "/tmp/a.wav", in: place) == "/tmp/a.wav")
            #expect(AppFiles.sound(named: "", in: place) == nil)
            let long = String(repeating: "x", count: 2_000)
            #expect(AppFiles.sound(named: long, in: place) == nil)
        }

        @Test func `the ringtone in the app's folder is told by its path`() async throws {
            let bundle = try #require(AppFiles.folders.last)
            let file = bundle.appendingPathComponent("ringtone-\(UUID()).wav")
            try Data("RIFF".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let configuration = CXProviderConfiguration()
            configuration.ringtoneSound = file.lastPathComponent
            let app = App(configuration)
            #expect(try await registration(of: app).ringtone == file.path)
        }
    }
}

/// Another app, which answers.
private final class Answerer: CallProviderDelegate {
    static let shared = Answerer()

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
}

/// What can be read in a log.
struct DescriptionTests {
    private let call = UUID()

    @Test func `descriptions have the class, the ids and the state`() {
        let end = CXEndCallAction(call: call)
        #expect(end.description.hasPrefix("<CXEndCallAction: 0x"))
        #expect(
            end.description.hasSuffix(
                "UUID=\(end.uuid), callUUID=\(call), isComplete=false>"))
        let hold = CXSetHeldCallAction(call: call, onHold: true)
        #expect(hold.description.hasSuffix("isComplete=false, onHold=true>"))
        let group = CXSetGroupCallAction(call: call, callUUIDToGroupWith: nil)
        #expect(group.description.hasSuffix("callUUIDToGroupWith=(null)>"))
        let transaction = CXTransaction(action: end)
        #expect(transaction.description.contains("UUID=\(transaction.uuid), isComplete=false"))
        #expect(transaction.description.contains("<CXEndCallAction: 0x"))
    }

    @Test func `descriptions have nothing of the other side`() {
        let start = CXStartCallAction(
            call: call, handle: CXHandle(type: .phoneNumber, value: "+15550199"))
        start.contactIdentifier = "secret-contact"
        let tones = CXPlayDTMFCallAction(call: call, digits: "4711", type: .hardPause)
        let texts = [start, start.handle, tones, CXTransaction(actions: [start, tones])].map {
            "\($0) \(String(reflecting: $0))"
        }
        for text in texts {
            #expect(!text.contains("15550199") && !text.contains("secret"), "\(text)")
            #expect(!text.contains("4711"), "\(text)")
        }
        #expect(start.description.contains("<CXHandle: 0x"))
        #expect(start.handle.description.hasSuffix("type=phoneNumber, value=(private)>"))
    }
}
