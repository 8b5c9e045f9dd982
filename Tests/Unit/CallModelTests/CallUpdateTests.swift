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
        #expect(properties.apply(update).names == ["display_name", "has_video"])
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
}
