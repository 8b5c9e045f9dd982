import Foundation

@objc(FLEventSink) public protocol FLEventSink: NSObjectProtocol {
    @objc func success(_ event: Any)
}

@objc(FLEventChannel)
public final class FLEventChannel: NSObject {
    private weak var sink: FLEventSink?
    private var waiting: [[String: Any]] = []

    @objc(onListenWithArguments:eventSink:)
    public func onListen(withArguments arguments: Any?, eventSink: FLEventSink) -> Bool {
        sink = eventSink
        waiting.forEach { eventSink.success($0) }
        waiting.removeAll()
        return true
    }

    @objc public func onCancel(withArguments arguments: Any?) {
        sink = nil
    }

    public func send(_ event: String, _ body: Any) {
        let data = ["event": event, "body": body]
        if let sink { sink.success(data) } else { waiting.append(data) }
    }
}
