import CallClient
import CallModel
import Foundation
import Testing

@testable import CallKit

/// Lists of callers, and a broker that is played by the test.
extension SemanticsTests {
    @Suite struct DirectoryTests {
        typealias Work = @Sendable (CXCallDirectoryExtensionContext, Diary) -> Void

        private static let identifier = "org.example.list"

        /// An extension that does what its test says.
        private final class Lister: CXCallDirectoryProvider,
            CXCallDirectoryExtensionContextDelegate
        {
            let work: Work
            let diary: Diary

            init(_ diary: Diary, _ work: @escaping Work) {
                (self.diary, self.work) = (diary, work)
                super.init()
            }

            override func beginRequest(with context: CXCallDirectoryExtensionContext) {
                context.delegate = self
                work(context, diary)
            }

            func requestFailed(
                for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error
            ) {
                diary.note("failed \((error as NSError).code)")
            }
        }

        private let broker: PlayedBroker
        private let diary = Diary()
        private let manager = CXCallDirectoryManager()

        init() throws {
            broker = try PlayedBroker()
        }

        /// Begins to reload, and notes what comes of it.
        private func reload(_ work: @escaping Work) {
            let diary = diary
            manager.registerExtension(withIdentifier: Self.identifier) { Lister(diary, work) }
            manager.reloadExtension(withIdentifier: Self.identifier) { error in
                diary.note(error.map { "error \(($0 as NSError).code)" } ?? "loaded")
            }
        }

        private func open() throws -> LineSocket {
            let socket = try broker.accept()
            let hello = try socket.answer(#"{"granted_roles":["directory"]}"#)
            #expect(hello["identity"]?.string == Self.identifier)
            return socket
        }

        /// A literal would be a string.
        private func json(_ text: String) throws -> JSON {
            try JSON(text)
        }

        @Test func `a list goes to the broker in order, numbers to block before labels`()
            async throws
        {
            reload { context, diary in
                diary.note(context.isIncremental ? "incremental" : "whole")
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 15, label: "Shop")
                context.addBlockingEntry(withNextSequentialPhoneNumber: 14)
                context.addBlockingEntry(withNextSequentialPhoneNumber: 16)
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 15, label: "Bank")
                context.completeRequest { diary.note("completed \($0)") }
            }
            let socket = try open()
            try socket.answer(#"{"sources":[]}"#)
            let first = try socket.answer(#"{"accepted":2,"total":2}"#)
            let second = try socket.answer(#"{"accepted":2,"total":4}"#)
            let blocks = try json(#"[{"number":14,"blocked":true},{"number":16,"blocked":true}]"#)
            let labels = try json(#"[{"number":15,"label":"Shop"},{"number":15,"label":"Bank"}]"#)
            #expect([first["entries"], second["entries"]] == [blocks, labels])
            #expect([first["final"], second["final"]] == [.boolean(false), .boolean(true)])
            #expect(first["generation"] == second["generation"])
            #expect(await diary.lines(3).sorted() == ["completed false", "loaded", "whole"])
        }

        @Test func `a long list is sent while it grows`() async throws {
            reload { context, diary in
                for number in 1...1_001 {
                    context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number))
                }
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[]}"#)
            var counts: [Int] = []
            for _ in 0..<3 {
                counts.append(try socket.answer("{}")["entries"]?.elements?.count ?? -1)
            }
            #expect(counts == [500, 500, 1])
            #expect(await diary.lines(1) == ["loaded"])
        }

        @Test func `a list is newer than the one before, whatever the clock says`() async throws {
            reload { context, _ in
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1)
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[\#(Self.own),"generation":9007199254740000}]}"#)
            #expect(
                try socket.answer("{}")["generation"] == json("9007199254740001"))
            #expect(await diary.lines(1) == ["loaded"])
        }

        @Test func `entries with long labels go in smaller parts`() async throws {
            reload { context, _ in
                for number in 1...500 {
                    let label = String(repeating: "\u{1}", count: 128)
                    context.addIdentificationEntry(
                        withNextSequentialPhoneNumber: Int64(number), label: label)
                }
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[]}"#)
            var count = 0
            while count < 500 {
                count += try socket.answer("{}")["entries"]?.elements?.count ?? 500
            }
            #expect(count == 500)
            #expect(await diary.lines(1) == ["loaded"])
        }

        private static let own = #"{"source":"org.example.list","enabled":true,"entries":2"#

        @Test func `to a list of before only changes go, removals first`() async throws {
            reload { context, diary in
                diary.note(context.isIncremental ? "incremental" : "whole")
                context.addBlockingEntry(withNextSequentialPhoneNumber: 17)
                context.addBlockingEntry(withNextSequentialPhoneNumber: 18)
                context.removeBlockingEntry(withPhoneNumber: 14)
                context.removeBlockingEntry(withPhoneNumber: 18)
                context.removeIdentificationEntry(withPhoneNumber: 16)
                context.removeAllIdentificationEntries()
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 15, label: "Bank")
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[\#(Self.own),"generation":3}]}"#)
            let request = try JSON(socket.line() ?? "")
            #expect(request["method"]?.string == "directory.change_entries")
            #expect(
                try request["params"]
                    == json(
                        #"{"remove_all_labels":true,"remove_labels":[16],"remove_blocks":[14,18],"#
                            + #""add":[{"number":17,"blocked":true},{"number":15,"label":"Bank"}]}"#
                    ))
            try socket.send(line: #"{"jsonrpc":"2.0","id":2,"result":{"total":2}}"#)
            #expect(await diary.lines(2) == ["incremental", "loaded"])
        }

        @Test func `a list that was never complete is given as a whole`() async throws {
            reload { context, diary in
                diary.note(context.isIncremental ? "incremental" : "whole")
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1)
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[\#(Self.own),"loading":3}]}"#)
            #expect(try socket.answer("{}")["final"] == .boolean(true))
            #expect(await diary.lines(2) == ["whole", "loaded"])
        }

        @Test func `many changes go one part after the other, until one is refused`() async throws {
            reload { context, _ in
                guard context.isIncremental else { return }
                for number in 1...1_001 {
                    context.removeBlockingEntry(withPhoneNumber: Int64(number))
                }
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[\#(Self.own),"generation":3}]}"#)
            #expect(try socket.answer("{}")["remove_blocks"]?.elements?.count == 500)
            _ = try socket.line()
            try socket.send(
                line: #"{"jsonrpc":"2.0","id":3,"error":{"code":-32014,"message":"no","data":{}}}"#)
            #expect(try socket.line()?.contains("broker.goodbye") == true)
            #expect(await diary.lines(2).first?.hasPrefix("failed") == true)
        }

        @Test func `nothing to change is nothing to send`() async throws {
            reload { context, diary in
                diary.note(context.isIncremental ? "incremental" : "whole")
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[\#(Self.own),"generation":3}]}"#)
            #expect(try socket.line()?.contains("broker.goodbye") == true)
            #expect(await diary.lines(2) == ["incremental", "loaded"])
        }

        @Test func `an empty list clears what was there`() async throws {
            reload { context, _ in context.completeRequest() }
            let socket = try open()
            let request = try JSON(socket.line() ?? "")
            #expect(request["method"]?.string == "directory.clear")
            try socket.send(line: #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            #expect(await diary.lines(1) == ["loaded"])
        }

        @Test(arguments: [([2, 1], 3), ([2, 2], 4), ([0], 3), ([.max], 3)] as [([Int64], Int)])
        func `what is out of order or there twice is not loaded`(
            numbers: [Int64], code: Int
        ) async throws {
            reload { context, diary in
                for number in numbers {
                    context.addBlockingEntry(withNextSequentialPhoneNumber: number)
                }
                context.completeRequest { diary.note("expired \($0)") }
            }
            let socket = try open()
            let lines = await diary.lines(3).sorted()
            #expect(lines == ["error \(code)", "expired false", "failed \(code)"])
            #expect(try socket.line()?.contains("broker.goodbye") == true)
        }

        @Test func `there is nothing to remove from a list that is given as a whole`()
            async throws
        {
            reload { context, diary in
                context.removeAllIdentificationEntries()
                context.completeRequest()
            }
            let socket = try open()
            #expect(await diary.lines(2) == ["failed 8", "error 8"])
            withExtendedLifetime(socket) {}
        }

        @Test func `what the broker refuses is told with CallKit's number`() async throws {
            reload { context, diary in
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1)
                context.completeRequest()
            }
            let socket = try open()
            try socket.answer(#"{"sources":[]}"#)
            _ = try socket.line()
            try socket.send(
                line: #"{"jsonrpc":"2.0","id":2,"error":{"code":-32007,"message":"full","data":{"#
                    + #""reason":"max_entries","callkit":{"#
                    + #""domain":"com.apple.CallKit.error.calldirectorymanager","code":5,"#
                    + #""name":"maximumEntriesExceeded"}}}}"#)
            #expect(await diary.lines(2) == ["failed 5", "error 5"])
        }

        @Test func `a broker that goes away in the middle interrupts the load`() async throws {
            reload { context, diary in
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1)
                context.completeRequest()
            }
            var socket: LineSocket? = try open()
            _ = try socket?.line()
            socket = nil
            #expect(await diary.lines(2) == ["failed 2", "error 2"])
        }

        @Test func `an extension that gives up, or lets go, has loaded nothing`() async throws {
            reload { context, _ in
                context.cancelRequest(withError: CocoaError(.fileNoSuchFile))
            }
            let first = try open()
            #expect(await diary.lines(2) == ["failed 2", "error 2"])
            reload { _, _ in }
            let second = try open()
            #expect(await diary.lines(3).last == "error 2")
            withExtendedLifetime((first, second)) {}
        }

        @Test func `one load at a time, of extensions that are known`() async throws {
            let gate = Gate()
            reload { context, diary in
                gate.wait(seconds: 600)
                context.completeRequest()
            }
            let socket = try open()
            await #expect {
                try await manager.reloadExtension(withIdentifier: Self.identifier)
            } throws: {
                ($0 as NSError).code == 7
            }
            gate.open()
            try socket.answer("{}")
            #expect(await diary.lines(1) == ["loaded"])
            await #expect {
                try await manager.reloadExtension(withIdentifier: "org.example.other")
            } throws: {
                ($0 as NSError).code == 1
            }
        }

        @Test func `a broker that does not let an extension in has disabled it`() async throws {
            ProviderRegistry.shared.options = try #require(Shared.host).options
            manager.registerExtension(withIdentifier: Self.identifier) { CXCallDirectoryProvider() }
            let status = try await manager.enabledStatusForExtension(
                withIdentifier: Self.identifier)
            #expect(status == .disabled)
            await #expect {
                try await manager.reloadExtension(withIdentifier: Self.identifier)
            } throws: {
                ($0 as NSError).code == 6
            }
        }

        @Test func `an extension that is let in is enabled`() async throws {
            manager.registerExtension(withIdentifier: Self.identifier) { CXCallDirectoryProvider() }
            let diary = diary
            manager.getEnabledStatusForExtension(withIdentifier: Self.identifier) { status, error in
                diary.note(error == nil ? "\(status)" : "refused")
            }
            let socket = try open()
            #expect(await diary.lines(1) == ["enabled"])
            withExtendedLifetime(socket) {}
        }

        @Test func `what an extension has loaded blocks calls, and says who calls`() async throws {
            let plugins = try TemporaryFolder()
            try plugins.write(
                #"{"manifest":1,"identity":"\#(Self.identifier)","roles":["directory"]}"#,
                to: "\(Self.identifier).plugin.json")
            let host = try Host(plugins: plugins)
            ProviderRegistry.shared.options = host.options
            reload { context, _ in
                context.addBlockingEntry(withNextSequentialPhoneNumber: 15_550_101)
                context.addIdentificationEntry(
                    withNextSequentialPhoneNumber: 15_550_102, label: "Shop")
                context.completeRequest()
            }
            #expect(await diary.lines(1) == ["loaded"])
            let app = App()
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550101")
            await #expect {
                try await app.rings(update)
            } throws: {
                code($0) == CXErrorCodeIncomingCallError.filteredByBlockList.rawValue
            }
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550102")
            let call = try await app.rings(update)
            let user = try await CallController(host.options)
            #expect(
                try await user.call(CallID(call)).caller
                    == Caller(label: "Shop", source: Self.identifier))
            let status = try await manager.enabledStatusForExtension(
                withIdentifier: Self.identifier)
            #expect(status == .enabled)
        }

        @Test func `what an extension changes later lets one ring, and blocks another`()
            async throws
        {
            let plugins = try TemporaryFolder()
            try plugins.write(
                #"{"manifest":1,"identity":"\#(Self.identifier)","roles":["directory"]}"#,
                to: "\(Self.identifier).plugin.json")
            let host = try Host(plugins: plugins)
            ProviderRegistry.shared.options = host.options
            for time in 1...2 {
                reload { context, diary in
                    if context.isIncremental {
                        context.removeBlockingEntry(withPhoneNumber: 15_550_101)
                        context.removeAllIdentificationEntries()
                        context.addBlockingEntry(withNextSequentialPhoneNumber: 15_550_102)
                    } else {
                        context.addBlockingEntry(withNextSequentialPhoneNumber: 15_550_101)
                        context.addIdentificationEntry(
                            withNextSequentialPhoneNumber: 15_550_101, label: "Shop")
                    }
                    context.completeRequest()
                }
                #expect(await diary.lines(time).last == "loaded")
            }
            let app = App()
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550102")
            await #expect {
                try await app.rings(update)
            } throws: {
                code($0) == CXErrorCodeIncomingCallError.filteredByBlockList.rawValue
            }
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550101")
            let call = try await app.rings(update)
            let user = try await CallController(host.options)
            #expect(try await user.call(CallID(call)).caller == nil)
        }

        @Test func `there are no settings to open`() async {
            await #expect(throws: CXErrorCodeCallDirectoryManagerError.self) {
                try await manager.openSettings()
            }
        }
    }
}
