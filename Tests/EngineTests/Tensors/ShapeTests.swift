import OcellusEngine
import Testing

@Suite struct ShapeTests {
  @Test func extentsMayBeLargeButNotTheirProduct() {
    #expect(Shape([1 << 20, 1 << 20]).isReasonable)
    #expect(!Shape([1 << 20, (1 << 20) + 1]).isReasonable)
  }

  @Test func productsThatOverflowAreFoundOut() {
    let largest = Int(Int32.max)
    #expect(!Shape([1 << 20, 1 << 20, largest]).isReasonable)
    #expect(!Shape([largest, largest, largest]).isReasonable)
    #expect(!Shape([0, largest, largest]).isReasonable)
  }
}
