import Foundation
import MLKit
import Testing

@Suite struct PictureTests {
  private let picture = Image(
    uninitialized: .rgb8, size: PixelSize(width: 40, height: 20), orientation: .right)

  @Test func orientationsHaveTheNumbersOfUIKit() {
    let names: [ImageOrientation] = [
      .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
    ]
    #expect(names.map(\.rawValue) == Array(0..<8))
    // EXIF's numbers of the same orientations.
    #expect(names.map { Orientation($0).rawValue } == [1, 3, 8, 6, 2, 4, 5, 7])
    #expect(names.map { ImageOrientation(Orientation($0)) } == names)
  }

  @Test func mlImagesKnowWhatTheyWereMadeFrom() throws {
    let image = try #require(MLImage(image: picture))
    #expect(image.orientation == .right)
    #expect((image.width, image.height) == (40, 20))
    #expect(image.imageSourceType == .image)
    #expect(image.image != nil && image.pixelBuffer == nil && image.sampleBuffer == nil)

    let pixels = try #require(MLImage(pixelBuffer: CVPixelBuffer(picture)))
    #expect(pixels.orientation == .up)
    #expect(pixels.imageSourceType == .pixelBuffer)
    #expect(pixels.image == nil && pixels.pixelBuffer != nil && pixels.sampleBuffer == nil)

    let buffer = SampleBuffer(image: picture, presentationTime: .seconds(1))
    let sample = try #require(MLImage(sampleBuffer: buffer))
    #expect(sample.orientation == .up)
    #expect(sample.imageSourceType == .sampleBuffer)
    #expect(sample.image == nil && sample.pixelBuffer == nil && sample.sampleBuffer != nil)
  }

  @Test func visionImagesDoNotLookAtThePicturesOrientation() {
    #expect(VisionImage(image: picture).orientation == .up)
    #expect(picture.imageOrientation == .right)
  }
}
