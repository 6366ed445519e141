import Foundation
import MLKit
import OcellusImaging
import Testing

/// Sample pictures of the package.
enum SamplePicture {
  static func image(_ name: String) throws -> OcellusImaging.Image {
    try OcellusImaging.Image(contentsOf: AppResources.models + "/samples/" + name)
  }

  /// Reads a picture as an app does.
  static func uiImage(_ name: String) throws -> UIImage {
    try #require(UIImage(contentsOfFile: AppResources.models + "/samples/" + name))
  }

  /// Returns two pictures side by side, each of 256 by 256 pixels, with more objects than one has.
  static func pair(_ left: String, _ right: String) throws -> OcellusImaging.Image {
    let side = 256
    let halves = try [left, right].map {
      try image($0).converted(to: .rgb8).resized(
        to: PixelSize(width: side, height: side), using: .pillowBilinear)
    }
    var pair = OcellusImaging.Image(
      uninitialized: .rgb8, size: PixelSize(width: 2 * side, height: side))
    pair.withUnsafeMutableBytes { pixels in
      for (index, half) in halves.enumerated() {
        half.withUnsafeBytes { source in
          for row in 0..<side {
            let line = source[3 * side * row..<3 * side * (row + 1)]
            let start = 3 * side * (2 * row + index)
            UnsafeMutableRawBufferPointer(rebasing: pixels[start..<start + line.count])
              .copyBytes(from: line)
          }
        }
      }
    }
    return pair
  }
}
