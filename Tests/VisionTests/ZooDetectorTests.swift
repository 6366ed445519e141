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
