import OcellusImaging
import OcellusVision
import Testing

/// Small objects in a large picture: the detector finds nothing smaller than a fifth of its input,
/// but finds them in tiles.
@Suite struct TilingTests {
  /// Returns a large grey picture with a sample of 256 × 256 pixels and four objects at some
  /// positions.
  private static func picture(at places: [(x: Int, y: Int)], size: PixelSize) throws -> Image {
    let detector = try EmbeddedModel.detector.path
    let folder = detector.split(separator: "/").dropLast().joined(separator: "/")
    let sample = try Image(contentsOf: "/\(folder)/samples/tower.png")
    var image = try Image(
      .rgb8, size: size, bytes: Array(repeating: 128, count: size.width * size.height * 3))
    let (from, to) = (sample.planes[0], image.planes[0])
    try #require(sample.format == .rgb8)
    sample.withUnsafeBytes { source in
      image.withUnsafeMutableBytes { target in
        for (x, y) in places {
          for row in 0..<256 {
            let first = from.byteOffset + row * from.rowStride
            UnsafeMutableRawBufferPointer(
              rebasing: target[(to.byteOffset + (y + row) * to.rowStride + 3 * x)...]
            ).copyMemory(from: .init(rebasing: source[first..<first + 3 * 256]))
          }
        }
      }
    }
    return image
  }

  private func detector(_ tiling: Tiling?) throws -> ObjectDetector {
    try ObjectDetector(
      path: EmbeddedModel.detector.path, options: .init(scoreThreshold: 0.4, tiling: tiling))
  }

  @Test func partsShowWhatIsSmall() throws {
    let places = [(x: 40, y: 30), (x: 700, y: 90), (x: 380, y: 600), (x: 1000, y: 690)]
    let image = try Self.picture(at: places, size: PixelSize(width: 1280, height: 960))
    let plain = try detector(nil).detect(in: image)
    let tiled = try detector(Tiling(side: 256, overlap: 0.5)).detect(in: image)
    let alone = try detector(nil).detect(
      in: image, region: BoundingBox(x: 40, y: 30, width: 256, height: 256))
    #expect(alone.count == 4)
    #expect(plain.count < 8)
    // Every object of every sample is found once, and no fragment of it.
    for place in places {
      for thing in alone {
        let there = thing.box.offset(x: Double(place.x - 40), y: Double(place.y - 30))
        #expect(tiled.count { $0.box.intersectionOverUnion(there) > 0.5 } == 1)
        let inside = tiled.filter { found in
          found.categories[0].index == thing.categories[0].index
            && found.box.intersection(there).area > 0.9 * found.box.area
        }
        #expect(inside.count <= 1)
      }
    }
  }
}
