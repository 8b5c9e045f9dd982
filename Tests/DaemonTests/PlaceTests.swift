import Testing

struct PlaceTests {
    @Test func `placeholder until the suite lands`() {}
}
