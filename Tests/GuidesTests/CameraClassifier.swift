// An app's classifier of camera frames, in the manner of TensorFlow's samples: it uses the same
// functions of Core Video and vImage, and imports what an app on a phone does.
import Accelerate
import CoreImage
import TensorFlowLite
import UIKit

/// A classifier of the largest square in the middle of a frame.
final class CameraClassifier {
  private let interpreter: Interpreter
  private let side: Int

  init?(modelPath: String) {
    var options = Interpreter.Options()
    options.threadCount = 2
    do {
      interpreter = try Interpreter(modelPath: modelPath, options: options)
      try interpreter.allocateTensors()
      side = try interpreter.input(at: 0).shape.dimensions[1]
    } catch {
      os_log("No interpreter: %@", type: .error, error.localizedDescription)
      return nil
    }
  }

  /// Returns the scores of the classes.
  func scores(of frame: CVPixelBuffer) -> [Float]? {
    guard let small = square(of: frame), let data = rgbData(of: small) else { return nil }
    do {
      try interpreter.copy(data, toInputAt: 0)
      try interpreter.invoke()
      let output = try interpreter.output(at: 0)
      guard output.dataType == .uInt8, let quantization = output.quantizationParameters else {
        return output.data.withUnsafeBytes { Array($0.bindMemory(to: Float32.self)) }
      }
      return output.data.map {
        quantization.scale * Float(Int($0) - quantization.zeroPoint)
      }
    } catch {
      os_log("No scores: %@", type: .error, error.localizedDescription)
      return nil
    }
  }

  /// Returns the largest square in the middle, in the size that the model takes.
  func square(of frame: CVPixelBuffer) -> CVPixelBuffer? {
    let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
    guard CVPixelBufferGetPixelFormatType(frame) == kCVPixelFormatType_32BGRA else { return nil }
    let length = min(width, height)
    let rowBytes = CVPixelBufferGetBytesPerRow(frame)
    let start = (height - length) / 2 * rowBytes + (width - length) / 2 * 4

    CVPixelBufferLockBaseAddress(frame, CVPixelBufferLockFlags(rawValue: 0))
    defer { CVPixelBufferUnlockBaseAddress(frame, CVPixelBufferLockFlags(rawValue: 0)) }
    guard let address = CVPixelBufferGetBaseAddress(frame)?.advanced(by: start),
      let memory = malloc(side * side * 4)
    else { return nil }
    var source = vImage_Buffer(
      data: address, height: UInt(length), width: UInt(length), rowBytes: rowBytes)
    var target = vImage_Buffer(
      data: memory, height: vImagePixelCount(side), width: vImagePixelCount(side),
      rowBytes: side * 4)
    guard vImageScale_ARGB8888(&source, &target, nil, vImage_Flags(0)) == kvImageNoError else {
      free(memory)
      return nil
    }

    let release: CVPixelBufferReleaseBytesCallback = { _, pointer in
      if let pointer = pointer { free(UnsafeMutableRawPointer(mutating: pointer)) }
    }
    var result: CVPixelBuffer?
    let status = CVPixelBufferCreateWithBytes(
      nil, side, side, kCVPixelFormatType_32BGRA, memory, side * 4, release, nil, nil, &result)
    if status != kCVReturnSuccess { free(memory) }
    return result
  }

  private func rgbData(of frame: CVPixelBuffer) -> Data? {
    CVPixelBufferLockBaseAddress(frame, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
    guard let address = CVPixelBufferGetBaseAddress(frame) else { return nil }
    var source = vImage_Buffer(
      data: address, height: vImagePixelCount(side), width: vImagePixelCount(side),
      rowBytes: CVPixelBufferGetBytesPerRow(frame))
    var bytes = [UInt8](repeating: 0, count: side * side * 3)
    bytes.withUnsafeMutableBytes { memory in
      var target = vImage_Buffer(
        data: memory.baseAddress, height: vImagePixelCount(side), width: vImagePixelCount(side),
        rowBytes: side * 3)
      vImageConvert_BGRA8888toRGB888(&source, &target, UInt32(kvImageNoFlags))
    }
    return Data(bytes)
  }
}

extension UIImage {
  /// Returns red, green and blue of the picture in another size, as floats, drawn as apps do.
  func normalizedData(with size: CGSize) -> Data? {
    guard let cgImage = cgImage, cgImage.width > 0, cgImage.height > 0 else { return nil }
    let info = CGBitmapInfo(
      rawValue: CGBitmapInfo.byteOrder32Big.rawValue | CGImageAlphaInfo.premultipliedLast.rawValue)
    guard
      let context = CGContext(
        data: nil, width: Int(size.width), height: Int(size.height),
        bitsPerComponent: cgImage.bitsPerComponent,
        bytesPerRow: cgImage.bytesPerRow / cgImage.width * Int(size.width),
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info.rawValue)
    else { return nil }
    context.draw(cgImage, in: CGRect(origin: .zero, size: size))
    guard let bytes = context.makeImage()?.dataProvider?.data as Data? else { return nil }
    let floats = bytes.enumerated().filter { $0.offset % 4 < 3 }.map { Float32($0.element) / 255 }
    return floats.withUnsafeBufferPointer(Data.init)
  }
}
