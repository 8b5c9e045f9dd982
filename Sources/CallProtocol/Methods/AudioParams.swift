package import BrokerJSON
package import CallModel

/// A request about the audio endpoints of the host.
package enum AudioRequest {
    case report(ReportEndpointsParams)
    case choose(ChooseEndpointParams)
}

/// The params of `audio.report_endpoints`.
package struct ReportEndpointsParams: MethodParams {
    package let endpoints: [AudioEndpoint]

    package init(checked params: JSONValue?) {
        endpoints = params?["endpoints"].map { [AudioEndpoint](checked: $0) } ?? []
    }
}

/// The params of `audio.set_endpoint`.
package struct ChooseEndpointParams: MethodParams {
    package let endpoint: String

    package init(checked params: JSONValue?) {
        endpoint = params?["endpoint"]?.string ?? ""
    }
}
