import Testing

@testable import PushKit

/// The values of PushKit, and which of its methods a delegate has.
struct PKPushValuesTests {
    @Test func `types have Apple's names, and the words of the wire`() {
        #expect(PKPushType.voIP.rawValue == "PKPushTypeVoIP")
        for type in [PKPushType.voIP, .complication, .fileProvider, PKPushType(rawValue: "x_new")] {
            #expect(PKPushType(word: type.word) == type)
        }
        #expect(PKPushType.fileProvider.word == "file_provider")
    }

    @Test func `a payload is read from its JSON`() {
        let json = #"{"aps":{"alert":"Ada","badge":3},"ids":["a","b"]}"#
        let payload = PKPushPayload(type: .voIP, json: Array(json.utf8)).dictionaryPayload
        #expect((payload["aps"] as? [String: Any])?["badge"] as? Int == 3)
        #expect(payload["ids"] as? [String] == ["a", "b"])
        #expect(PKPushPayload(type: .voIP, json: Array("[]".utf8)).dictionaryPayload.isEmpty)
    }

    @Test func `a delegate without a method for pushes completes them`() async {
        final class Empty: NSObject, PKPushRegistryDelegate {}
        await deliver(to: Empty())
    }

    @Test func `the names of Swift 3 are called`() async {
        let delegate = SwiftThree()
        await deliver(to: delegate)
        let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
        delegate.pushRegistry(
            registry, didUpdate: PKPushCredentials(type: .voIP, token: Data([1])), for: .voIP)
        delegate.pushRegistry(registry, didInvalidatePushTokenFor: .voIP)
        #expect(delegate.lines == ["push", "token 1", "invalid"])
    }

    @Test(arguments: [true, false])
    func `the methods of iOS 26.4 are called for pushes that announce calls`(
        isAsync: Bool
    ) async {
        let lines = Lines()
        let delegate: any PKPushRegistryDelegate =
            isAsync ? AsyncTwentySix(lines) : TwentySix(lines)
        let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
        registry.delegate = delegate
        for type in [PKPushType.voIP, .fileProvider] {
            let json = Array(#"{"n":1}"#.utf8)
            await withCheckedContinuation { done in
                registry.deliver(Push(type: type, payload: json, complete: { done.resume() }))
            }
        }
        withExtendedLifetime(delegate) {}
        #expect(lines.all == ["PKPushTypeVoIP 1, must report: true"])
    }

    private func deliver(to delegate: any PKPushRegistryDelegate) async {
        let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
        let payload = PKPushPayload(type: .voIP, json: Array("{}".utf8))
        await withCheckedContinuation { done in
            delegate.pushRegistry(
                registry, didReceiveIncomingPushWith: payload, for: .voIP,
                completion: { done.resume() })
        }
    }
}

/// Only one thread at a time calls it.
private final class SwiftThree: NSObject, PKPushRegistryDelegate, @unchecked Sendable {
    private(set) var lines: [String] = []

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials,
        forType type: PKPushType
    ) {
        lines.append("token \(credentials.token.count)")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        forType type: PKPushType
    ) {
        lines.append("push")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didInvalidatePushTokenForType type: PKPushType
    ) {
        lines.append("invalid")
    }
}

/// Lines from any thread.
private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func add(_ payload: PKPushPayload, _ metadata: PKVoIPPushMetadata) {
        let number = payload.dictionaryPayload["n"] as? Int ?? 0
        let line = "\(payload.type.rawValue) \(number), must report: \(metadata.mustReport)"
        lock.withLock { lines.append(line) }
    }
}

private final class TwentySix: NSObject, PKPushRegistryDelegate {
    private let lines: Lines

    init(_ lines: Lines) {
        self.lines = lines
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        lines.add(payload, metadata)
        completion()
    }
}

private final class AsyncTwentySix: NSObject, PKPushRegistryDelegate {
    private let lines: Lines

    init(_ lines: Lines) {
        self.lines = lines
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        lines.add(payload, metadata)
    }
}
