import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooDetectorTests {
  private func path(_ name: String) -> String { SharedFiles.folder.path + "/zoo/" + name }

  @Test(arguments: ZooDetections.all)
  func findsWhatTheOfficialRuntimeFinds(expected: ZooDetections) throws {
    var options = ObjectDetector.Options(scoreThreshold: expected.threshold)
    options.anchors = try expected.anchors.map {
      try AnchorSource(contentsOf: path("models/labels/\($0)"))
    }
    let detector = try ObjectDetector(
      path: path("\(expected.folder)/\(expected.model).tflite"), options: options)
    let picture = try Image(contentsOf: path("images/photos/\(expected.picture)"))
    let found = try detector.detect(in: picture)
    #expect(found.count == expected.count)
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    for (detection, numbers) in zip(found, expected.best) {
      let box = detection.box.scaled(x: 1 / width, y: 1 / height)
      let difference = zip([box.left, box.top, box.right, box.bottom], numbers).map { abs($0 - $1) }
      #expect(difference.allSatisfy { $0 < 1e-4 }, "\(box)")
      #expect(detection.categories[0].index == Int(numbers[4]))
      #expect(abs(Double(detection.score) - numbers[5]) < 1e-4)
    }
  }

  /// With values up to 255, these networks answer with a thousand certain objects.
  ///
  /// They are refused with the range that works, which is that of the first one's metadata.
  @Test func floodsAreAnsweredWithAnotherRange() throws {
    let model = path("more/yolov5n_stopwar_fp16.tflite")
    let picture = try Image(contentsOf: path("images/photos/pets.jpg"))
    #expect(try ObjectDetector(path: model).input.tensor.normalization == .unit)
    for name in ["yolov5n_stopwar_fp16", "yolov9t_v9", "yolov5n_fp16_320"] {
      let bytes = try ObjectDetector(
        path: path("more/\(name).tflite"),
        options: .init(input: .init(normalization: PictureTensor.Normalization.none)))
      let error = #expect(throws: VisionError.self) { try bytes.detect(in: picture) }
      let text = error?.description ?? ""
      #expect(text.contains("flood") && text.contains("(--values 0..1)"), "\(name): \(text)")
    }
  }

  /// A network whose scores are percentages, and whose input is calibrated for values up to 1.44.
  ///
  /// The digits are those that LiteRT's reference kernels and a Python script read.
  @Test func digitsOfAMeter() throws {
    let detector = try ObjectDetector(path: path("more/yolov5_tiny_meter_int8.tflite"))
    let found = try detector.detect(in: Self.meter("53958"))
    let digits = found.sorted { $0.box.left < $1.box.left }
    #expect(digits.map { $0.categories[0].index } == [5, 3, 9, 5, 8])
    let scores: [Float] = [0.762, 0.810, 0.762, 0.660, 0.643]
    #expect(zip(digits, scores).allSatisfy { abs($0.score - $1) < 0.001 }, "\(digits)")
    let first = try #require(digits.first).box
    #expect(abs(first.left - 19.1) < 0.1 && abs(first.bottom - 111.3) < 0.1, "\(first)")
  }

  /// Draws a display with seven segments for each digit.
  private static func meter(_ digits: String) -> Image {
    let segments: [Character: String] = ["3": "abgcd", "5": "afgcd", "8": "abcdefg", "9": "abcdfg"]
    let places: [Character: (x: Range<Int>, y: Range<Int>)] = [
      "a": (4..<12, 0..<4), "g": (4..<12, 14..<18), "d": (4..<12, 28..<32), "f": (0..<4, 4..<16),
      "b": (12..<16, 4..<16), "e": (0..<4, 16..<28), "c": (12..<16, 16..<28),
    ]
    var image = Image(uninitialized: .rgb8, size: PixelSize(width: 192, height: 192))
    image.withUnsafeMutableBytes { bytes in
      func fill(_ x: Range<Int>, _ y: Range<Int>, _ color: [UInt8]) {
        for row in y {
          for column in x {
            for channel in 0..<3 { bytes[(row * 192 + column) * 3 + channel] = color[channel] }
          }
        }
      }
      fill(0..<192, 0..<192, [90, 90, 95])
      fill(10..<182, 64..<128, [150, 165, 140])
      for (index, digit) in digits.enumerated() {
        for place in (segments[digit] ?? "").compactMap({ places[$0] }) {
          let x = 24 + 26 * index
          fill(
            place.x.lowerBound + x..<place.x.upperBound + x,
            place.y.lowerBound + 80..<place.y.upperBound + 80, [30, 35, 30])
        }
      }
    }
    return image
  }

  /// Boxes and classes do not depend on the EXIF orientation in which a file stores the picture.
  @Test(arguments: ["Landscape", "hopper_orientation"])
  func exifVariantsGiveTheSameObjects(name: String) throws {
    let detector = try ObjectDetector(
      path: path("models/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
      options: .init(scoreThreshold: 0.3))
    let results = try (1...8).compactMap { value -> [Detection]? in
      let file = path("images/exif/\(name)_\(value).jpg")
      guard let picture = try? Image(contentsOf: file) else { return nil }
      #expect(picture.orientation.rawValue == value)
      return try detector.detect(in: picture)
    }
    #expect(results.count >= 7)
    let first = try #require(results.first)
    #expect(!first.isEmpty)
    for result in results { try expectSameObjects(result, first) }
  }

  /// Compares with a tolerance, because the variants were compressed after their rotation.
  private func expectSameObjects(_ found: [Detection], _ expected: [Detection]) throws {
    let sure = expected.filter { $0.score > 0.4 }
    for object in sure {
      let match = found.max {
        $0.box.intersectionOverUnion(object.box) < $1.box.intersectionOverUnion(object.box)
      }
      let same = try #require(match)
      #expect(same.box.intersectionOverUnion(object.box) > 0.9)
      #expect(same.categories[0].index == object.categories[0].index)
      #expect(abs(same.score - object.score) < 0.08)
    }
  }

  /// Pixels rotated in memory, without compression, give bit-identical results.
  @Test func turnedPixelsGiveTheSameBits() throws {
    let detector = try ObjectDetector(
      path: path("models/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"))
    let picture = try Image(contentsOf: path("images/photos/cats_and_dogs.jpg"))
    let expected = try detector.detect(in: picture)
    for orientation in Orientation.allCases {
      // The stored pixels are upright again after `orientation` is applied.
      var turned = picture
      turned.orientation = orientation.inverse
      var stored = turned.upright()
      stored.orientation = orientation
      #expect(try detector.detect(in: stored) == expected, "\(orientation)")
    }
  }

  @Test func labelsOfAutoMLExports() throws {
    let labeler = try ImageLabeler(path: path("models/mlkit_automl"))
    #expect(labeler.labels.names == ["daisy", "dandelion", "roses", "sunflowers", "tulips"])
    #expect(labeler.explanation.warnings.isEmpty)
    let salad = try ObjectDetector(path: path("models/salad1_automl.tflite"))
    #expect(salad.labels.offset == 1)
    #expect(salad.explanation.warnings.isEmpty)
  }
}
