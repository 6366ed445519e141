import Firebase
import Foundation
import OcellusTestSupport
import Testing

/// Detection and labeling of photographs with a localizer and a real AutoML export.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooPictureTests {
  private let zoo = SharedFiles.folder.appending(path: "zoo").path

  private func image(_ name: String) throws -> VisionImage {
    VisionImage(image: try Image(contentsOf: zoo + "/images/photos/\(name).jpg"))
  }

  /// Confidences equal the official runtime's in Python, with Pillow's bilinear resizing.
  @Test(arguments: [
    ("cats_and_dogs", Float(0.887)), ("meal_one", 0.949), ("multi_objects", 0.965),
  ])
  func exportsOfAutoML(photo: String, confidence: Float) async throws {
    let image = try image(photo)
    let options = VisionOnDeviceAutoMLImageLabelerOptions(
      localModel: AutoMLLocalModel(manifestPath: zoo + "/models/mlkit_automl/manifest.json"))
    let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    let labels = await withCheckedContinuation { continuation in
      labeler.process(image) { labels, _ in continuation.resume(returning: labels ?? []) }
    }
    #expect(labels.map(\.text) == ["roses"])
    #expect(abs((labels.first?.confidence?.floatValue ?? 0) - confidence) < 0.05)
  }

  /// A localizer without categories finds objects without categories.
  @Test func objectsWithoutCategories() throws {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    let model = CustomLocalModel(modelPath: zoo + "/models/mobile_object_localizer_192.tflite")
    let detector = Vision.vision().objectDetector(options: options, detectorModel: model)
    let objects = try detector.results(in: image("parrot"))
    #expect(objects.count == 1)
    #expect(objects[0].frame.contains(CGRect(x: 120, y: 150, width: 300, height: 600)))
    #expect(objects[0].classificationCategory == .unknown)
    #expect(objects[0].confidence == nil)
  }
}
