import MLKit
import OcellusImaging
import OcellusVision
import Testing

/// Code in the manner of TensorFlow's samples runs on frames of pictures.
@Suite struct CameraSampleTests {
  private let labelerPath = AppResources.models + "/scenes-labeler.tflite"

  /// The app's classifier finds the class that Ocellus finds in the same square.
  @Test(arguments: ["tower.png", "strawberry.jpg"])
  func framesAreClassified(file: String) throws {
    let picture = try SamplePicture.image(file)
    let classifier = try #require(CameraClassifier(modelPath: labelerPath))
    let scores = try #require(classifier.scores(of: CVPixelBuffer(picture.upright())))
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    let length = min(width, height)
    let (left, top) = (
      ((width - length) / 2).rounded(.down), ((height - length) / 2).rounded(.down)
    )
    let square = BoundingBox(left: left, top: top, right: left + length, bottom: top + length)
    let expected = try OcellusVision.ImageLabeler(
      path: labelerPath, options: .init(scoreThreshold: 0)
    ).labels(in: picture.upright().cropped(to: square))
    #expect(scores.count == 186)
    let best = try #require(scores.indices.max { scores[$0] < scores[$1] })
    #expect(best == expected.first?.index)
  }

  @Test func otherFramesAreNot() throws {
    let classifier = try #require(CameraClassifier(modelPath: labelerPath))
    let gray = try CVPixelBuffer(
      SamplePicture.image("tower.png"), type: kCVPixelFormatType_OneComponent8)
    #expect(classifier.scores(of: gray) == nil)
    #expect(CameraClassifier(modelPath: "/nowhere.tflite") == nil)
  }

  /// What the app draws has the floats that a resized picture has.
  @Test func picturesAreDrawnAsInputs() throws {
    let picture = try SamplePicture.uiImage("tower.png")
    let data = try #require(picture.normalizedData(with: CGSize(width: 20, height: 10)))
    let floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float32.self)) }
    let resized = try picture.pixels.resized(
      to: PixelSize(width: 20, height: 10), using: .pillowBilinear
    ).converted(to: .rgb8)
    #expect(floats == resized.withUnsafeBytes { $0.map { Float32($0) / 255 } })
  }
}
