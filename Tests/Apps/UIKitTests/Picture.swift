import UIKit

/// What the tests ask of pictures. Swift Testing has an overlay for UIKit, which is not there on
/// Linux: a file may import one of them.
enum Picture {
    static func png(of data: Data) -> Data? {
        UIImage(data: data)?.pngData()
    }

    static func png(at path: String) -> Data? {
        UIImage(contentsOfFile: path)?.pngData()
    }

    static func png(named name: String) -> Data? {
        UIImage(named: name)?.pngData()
    }
}
