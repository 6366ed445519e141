import Firebase
import Foundation
import MLImage
import MLKit
import MLKitImageLabelingAutoML
import Ocellus
import TensorFlowLite
import Testing

/// In a file that imports all modules, a name of another system means that system's type, and the
/// types of Ocellus are available beside it.
@Suite struct MixedModulesTests {
  @Test func namesOfOtherSystemsMeanTheirs() throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    let detector: ObjectDetector = ObjectDetector.objectDetector(options: options)
    let picture = try SamplePicture.image("tower.png")
    let found = try detector.results(in: VisionImage(image: picture))

    let own = try Ocellus.ObjectDetector()
    let detections = try own.detect(in: picture)
    #expect(found.count == detections.count)
    let drawn = try picture.annotated(with: detections)
    #expect(drawn.size == picture.size)
    #expect(Interpreter.Options().threadCount == nil)
    #expect(
      try OcellusEngine.Interpreter(OcellusEngine.Model(path: Self.labelerPath)).inputs.count == 1)
  }

  @Test func camerasAreFollowedBesideThem() async throws {
    let recognizer = ObjectRecognizer(try Ocellus.ObjectDetector())
    let live = LiveDetector(recognizer)
    live.submit(try SamplePicture.image("tower.png"), at: .zero)
    await live.finish()
    #expect(live.statistics.processed == 1)
    #expect(Tracker().tracks.isEmpty)
  }

  /// ML Kit and Firebase ML Kit share the types for pictures, managers and models.
  @Test func whatBothHaveIsOneType() throws {
    let image = VisionImage(image: try SamplePicture.image("tower.png"))
    let detector = Vision.vision().objectDetector()
    #expect(try detector.results(in: image).count == 1)
    let labeler = ImageLabeler.imageLabeler(options: ImageLabelerOptions())
    #expect(try labeler.results(in: image).allSatisfy { $0.confidence >= 0.5 })
    let source = FirebaseModelSource(name: "flowers")
    #expect(
      CustomRemoteModel(remoteModelSource: source).name == CustomRemoteModel(name: "flowers").name)
    #expect(try #require(MLImage(image: SamplePicture.image("tower.png"))).width == 256)
  }

  private static let labelerPath = AppResources.models + "/scenes-labeler.tflite"
}
