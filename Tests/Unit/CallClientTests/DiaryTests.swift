import Dispatch
import Testing

/// What those who wait for a line get.
struct DiaryTests {
    @Test func `a line that never comes is not waited for for ever`() async {
        let diary = Diary(patience: .seconds(0))
        diary.note("rings")
        var lines: [String] = []
        await withKnownIssue {
            lines = await diary.lines(2)
            lines = await diary.lines(3)
        } matching: { issue in
            issue.comments == [#"no line 2 has come; the diary so far: ["rings"]"#]
        }
        #expect(lines == ["rings"])
    }

    @Test func `the first so many lines are given as soon as there are`() async {
        let diary = Diary()
        async let lines = diary.lines(2)
        for line in ["rings", "answer", "end"] { diary.note(line) }
        #expect(await lines == ["rings", "answer"])
    }
}
