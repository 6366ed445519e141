import OcellusImaging
import OcellusVision
import Testing

/// The names in annotated pictures.
@Suite struct LabelPlacesTests {
  private let size = PixelSize(width: 320, height: 240)

  /// Returns how many pixels of a grey picture with these objects have the colour of each class.
  private func pixels(_ detections: [Detection], of categories: Range<Int>) throws -> [Int] {
    let grey = [UInt8](repeating: 90, count: 3 * size.width * size.height)
    let drawn = try Image(.rgb8, size: size, bytes: grey).annotated(with: detections)
    let plane = drawn.planes[0]
    return drawn.withUnsafeBytes { bytes in
      categories.map { category in
        let color = Color.distinct(category)
        return (0..<size.width * size.height).count { pixel in
          let start =
            plane.byteOffset + pixel / size.width * plane.rowStride + pixel % size.width * 3
          return bytes[start] == color.red && bytes[start + 1] == color.green
            && bytes[start + 2] == color.blue
        }
      }
    }
  }

  private func detection(_ category: Int, _ box: BoundingBox) -> Detection {
    Detection(box: box, categories: [Category(index: category, label: "thing", score: 0.9)])
  }

  /// Names of objects in one and the same place do not cover each other.
  @Test(arguments: [
    BoundingBox(x: 60, y: 80, width: 120, height: 90),
    BoundingBox(x: 0, y: 0, width: 320, height: 240),
    BoundingBox(x: 250, y: 2, width: 70, height: 60),
  ])
  func namesDoNotCoverEachOther(box: BoundingBox) throws {
    let categories = 0..<6
    let text = Canvas.textSize("thing 90%")
    for category in categories {
      // What a name covers if it is alone, apart from the letters.
      let alone = try pixels([detection(category, box)], of: category..<category + 1)[0]
      #expect(alone > text.width * text.height / 3)
    }
    let together = try pixels(categories.map { detection($0, box) }, of: categories)
    for count in together { #expect(count > text.width * text.height / 2, "\(together)") }
  }
}
