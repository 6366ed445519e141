import OcellusImaging
import OcellusVision
import Testing

@Suite struct DetectionTests {
  @Test func scoreIsThatOfTheFirstCategory() {
    let detection = Detection(
      box: BoundingBox(x: 1, y: 2, width: 3, height: 4),
      categories: [Category(index: 7, label: "cat", score: 0.75)])
    #expect(detection.score == 0.75)
    #expect(detection.trackingID == nil)
  }
}
