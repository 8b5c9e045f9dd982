import Foundation

@objc public class FLCallData: NSObject, @unchecked Sendable {
    @objc public var uuid: UUID
    @objc public var nameCaller: String
    @objc public var appName: String
    @objc public var handle: String
    @objc public var type: Int
    @objc public var extra: NSDictionary
    @objc public var iconName = "CallKitLogo"
    @objc public var audioSessionMode = "videoChat"

    @objc public init(id: String, nameCaller: String, handle: String, type: Int) {
        uuid = UUID(uuidString: id) ?? UUID()
        self.nameCaller = nameCaller
        appName = "Callkit"
        self.handle = handle
        self.type = type
        extra = [:]
    }

    @objc public convenience init?(args: [String: Any]) {
        guard let id = args["id"] as? String else { return nil }
        self.init(
            id: id, nameCaller: args["nameCaller"] as? String ?? "",
            handle: args["handle"] as? String ?? "", type: args["type"] as? Int ?? 0)
        if let ios = args["ios"] as? [String: Any] {
            iconName = ios["iconName"] as? String ?? iconName
        }
    }

    open func toJSON() -> [String: Any?] {
        ["id": uuid.uuidString, "nameCaller": nameCaller, "handle": handle, "type": type]
    }

    /// The name and the handle in one text, as the plugin keeps them in Recents.
    public func getEncryptHandle() -> String {
        let map: [String: String] = ["nameCaller": nameCaller, "handle": handle]
        guard let data = try? JSONSerialization.data(withJSONObject: map) else { return handle }
        return data.base64EncodedString()
    }
}
