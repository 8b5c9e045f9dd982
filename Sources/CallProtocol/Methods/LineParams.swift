package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request about the lines of apps.
package enum LineRequest {
    case setSetting(SetLineSettingParams)
}

/// The params of `line.set_setting`.
package struct SetLineSettingParams: MethodParams {
    package let provider: ProviderID
    package let line: String
    package let setting: LineSetting

    package init(checked params: JSONValue?) throws(SchemaFault) {
        provider = try params.required("provider", ProviderID.init)
        line = try params.required("line") { $0?.string }
        var setting = try params.required("setting") { _ in LineSetting(checked: params) }
        setting.isOn = try params.required("on") { $0?.boolean }
        self.setting = setting
        try Self.check(setting)
    }

    /// Checks that the setting has the values that its kind needs, and no others.
    private static func check(_ setting: LineSetting) throws(SchemaFault) {
        let forwards = setting.kind.isForwarding && setting.isOn
        guard !forwards || setting.to != nil else {
            throw SchemaFault(
                reason: .missingMember, message: "is required to forward calls", pointer: "/to")
        }
        guard forwards || setting.to == nil else {
            throw SchemaFault(
                reason: .invalidValue, message: "is for calls that are forwarded", pointer: "/to")
        }
        let waits = forwards && setting.kind == .forwardNoReply
        guard waits || setting.afterMS == nil else {
            throw SchemaFault(
                reason: .invalidValue, message: "is for forward_no_reply that is turned on",
                pointer: "/after_ms")
        }
    }
}
