internal import CallTranscript

/// Steps that nobody plays.
struct Reading {
    private var staging: Staging
    /// The methods of open requests, by who asked and their ids: replies do not say them.
    private var methods: [Question: String] = [:]
    private(set) var frames: Set<WireForm.Frame> = []

    init(cast: FilterCast) {
        staging = Staging(epoch: "", offsetMS: 0, mortals: [], cast: cast)
    }

    private struct Question: Hashable {
        let client: Client
        let isOurs: Bool
        let id: Int64
    }

    /// Why the steps cannot be played to the end.
    mutating func read(_ steps: [Transcript.Step]) -> Unplayable? {
        var rest = steps[...]
        do {
            while !rest.isEmpty { note(try staging.act(&rest)) }
            return nil
        } catch {
            return error
        }
    }

    private mutating func note(_ act: Act) {
        for case .send(let client, let frame) in act.moves {
            note(frame, client, .toBroker)
        }
        for (client, frames) in act.frames {
            for frame in frames { note(frame, client, .toClient) }
        }
    }

    private mutating func note(
        _ frame: Wire, _ client: Client, _ direction: WireForm.Frame.Direction
    ) {
        let isOurs = direction == .toBroker
        let method = frame["method"]?.string
        let id = frame["id"]?.int
        if let method, let id {
            methods[Question(client: client, isOurs: isOurs, id: id)] = method
            frames.insert(.init(form: .request, direction: direction, name: method))
        } else if method == "event", let topic = frame["params"]?["topic"]?.string {
            frames.insert(.init(form: .event, direction: direction, name: topic))
        } else if let method {
            frames.insert(.init(form: .notification, direction: direction, name: method))
        } else if let id,
            let question = methods[Question(client: client, isOurs: !isOurs, id: id)]
        {
            let form: WireForm.Frame.Form = frame["error"] == nil ? .result : .error
            frames.insert(.init(form: form, direction: direction, name: question))
        }
    }
}
