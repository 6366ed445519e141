import Foundation
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct ImageSegmenterTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 20, height: 10))

  private func segmenter(
    _ output: SyntheticNetwork.Output, fit: PictureFit? = nil, labels: [String]? = nil,
    number: Int? = nil
  ) throws -> ImageSegmenter {
    let network = SyntheticNetwork(input: [1, 32, 32, 3], type: .uint8, [("map", output)])
    return try ImageSegmenter(
      network.model(),
      options: .init(labels: labels.map { Labels($0) }, output: number, input: .init(fit: fit)))
  }

  /// Classes on a grid of 8 × 8: class 2 in the upper half, class 1 in the lower left quarter.
  private static func expected(_ row: Int, _ column: Int) -> Int {
    row < 4 ? 2 : column < 4 ? 1 : 0
  }

  private static let scores: [Float] = (0..<64).flatMap { cell in
    (0..<3).map { $0 == expected(cell / 8, cell % 8) ? 2 : Float($0) / 2 }
  }

  @Test func theBestClassOfEachCellCounts() throws {
    let found = try segmenter(.softmax([1, 8, 8, 3], Self.scores)).segmentation(of: picture)
    #expect(found.gridSize == PixelSize(width: 8, height: 8))
    #expect(found.categories == (0..<64).map { Self.expected($0 / 8, $0 % 8) })
    #expect(found.size == picture.size)
    #expect(found.pixelCounts == [2: 100, 1: 50, 0: 50])
    #expect(found.category(column: 19, row: 0) == 2)
    #expect(found.category(column: 9, row: 9) == 1)
    #expect(found.category(column: 10, row: 9) == 0)
  }

  @Test func planesAreReadAsTheyLie() throws {
    let planes = (0..<3).flatMap { category in (0..<64).map { Self.scores[3 * $0 + category] } }
    let found = try segmenter(.linear([1, 3, 8, 8], planes)).segmentation(of: picture)
    #expect(found.categories == (0..<64).map { Self.expected($0 / 8, $0 % 8) })
  }

  @Test func somethingIsToldFromNothing() throws {
    let values: [Float] = (0..<64).map { $0 % 8 < 2 ? 3 : -3 }
    for output in [
      SyntheticNetwork.Output.sigmoid([1, 8, 8, 1], values), .linear([1, 8, 8, 1], values),
    ] {
      let segmenter = try segmenter(output, labels: ["person"])
      let found = try segmenter.segmentation(of: picture)
      #expect(found.pixelCounts == [1: 50, 0: 150])
      #expect(segmenter.labels[1] == "person")
      #expect(segmenter.background == 0)
    }
  }

  /// A flattened output without class names is a square map of pixels for the segmenter.
  @Test func aLineOfPixelsIsAMap() throws {
    let values: [Float] = (0..<1024).map { $0 % 32 < 8 ? 3 : -3 }
    let line = SyntheticNetwork.Output.sigmoid([1, 1024], values)
    let found = try segmenter(line).segmentation(of: picture)
    #expect(found.gridSize == PixelSize(width: 32, height: 32))
    #expect(found.pixelCounts == [1: 50, 0: 150])
    let network = SyntheticNetwork(input: [1, 32, 32, 3], type: .uint8, [("map", line)])
    do {
      _ = try ImageLabeler(network.model())
      Issue.record("pixels are no classes")
    } catch {
      #expect("\(error)".contains("segment"), "\(error)")
    }
    let names = Labels((0..<1024).map { "\($0)" })
    #expect(try ImageLabeler(network.model(), options: .init(labels: names)).labels.count == 1024)
  }

  /// The bars of a letterbox belong to no class and are cut off.
  @Test func letterboxesAreUndone() throws {
    let found = try segmenter(.softmax([1, 8, 8, 3], Self.scores), fit: .letterbox(.center))
      .segmentation(of: picture)
    // The picture fills the rows 2 to 5 of the grid.
    #expect(found.pixelCounts == [2: 100, 1: 50, 0: 50])
    let part = try segmenter(.softmax([1, 8, 8, 3], Self.scores)).segmentation(
      of: picture, region: BoundingBox(x: 0, y: 0, width: 10, height: 10))
    #expect(part.category(column: 12, row: 3) == nil)
    #expect(part.pixelCounts == [2: 50, 1: 25, 0: 25])
  }

  @Test func masksAreNumbersOfClasses() throws {
    let found = try segmenter(.softmax([1, 8, 8, 3], Self.scores)).segmentation(of: picture)
    let mask = try found.mask()
    #expect(mask.format == .gray8)
    #expect(mask.size == picture.size)
    mask.withUnsafeBytes { bytes in
      for row in 0..<10 {
        for column in 0..<20 {
          let place = mask.planes[0].byteOffset + row * mask.planes[0].rowStride + column
          #expect(Int(bytes[place]) == found.category(column: column, row: row))
        }
      }
    }
  }

  /// A map of sigmoids without class names gives a warning, because it may hold heat maps of
  /// joints.
  @Test func whatNothingSaysIsWarnedOf() throws {
    let values = [Float](repeating: 0, count: 8 * 8 * 17)
    let maps = SyntheticNetwork.Output.sigmoid([1, 8, 8, 17], values)
    #expect(try segmenter(maps).explanation.warnings.count == 1)
    #expect(try segmenter(maps, number: 0).explanation.warnings.isEmpty)
    let names = (0..<17).map { "class \($0)" }
    #expect(try segmenter(maps, labels: names).explanation.warnings.isEmpty)
    #expect(try segmenter(.softmax([1, 8, 8, 17], values)).explanation.warnings.isEmpty)
  }

  @Test func picturesAreNoMaps() throws {
    let colours = SyntheticNetwork.Output.constant(
      [1, 32, 32, 3], [Float](repeating: 0, count: 32 * 32 * 3))
    let larger = SyntheticNetwork.Output.linear(
      [1, 64, 64, 3], [Float](repeating: 0, count: 64 * 64 * 3))
    let colourless = SyntheticNetwork.Output.sigmoid(
      [1, 64, 64, 1], [Float](repeating: 0, count: 64 * 64))
    #expect(try !segmenter(colourless).explanation.warnings.isEmpty)
    for output in [colours, larger] {
      let error = #expect(throws: VisionError.self) { try segmenter(output) }
      #expect(error?.description.contains("`run`") == true)
      #expect(try segmenter(output, number: 0).explanation.warnings.isEmpty)
    }
    #expect(try segmenter(colours, labels: ["pet", "edge", "rest"]).labels[2] == "rest")
  }

  @Test func whatIsNoMapIsRefused() throws {
    for output in [
      SyntheticNetwork.Output.softmax([1, 10], [Float](repeating: 0, count: 10)),
      .linear([1, 17, 3], [Float](repeating: 0, count: 51)),
    ] {
      #expect(throws: VisionError.self) { try segmenter(output) }
    }
    let nothing = try segmenter(.linear([1, 8, 8, 2], [Float](repeating: .nan, count: 128)))
    #expect(!nothing.explanation.warnings.isEmpty)
    #expect(throws: VisionError.self) { try nothing.segmentation(of: picture) }
  }
}

/// Class counts equal NumPy's argmax of the official runtime's outputs, on pictures that Pillow
/// resized.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooSegmenterTests {
  private struct Case: CustomTestStringConvertible {
    let model: String
    let photo: String
    let cells: [Int: Int]
    let share: Double

    var testDescription: String { "\(model), \(photo)" }
  }

  private static let cases = [
    // Pictures of the model's own size are not resized, and so must agree in every pixel.
    Case(
      model: "deeplabv3", photo: "segmentation_input_rotation0",
      cells: [0: 25044, 13: 18884, 15: 22121], share: 0),
    Case(model: "deeplabv3", photo: "cats_and_dogs", cells: [0: 50172, 13: 15877], share: 1e-3),
    Case(model: "selfie_segmenter", photo: "face", cells: [0: 27582, 1: 37954], share: 1e-3),
    Case(
      model: "deeplabv3_mnv2_pascal_quant", photo: "segmentation_input_rotation0",
      cells: [0: 98240, 13: 86095, 15: 78834], share: 1e-3),
  ]

  @Test(arguments: cases)
  private func classesAreThoseOfTheOfficialRuntime(_ test: Case) throws {
    let zoo = SharedFiles.folder.path + "/zoo"
    let segmenter = try ImageSegmenter(path: "\(zoo)/models/\(test.model).tflite")
    let found = try segmenter.segmentation(
      of: Image(contentsOf: "\(zoo)/images/photos/\(test.photo).jpg"))
    let cells = Dictionary(grouping: found.categories) { $0 }.mapValues(\.count)
    #expect(Set(cells.keys) == Set(test.cells.keys))
    for (category, count) in test.cells {
      let difference = abs((cells[category] ?? 0) - count)
      #expect(Double(difference) <= test.share * Double(found.categories.count))
    }
  }

  @Test func labelsArePackedWithTheModel() throws {
    let segmenter = try ImageSegmenter(
      path: SharedFiles.folder.path + "/zoo/models/deeplabv3.tflite")
    #expect(segmenter.labels[13] == "horse")
    #expect(segmenter.background == 0)
  }
}
