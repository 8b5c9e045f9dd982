internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker video`.
struct Video: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "video",
        abstract: "Add video to a call, change it, or take it away; accept or decline a request.",
        discussion: """
            The other side of a call may ask for video: "callbroker call" has the request, and no \
            camera is sent before it is accepted.
            """)

    enum Decision: String, CaseIterable, ExpressibleByArgument {
        case accept, decline, off, send, receive, both
    }

    @Argument(help: "What to do: accept or decline the request, or the direction of the video.")
    var decision: Decision
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneForVideo, several: Messages.callSeveralForVideo,
            verbs: ["set_video"])
        let call = try CallChooser(session).choose(call, candidates)
        let video = try direction(for: call, session)
        return ActionRequest(.setVideo) { writer in
            writer.member("call", call)
            writer.member("video", video)
        }
    }

    /// Returns the direction that the decision means for a call.
    private func direction(for call: String, _ session: Session) throws -> String {
        guard decision == .accept || decision == .decline else { return decision.rawValue }
        let reply = try session.request(.getCall) { $0.member("call", call) }
        guard let asked = reply.result["video_request"]?.string else {
            throw ToolFailure(.errorReply, Messages.callNoVideoRequest)
        }
        let present = reply.result["video"]?.string
        return decision == .accept ? asked : present ?? VideoDirection.off.rawValue
    }
}
