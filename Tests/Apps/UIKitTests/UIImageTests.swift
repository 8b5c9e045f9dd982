import Foundation
import Testing

struct UIImageTests {
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    @Test func `a picture gives back the file it was made of`() {
        #expect(Picture.png(of: png) == png)
    }

    @Test func `what is no picture is none`() {
        #expect(Picture.png(of: Data([1, 2, 3])) == nil)
        #expect(Picture.png(of: Data()) == nil)
        #expect(Picture.png(named: "no such picture") == nil)
        #expect(Picture.png(at: "/no/such/picture.png") == nil)
    }

    @Test func `a picture is read from its file`() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).png")
        try png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(Picture.png(at: file.path) == png)
    }
}
