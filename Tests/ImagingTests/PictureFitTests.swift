import OcellusImaging
import Testing

@Suite struct PictureFitTests {
  private let wide = PixelSize(width: 640, height: 480)

  @Test func stretchFillsTheRectangle() throws {
    let mapping = try PictureFit.stretch.mapping(
      of: wide, into: PixelSize(width: 320, height: 320))
    #expect(mapping.destinationRegion == BoundingBox(left: 0, top: 0, right: 320, bottom: 320))
    #expect(
      mapping.destination(of: BoundingBox(left: 64, top: 48, right: 320, bottom: 480))
        == BoundingBox(left: 32, top: 32, right: 160, bottom: 320))
  }

  @Test(
    arguments: [
      (.center, BoundingBox(left: 0, top: 40, right: 320, bottom: 280)),
      (.corner, BoundingBox(left: 0, top: 0, right: 320, bottom: 240)),
    ] as [(PictureFit.Position, BoundingBox)])
  func letterboxKeepsTheShape(position: PictureFit.Position, room: BoundingBox) throws {
    let mapping = try PictureFit.letterbox(position).mapping(
      of: wide, into: PixelSize(width: 320, height: 320))
    #expect(mapping.destinationRegion == room)
    #expect(mapping.sourceRegion == BoundingBox(wide))
    #expect(mapping.horizontalScale == 0.5)
    #expect(mapping.verticalScale == 0.5)
  }

  /// 480 · 33/640 = 24.75 is rounded to 25 rows; of the other 8 rows 4 are above.
  @Test func letterboxHasWholePixels() throws {
    let mapping = try PictureFit.letterbox(.center).mapping(
      of: wide, into: PixelSize(width: 33, height: 33))
    #expect(mapping.destinationRegion == BoundingBox(left: 0, top: 4, right: 33, bottom: 29))
    #expect(mapping.verticalScale == 25.0 / 480)
  }

  @Test func centerCropFillsWithTheMiddle() throws {
    let mapping = try PictureFit.centerCrop.mapping(
      of: wide, into: PixelSize(width: 224, height: 224))
    #expect(mapping.sourceRegion == BoundingBox(left: 80, top: 0, right: 560, bottom: 480))
    #expect(
      mapping.source(of: BoundingBox(left: 0, top: 0, right: 224, bottom: 224))
        == mapping.sourceRegion)
  }

  @Test func regionsMoveToPixelEdges() throws {
    let region = BoundingBox(left: -10.4, top: 5.6, right: 100.4, bottom: 700)
    let mapping = try PictureFit.stretch.mapping(
      of: wide, region: region, into: PixelSize(width: 10, height: 10))
    #expect(mapping.sourceRegion == BoundingBox(left: -10, top: 6, right: 100, bottom: 700))
  }

  @Test func impossibleRegionsAreRefused() {
    let size = PixelSize(width: 8, height: 8)
    for region in [
      BoundingBox(left: 5, top: 0, right: 5, bottom: 9),
      BoundingBox(x: .nan, y: 0, width: 1, height: 1),
      BoundingBox(x: 0, y: 0, width: .infinity, height: 1),
      BoundingBox(x: 1e300, y: 0, width: 9, height: 1),
    ] {
      #expect(throws: ImageError.self) {
        try PictureFit.stretch.mapping(of: wide, region: region, into: size)
      }
    }
  }

  /// A box mapped from stored pixels to the tensor and back is unchanged in every orientation.
  @Test(
    arguments: Orientation.allCases,
    [PictureFit.stretch, .letterbox(.center), .letterbox(.corner), .centerCrop])
  func boxesComeBack(orientation: Orientation, fit: PictureFit) throws {
    let upright = orientation.uprightSize(ofStored: wide)
    let mapping = try fit.mapping(
      of: upright, region: BoundingBox(left: -3, top: 11, right: 391, bottom: 502),
      into: PixelSize(width: 317, height: 221))
    let box = BoundingBox(left: 12.25, top: 30.5, right: 200.125, bottom: 433)
    let there = mapping.destination(of: orientation.upright(box, stored: wide))
    let back = orientation.stored(mapping.source(of: there), stored: wide)
    for edge in [\BoundingBox.left, \.top, \.right, \.bottom] {
      #expect(abs(back[keyPath: edge] - box[keyPath: edge]) <= 1e-9)
    }
    let point = mapping.source(of: mapping.destination(of: PixelPoint(x: 7.5, y: 99.25)))
    #expect(abs(point.x - 7.5) <= 1e-9 && abs(point.y - 99.25) <= 1e-9)
  }
}
