import Foundation
import MLKit
import OcellusTestSupport
import Testing

/// The base models, in processes of their own because the environment names them.
@Suite struct DefaultModelTests {
  private static let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  /// `ObjectDetectorOptions()` uses the default detector: two objects, each a quarter of a picture.
  private static func detectWithTheDefault() throws {
    let models = try SyntheticModelFiles()
    defer { withExtendedLifetime(models) {} }
    setenv("OCELLUS_DETECTOR", models.detector, 1)
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    let found = try ObjectDetector.objectDetector(options: options)
      .results(in: VisionImage(image: picture))
    #expect(found.count == 2)
    #expect(found.first?.frame == CGRect(x: 0, y: 0, width: 20, height: 10))
  }

  private static func labelWithTheDefault() throws {
    let models = try SyntheticModelFiles()
    defer { withExtendedLifetime(models) {} }
    setenv("OCELLUS_LABELER", models.labeler, 1)
    let options = ImageLabelerOptions()
    options.confidenceThreshold = 0.4
    let found = try ImageLabeler.imageLabeler(options: options)
      .results(in: VisionImage(image: picture))
    #expect(found.map(\.text) == ["tulip"])
  }

  @Test func detectorsUseTheDefaultModel() async {
    await #expect(processExitsWith: .success) { try DefaultModelTests.detectWithTheDefault() }
  }

  @Test func labelersUseTheDefaultModel() async {
    await #expect(processExitsWith: .success) { try DefaultModelTests.labelWithTheDefault() }
  }
}
