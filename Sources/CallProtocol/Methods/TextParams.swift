package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request about the real-time text of a call.
package enum TextRequest {
    case send(CallTextParams)
}

/// The params of `call.report_text_request`.
package struct ReportTextRequestParams: MethodParams {
    package let report: ReportParams
    /// Sets or withdraws the request.
    package let update: CallUpdate

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        var update = CallUpdate()
        update.textRequest = .set(try params.required("requested") { $0?.boolean })
        self.update = update
    }
}

/// The params of `call.report_text` and `call.send_text`.
package struct CallTextParams: MethodParams {
    package let call: CallID
    package let characters: String

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        characters = try params.required("text") { $0?.string }
    }
}
