import Foundation
import MLKit
import OcellusTestSupport
import Testing

/// Detection with a custom classifier on photographs: the base model finds objects as ML Kit's
/// localizer does, and a MobileNet names them.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooObjectTests {
  /// The official runtime's results in Python with Pillow's bilinear resizing: the best box, and
  /// the classifier's result for the region in it.
  private static let expected: [(photo: String, frame: CGRect, text: String, confidence: Float)] = [
    ("parrot", CGRect(x: 71.4, y: 89.9, width: 392.4, height: 743.4), "macaw", 0.992),
    ("fox", CGRect(x: 83.9, y: 62.8, width: 413.1, height: 400.9), "red fox", 0.895),
    ("burger", CGRect(x: 21.5, y: 34, width: 367.9, height: 277.4), "cheeseburger", 0.984),
  ]

  private let zoo = SharedFiles.folder.appending(path: "zoo").path

  private func picture(_ name: String) throws -> Image {
    try Image(contentsOf: zoo + "/images/photos/\(name).jpg")
  }

  private func detector(
    _ mode: ObjectDetectorMode, configure: (CustomObjectDetectorOptions) -> Void = { _ in }
  ) -> ObjectDetector {
    let classifier = LocalModel(path: zoo + "/models/mobilenet_v1_0.25_224_quant.tflite")
    let options = CustomObjectDetectorOptions(localModel: classifier)
    options.detectorMode = mode
    options.shouldEnableClassification = true
    configure(options)
    return ObjectDetector.objectDetector(
      options: options,
      detectorModel: LocalModel(path: zoo + "/models/mobile_object_localizer_192.tflite"))
  }

  private func expectSame(
    _ object: Object, _ expected: (photo: String, frame: CGRect, text: String, confidence: Float)
  ) throws {
    let common = object.frame.intersection(expected.frame)
    let together = object.frame.union(expected.frame)
    #expect(common.width * common.height / (together.width * together.height) > 0.9)
    let label = try #require(object.labels.first)
    #expect(label.text == expected.text)
    #expect(abs(label.confidence - expected.confidence) < 0.05)
  }

  @Test func theMostProminentObject() throws {
    let detector = detector(.singleImage)
    for expected in Self.expected {
      let objects = try detector.results(in: VisionImage(image: picture(expected.photo)))
      #expect(objects.count == 1)
      #expect(objects[0].trackingID == nil)
      #expect(objects[0].labels.count == 10)
      try expectSame(objects[0], expected)
    }
  }

  @Test func fiveObjectsAtMost() throws {
    let detector = detector(.singleImage) {
      $0.shouldEnableMultipleObjects = true
      $0.classificationConfidenceThreshold = 0.5
      $0.maxPerObjectLabelCount = 3
    }
    let objects = try detector.results(in: VisionImage(image: picture("multi_objects")))
    #expect(objects.count == 5)
    #expect(objects.contains { $0.labels.first?.text == "soccer ball" })
    #expect(objects.allSatisfy { $0.labels.allSatisfy { $0.confidence >= 0.5 } })
  }

  @Test func streams() throws {
    let detector = detector(.stream)
    let picture = try picture("fox")
    var objects: [Object] = []
    var identities: Set<NSNumber> = []
    for frame in 0..<4 {
      let buffer = SampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
      objects = try detector.results(in: VisionImage(buffer: buffer))
      identities.formUnion(objects.compactMap(\.trackingID))
    }
    #expect(identities == [1])
    try expectSame(try #require(objects.first), Self.expected[1])
  }

  /// A float network without normalization metadata is rejected as a custom model, as in the
  /// original.
  @Test func modelsThatDoNotSayWhatTheyTakeAreErrors() throws {
    let model = LocalModel(path: zoo + "/models/mobilenet_v1_0.25_224_1_default_1.tflite")
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))
    let error = #expect(throws: ProcessingError.self) {
      try labeler.results(in: VisionImage(image: picture("fox")))
    }
    #expect(error?.localizedDescription.hasPrefix("Failed to initialize labeler. ") == true)
  }
}
