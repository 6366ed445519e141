import Firebase
import Foundation
import MLKit
import OcellusVision
import Testing

/// The numbers that the guides promise hold for the package's own models.
@Suite struct GuideCoverageTests {
  private let labelerPath = AppResources.models + "/scenes-labeler.tflite"

  private func options() -> CustomObjectDetectorOptions {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: labelerPath))
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    return options
  }

  private func objects(
    _ options: CommonObjectDetectorOptions, in picture: Image
  ) throws -> [Object] {
    try MLKit.ObjectDetector.objectDetector(options: options).results(
      in: VisionImage(image: picture))
  }

  /// "Up to five objects", in a picture in which Ocellus' detector finds more.
  @Test func fiveObjectsAtMost() throws {
    let picture = try SamplePicture.pair("cherries.jpg", "tower.png")
    #expect(try VisionNames.found(in: picture, above: 0.4).count > 5)
    #expect(try objects(options(), in: picture).count == 5)
    let firebase = VisionObjectDetectorOptions()
    firebase.detectorMode = .singleImage
    firebase.shouldEnableMultipleObjects = true
    let detector = Vision.vision().objectDetector(options: firebase)
    #expect(try detector.results(in: VisionImage(image: picture)).count == 5)
  }

  /// "10 by default", for a model with 186 labels; and as many as an option requests.
  @Test func tenLabelsByDefault() throws {
    let picture = try SamplePicture.image("tower.png")
    let asked = options()
    asked.classificationConfidenceThreshold = 0
    #expect(try objects(asked, in: picture).allSatisfy { $0.labels.count == 10 })
    asked.maxPerObjectLabelCount = 12
    #expect(try objects(asked, in: picture).allSatisfy { $0.labels.count == 12 })
  }

  /// "The threshold that the model's metadata say", unless an option gives another.
  @Test func theThresholdOfTheMetadata() throws {
    let picture = try SamplePicture.image("tower.png")
    let described = try OcellusVision.ImageLabeler(path: labelerPath).explanation
    #expect("\(described)".contains("metadata"))
    let unasked = try objects(options(), in: picture).map(\.labels.count)
    let asked = options()
    asked.classificationConfidenceThreshold = 0
    let all = try objects(asked, in: picture).map(\.labels.count)
    #expect(unasked.count == all.count)
    #expect(zip(unasked, all).allSatisfy { $0 < $1 && $0 > 0 })
  }

  /// Objects have identities in streams, and none in single pictures.
  @Test func identities() throws {
    let still = options()
    let picture = try SamplePicture.image("tower.png")
    #expect(try objects(still, in: picture).allSatisfy { $0.trackingID == nil })
    still.detectorMode = .stream
    let detector = MLKit.ObjectDetector.objectDetector(options: still)
    var seen: [Set<Int>] = []
    for frame in 0..<5 {
      let buffer = CMSampleBuffer(image: picture, presentationTime: .milliseconds(40 * frame))
      let found = try detector.results(in: VisionImage(buffer: buffer))
      seen.append(Set(found.compactMap { $0.trackingID?.intValue }))
    }
    #expect(seen.last == [1, 2, 3, 4])
    #expect(seen.last == seen[1])
  }

  /// An object without a category is unknown and has no confidence; in ML Kit it has no label.
  @Test func theUnknownCategory() throws {
    let picture = try SamplePicture.image("balloon.jpg")
    let firebase = VisionObjectDetectorOptions()
    firebase.detectorMode = .singleImage
    firebase.shouldEnableMultipleObjects = true
    firebase.shouldEnableClassification = true
    let image = VisionImage(image: picture)
    image.orientation = ImageOrientation(picture.orientation)
    let found = try Vision.vision().objectDetector(options: firebase).results(in: image)
    #expect(found.count { $0.classificationCategory == .unknown } == 3)
    #expect(found.allSatisfy { ($0.classificationCategory == .unknown) == ($0.confidence == nil) })
    let base = ObjectDetectorOptions()
    base.detectorMode = .singleImage
    base.shouldEnableMultipleObjects = true
    base.shouldEnableClassification = true
    let objects = try MLKit.ObjectDetector.objectDetector(options: base).results(in: image)
    #expect(objects.count { $0.labels.isEmpty } == 3)
    #expect(objects.contains { $0.labels.first?.text == DetectedObjectLabel.food.rawValue })
  }

  // MARK: Orientations

  private static let devices: [UIDeviceOrientation] = [
    .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp, .faceDown, .unknown,
  ]

  /// Orientations equal ML Kit's table, for the back and the front camera.
  @Test(
    arguments: zip(
      devices,
      [
        (UIImage.Orientation.right, UIImage.Orientation.leftMirrored), (.up, .downMirrored),
        (.left, .rightMirrored), (.down, .upMirrored), (.up, .up), (.up, .up), (.up, .up),
      ]))
  func mlKitsTable(device: UIDeviceOrientation, cell: (UIImage.Orientation, UIImage.Orientation)) {
    let app = CustomModelApp(localModelFilePath: "")
    let both = [(AVCaptureDevice.Position.back, cell.0), (.front, cell.1)]
    for (camera, expected) in both {
      #expect(app.imageOrientation(deviceOrientation: device, cameraPosition: camera) == expected)
      #expect(
        ImageOrientation(deviceOrientation: device, cameraPosition: camera) == expected)
    }
  }

  /// Orientations equal Firebase's table, which differs for a device that lies flat or is unknown.
  @Test(
    arguments: zip(
      devices,
      [
        (VisionDetectorImageOrientation.rightTop, VisionDetectorImageOrientation.leftTop),
        (.topLeft, .bottomLeft), (.leftBottom, .rightBottom), (.bottomRight, .topRight),
        (.leftTop, .leftTop), (.leftTop, .leftTop), (.leftTop, .leftTop),
      ]))
  func firebasesTable(
    device: UIDeviceOrientation,
    cell: (VisionDetectorImageOrientation, VisionDetectorImageOrientation)
  ) {
    let both = [(AVCaptureDevice.Position.back, cell.0), (.front, cell.1)]
    for (camera, expected) in both {
      #expect(
        FirebaseObjectsApp().imageOrientation(deviceOrientation: device, cameraPosition: camera)
          == expected)
      #expect(
        AutoMLLabelsApp().imageOrientation(deviceOrientation: device, cameraPosition: camera)
          == expected)
      #expect(
        VisionDetectorImageOrientation(deviceOrientation: device, cameraPosition: camera)
          == expected)
    }
  }
}
