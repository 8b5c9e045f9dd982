import CallModel
import Testing

struct CallUpdateTests {
    @Test func `a new call supports everything and has no video`() {
        let properties = CallProperties()
        #expect(properties.supportsHolding && properties.supportsGrouping)
        #expect(properties.supportsUngrouping && properties.supportsDTMF)
        #expect(!properties.hasVideo && !properties.isRemoteHeld)
        #expect(properties.priority == .normal && properties.remote == nil)
    }

    @Test func `only what is set counts, and only what differs is reported`() {
        var properties = CallProperties()
        var update = CallUpdate()
        update.displayName = .set("Ada")
        update.supportsHolding = .set(true)
        update.hasVideo = .set(true)
        #expect(properties.apply(update).names == ["display_name", "has_video", "video"])
        #expect(properties.apply(update) == [])
        #expect(properties.apply(CallUpdate()) == [])
        #expect(properties.displayName == "Ada" && properties.hasVideo)
    }

    @Test func `a cleared property goes back to its default`() {
        var properties = CallProperties()
        properties.remote = Handle(kind: .phone, value: "+15550100")
        properties.displayName = "Ada"
        properties.supportsHolding = false
        properties.priority = .emergency
        var update = CallUpdate()
        update.remote = .cleared
        update.displayName = .cleared
        update.supportsHolding = .cleared
        update.priority = .cleared
        #expect(
            properties.apply(update) == [.remote, .displayName, .supportsHolding, .priority])
        #expect(properties == CallProperties())
    }

    @Test func `video that is only claimed has both directions, and a known direction stays`() {
        var properties = CallProperties()
        var update = CallUpdate()
        update.video = .set(.receive)
        #expect(properties.apply(update) == [.hasVideo, .video])
        (update.video, update.hasVideo) = (.unchanged, .set(true))
        #expect(properties.apply(update) == [])
        #expect(properties.video == .receive)
        update.hasVideo = .cleared
        #expect(properties.apply(update) == [.hasVideo, .video])
        #expect(properties.video == .off)
    }

    @Test func `a request for video is over once the video changes`() {
        var properties = CallProperties()
        var (asks, agrees) = (CallUpdate(), CallUpdate())
        asks.videoRequest = .set(.both)
        #expect(properties.apply(asks) == [.videoRequest])
        #expect(!properties.hasVideo)
        agrees.video = .set(.receive)
        #expect(properties.apply(agrees) == [.hasVideo, .video, .videoRequest])
        #expect(properties.videoRequest == nil)
    }

    @Test(arguments: [VideoDirection.off, .send])
    func `what the call has, and no video, are not asked for`(video: VideoDirection) {
        var properties = CallProperties()
        properties.video = .send
        var update = CallUpdate()
        update.videoRequest = .set(video)
        #expect(properties.apply(update) == [])
    }
}
