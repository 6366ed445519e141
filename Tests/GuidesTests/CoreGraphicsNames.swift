import Foundation
import OcellusImaging

// The part of Core Graphics that the guide uses: a picture drawn into memory with 4 bytes per
// pixel.

typealias CGImage = OcellusImaging.Image

extension OcellusImaging.Image {
  var width: Int { size.width }
  var height: Int { size.height }
}

enum CGImageAlphaInfo: UInt32 {
  case noneSkipFirst = 6
}

struct CGColorSpace {}

func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

final class CGContext {
  let data: UnsafeMutableRawPointer?
  let width: Int
  private let height: Int
  private let bytesPerRow: Int

  init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard data == nil, bitsPerComponent == 8, bytesPerRow >= 4 * width,
      bitmapInfo == CGImageAlphaInfo.noneSkipFirst.rawValue
    else { return nil }
    self.data = .allocate(byteCount: bytesPerRow * height, alignment: 16)
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
  }

  deinit { data?.deallocate() }

  /// Draws a picture of the context's size.
  func draw(_ image: CGImage, in rect: CGRect) {
    guard let data, rect == CGRect(x: 0, y: 0, width: width, height: height),
      let pixels = try? image.converted(to: .rgb8)
    else { return }
    pixels.withUnsafeBytes { source in
      for row in 0..<height {
        for column in 0..<width {
          let from = 3 * (row * width + column)
          let place = row * bytesPerRow + 4 * column
          for channel in 0..<3 {
            data.storeBytes(
              of: source[from + channel], toByteOffset: place + 1 + channel, as: UInt8.self)
          }
        }
      }
    }
  }
}
