// What has happened to the calls of a scenario.

extension ScenarioRun {
    /// Returns the pages of `call.timeline`, as JSON, for each call of which the user has heard.
    package func timelines() -> [[String]] {
        guard case .controller(let user) = participants["user"] else { return [] }
        var seen: Set<String> = []
        let calls = user.events.compactMap { $0["call"]?.string }.filter {
            seen.insert($0).inserted
        }
        return calls.map { pages(of: $0, user) }.filter { !$0.isEmpty }
    }

    private func pages(of call: String, _ user: FakeController) -> [String] {
        var (pages, after): ([String], String?) = ([], nil)
        repeat {
            let more = after.map { #","after":"\#($0)""# } ?? ""
            let reply = user.request("call.timeline", #"{"call":"\#(call)"\#(more)}"#)
            guard let page = reply.result else { break }
            pages.append(page.json)
            after = page["next"]?.string
        } while after != nil
        return pages
    }
}
