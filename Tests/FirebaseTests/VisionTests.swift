import Firebase
import Foundation
import OcellusTestSupport
import Testing

@Suite struct VisionTests {
  private let models: SyntheticModelFiles
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  init() throws { models = try SyntheticModelFiles() }

  private func detector(_ options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    Vision.vision().objectDetector(
      options: options, detectorModel: CustomLocalModel(modelPath: models.detector))
  }

  private func singleImageOptions() -> VisionObjectDetectorOptions {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    return options
  }

  @Test func defaultsAreThoseOfTheOriginal() {
    let options = VisionObjectDetectorOptions()
    #expect(!options.shouldEnableClassification)
    #expect(!options.shouldEnableMultipleObjects)
    #expect(options.detectorMode == .stream)
    #expect(VisionImageMetadata().orientation == .topLeft)
    #expect(VisionImage(image: picture).metadata == nil)
    #expect(VisionOnDeviceImageLabelerOptions().confidenceThreshold == 0.5)
    #expect(Vision.vision().isStatsCollectionEnabled)
    #expect(Vision.vision() === Vision.vision())
  }

  @Test func numbersAreThoseOfTheOriginal() {
    #expect(VisionObjectDetectorMode.allCases.map(\.rawValue) == [0, 1])
    let categories: [VisionObjectCategory] = [
      .unknown, .homeGoods, .fashionGoods, .food, .places, .plants,
    ]
    #expect(categories.map(\.rawValue) == Array(0...5))
    let corners: [VisionDetectorImageOrientation] = [
      .topLeft, .topRight, .bottomRight, .bottomLeft, .leftTop, .rightTop, .rightBottom,
      .leftBottom,
    ]
    #expect(corners.map(\.rawValue) == Array(1...8))
    #expect(corners.map { VisionDetectorImageOrientation(Orientation($0)) } == corners)
  }

  @Test func coarseCategories() throws {
    let options = singleImageOptions()
    options.shouldEnableClassification = true
    let objects = try detector(options).results(in: VisionImage(image: picture))
    #expect(objects.map(\.classificationCategory) == [.food, .plants])
    #expect(objects.map(\.confidence) == [0.75, 0.5])
    #expect(objects.map(\.trackingID) == [nil, nil])
  }

  @Test func unknownObjectsHaveNoConfidence() throws {
    let models = try SyntheticModelFiles(firstLabel: "Unknown")
    let options = singleImageOptions()
    options.shouldEnableClassification = true
    let detector = Vision.vision().objectDetector(
      options: options, detectorModel: CustomLocalModel(modelPath: models.detector))
    let objects = try detector.results(in: VisionImage(image: picture))
    #expect(objects.map(\.classificationCategory) == [.food, .unknown])
    #expect(objects.map(\.confidence) == [0.75, nil])
  }

  @Test func withoutClassificationEverythingIsUnknown() throws {
    let objects = try detector(singleImageOptions()).results(in: VisionImage(image: picture))
    #expect(objects.map(\.classificationCategory) == [.unknown, .unknown])
    #expect(objects.map(\.confidence) == [nil, nil])
  }

  /// The origin of the upright picture's upper left quarter in 40 by 20 stored pixels.
  @Test(arguments: [
    (VisionDetectorImageOrientation.topLeft, CGPoint(x: 0, y: 0)),
    (.topRight, CGPoint(x: 20, y: 0)),
    (.bottomRight, CGPoint(x: 20, y: 10)), (.bottomLeft, CGPoint(x: 0, y: 10)),
    (.leftTop, CGPoint(x: 0, y: 0)), (.rightTop, CGPoint(x: 0, y: 10)),
    (.rightBottom, CGPoint(x: 20, y: 10)), (.leftBottom, CGPoint(x: 20, y: 0)),
  ])
  func framesAreInTheStoredPicture(
    orientation: VisionDetectorImageOrientation, origin: CGPoint
  ) throws {
    let image = VisionImage(image: picture)
    let metadata = VisionImageMetadata()
    metadata.orientation = orientation
    image.metadata = metadata
    let objects = try detector(singleImageOptions()).results(in: image)
    #expect(objects.first?.frame == CGRect(origin: origin, size: CGSize(width: 20, height: 10)))
  }

  @Test func labelersHaveThresholds() async throws {
    func texts(_ threshold: Float) async throws -> [String] {
      let options = VisionOnDeviceImageLabelerOptions()
      options.confidenceThreshold = threshold
      let labeler = Vision.vision().onDeviceImageLabeler(
        options: options, baseModel: CustomLocalModel(modelPath: models.labeler))
      #expect(labeler.type == .onDevice)
      return try await labeler.process(VisionImage(image: picture)).map(\.text)
    }
    #expect(try await texts(0.28) == ["tulip", "daisy"])
    #expect(try await texts(0) == ["tulip", "daisy", "rose"])
    // An invalid threshold is replaced by one half.
    #expect(try await texts(-1) == [])
  }
}
