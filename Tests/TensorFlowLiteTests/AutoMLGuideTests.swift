import Foundation
import OcellusTestSupport
import TensorFlowLite
import Testing

/// The code of the AutoML Vision Edge guide for object detection on iOS finds what the official
/// runtime finds, on a detector that AutoML exported.
///
/// An array of bytes replaces the guide's `CGContext`. Two errors of the guide are corrected:
/// pixels are read in row order, and a box has four numbers.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct AutoMLGuideTests {
  private struct FoundObject: Equatable {
    var label: Int
    var confidence: Float
    var top, left, bottom, right: Float
  }

  /// A picture as in the guide's context: alpha, red, green and blue of each pixel.
  private struct Picture {
    var width: Int
    var data: [UInt8]

    init(rgb: Data, width: Int) {
      self.width = width
      data = []
      for pixel in stride(from: 0, to: rgb.count, by: 3) {
        data += [255, rgb[pixel], rgb[pixel + 1], rgb[pixel + 2]]
      }
    }
  }

  private let golden = SharedFiles.folder.appending(path: "zoo/golden/salad1_automl/photo.bin")
  private let model = SharedFiles.folder.appending(path: "zoo/models/salad1_automl.tflite")

  private func detect(in picture: Picture, threshold: Float) throws -> [FoundObject] {
    let interpreter = try Interpreter(modelPath: model.path)
    try interpreter.allocateTensors()

    try picture.data.withUnsafeBytes { imageData in
      var inputData = Data()
      for row in 0..<320 {
        for col in 0..<320 {
          let offset = 4 * (row * picture.width + col)
          // (Ignore offset 0, the unused alpha channel)
          var red = imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
          var green = imageData.load(fromByteOffset: offset + 2, as: UInt8.self)
          var blue = imageData.load(fromByteOffset: offset + 3, as: UInt8.self)

          inputData.append(&red, count: 1)
          inputData.append(&green, count: 1)
          inputData.append(&blue, count: 1)
        }
      }
      try interpreter.copy(inputData, toInputAt: 0)
    }
    try interpreter.invoke()

    var output = try interpreter.output(at: 0)
    let boundingBoxes = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 4 * 40)
    defer { boundingBoxes.deallocate() }
    #expect(output.data.copyBytes(to: boundingBoxes) == 640)

    output = try interpreter.output(at: 1)
    let labels = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    defer { labels.deallocate() }
    #expect(output.data.copyBytes(to: labels) == 160)

    output = try interpreter.output(at: 2)
    let probabilities = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    defer { probabilities.deallocate() }
    #expect(output.data.copyBytes(to: probabilities) == 160)

    return Self.objects(
      boxes: Array(boundingBoxes), labels: Array(labels), scores: Array(probabilities),
      threshold: threshold)
  }

  /// Returns the objects with enough confidence, as the guide's last loop does.
  private static func objects(
    boxes: [Float], labels: [Float], scores: [Float], threshold: Float
  ) -> [FoundObject] {
    var objects: [FoundObject] = []
    for i in 0..<40 where scores[i] > threshold {
      objects.append(
        FoundObject(
          label: Int(labels[i]), confidence: scores[i], top: boxes[4 * i],
          left: boxes[4 * i + 1], bottom: boxes[4 * i + 2], right: boxes[4 * i + 3]))
    }
    return objects
  }

  /// Returns the official runtime's outputs for the picture, which follow the input in the golden
  /// file.
  private func officialObjects(in golden: Data, threshold: Float) throws -> [FoundObject] {
    let numbers = try #require([Float](unsafeData: Data(golden[307_200...])))
    return Self.objects(
      boxes: Array(numbers[0..<160]), labels: Array(numbers[160..<200]),
      scores: Array(numbers[200..<240]), threshold: threshold)
  }

  @Test func guideCodeFindsWhatTheOfficialRuntimeFinds() throws {
    let data = try Data(contentsOf: golden)
    let threshold: Float = 0.1
    let found = try detect(in: Picture(rgb: data[..<307_200], width: 320), threshold: threshold)
    let expected = try officialObjects(in: data, threshold: threshold)
    #expect(!expected.isEmpty)
    try #require(found.count == expected.count)
    for (ours, official) in zip(found, expected) {
      #expect(ours.label == official.label)
      #expect(ours.confidence == official.confidence)
      for edge in [\FoundObject.top, \.left, \.bottom, \.right] {
        #expect(abs(ours[keyPath: edge] - official[keyPath: edge]) < 1e-5)
      }
    }
  }
}
