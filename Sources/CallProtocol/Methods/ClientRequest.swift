/// A decoded request of a client, by the family that serves it. The router switches over the
/// families, and each of them over its own requests: one without code does not compile.
package enum ClientRequest {
    case session(SessionRequest)
    indirect case operations(OperationsRequest)
    indirect case provider(ProviderRequest)
    indirect case report(ReportRequest)
    indirect case controller(ControllerRequest)
    indirect case audio(AudioRequest)
    indirect case line(LineRequest)
    indirect case push(PushRequest)
    indirect case text(TextRequest)
    indirect case participant(ParticipantRequest)
    indirect case call(CallRequest)
    indirect case events(EventsRequest)
    indirect case policy(PolicyRequest)
    indirect case grant(GrantRequest)
    indirect case screen(ScreenRequest)
    indirect case question(QuestionRequest)
    indirect case directory(DirectoryRequest)
    indirect case people(PeopleRequest)
    indirect case history(HistoryRequest)
    indirect case plugin(PluginRequest)
    indirect case test(TestRequest)
}

/// A notification of a client, decoded.
package enum ClientNotification {
    case cancel(CancelParams)
    case progress(ProgressParams)
    case log(LogParams)
    case goodbye
}
