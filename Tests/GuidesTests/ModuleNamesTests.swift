import AVFoundation
import Accelerate
import CoreGraphics
import CoreImage
import CoreMedia
import CoreVideo
import FirebaseMLVision
import FirebaseMLVisionAutoML
import FirebaseMLVisionObjectDetection
import MLKit
import MLKitVision
import Testing
import UIKit
import os

/// A file may import all modules that apps import, and names are not ambiguous.
@Suite struct ModuleNamesTests {
  @Test func namesMeanOneThing() throws {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    let picture = try SamplePicture.uiImage("tower.png")
    let detector = Vision.vision().objectDetector(options: options)
    #expect(try detector.results(in: VisionImage(image: picture)).count == 1)
    let image = try #require(MLImage(image: picture))
    #expect(image.image === picture && image.width == 256)
    let buffer = try CVPixelBuffer(picture.pixels)
    #expect(MLImage(pixelBuffer: buffer)?.pixelBuffer === buffer)
    let model = AutoMLLocalModel(manifestPath: "manifest.json")
    #expect(VisionOnDeviceAutoMLImageLabelerOptions(localModel: model).confidenceThreshold == 0.5)
    #expect(AVCaptureDevice.Position.front != .back)
  }

  @Test func pointsHaveCoordinates() {
    let point: MLKitVision.VisionPoint = Vision3DPoint(x: 1, y: 2, z: 3)
    #expect((point.x, point.y) == (1, 2))
    #expect((point as? Vision3DPoint)?.z == 3)
    #expect(FirebaseMLVision.VisionPoint(x: 1, y: 2).z == nil)
  }
}
