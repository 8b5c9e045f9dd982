/// A decoded request of a client, by the family that serves it. The router switches over the
/// families, and each of them over its own requests: one without code does not compile.
package enum ClientRequest {
    case session(SessionRequest)
    case operations(OperationsRequest)
    case provider(ProviderRequest)
    case report(ReportRequest)
    case controller(ControllerRequest)
    case call(CallRequest)
    case events(EventsRequest)
    case policy(PolicyRequest)
    case screen(ScreenRequest)
    case directory(DirectoryRequest)
    case people(PeopleRequest)
    case history(HistoryRequest)
    case plugin(PluginRequest)
    case test(TestRequest)
}

/// A notification of a client, decoded.
package enum ClientNotification {
    case cancel(CancelParams)
    case progress(ProgressParams)
    case log(LogParams)
    case goodbye
}
