import CallKit
import PushKit

/// Does what lines of the input say, and prints what comes.
final class LateDelegate: NSObject, PKPushRegistryDelegate, @unchecked Sendable {
    private let registry = PKPushRegistry(queue: .main)
    private var provider: CXProvider?

    override init() {
        super.init()
        registry.desiredPushTypes = [.voIP]
    }

    func obey(_ line: String) {
        switch line {
        case "delegate": registry.delegate = self
        case "provider": provider = CXProvider(configuration: CXProviderConfiguration())
        case "invalidate": provider?.invalidate()
        case "stop": registry.desiredPushTypes = nil
        default: print("what is \(line)?")
        }
        print("done \(line)")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping () -> Void
    ) {
        print("push \(payload.dictionaryPayload["n"] ?? "")")
        completion()
    }
}
