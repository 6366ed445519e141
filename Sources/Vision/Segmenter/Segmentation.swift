public import OcellusImaging

/// The class of every pixel of a picture.
public struct Segmentation: Hashable, Sendable {
  /// The size of the model's output grid.
  public let gridSize: PixelSize
  /// The class of each grid cell, row by row.
  public let categories: [Int]
  private let mapping: PictureMapping

  init(gridSize: PixelSize, categories: [Int], mapping: PictureMapping) {
    self.gridSize = gridSize
    self.categories = categories
    self.mapping = mapping
  }

  /// The size of the upright picture.
  public var size: PixelSize { mapping.source }

  /// Returns the class of a pixel of the upright picture; `nil` where the model did not look.
  public func category(column: Int, row: Int) -> Int? {
    let point = mapping.destination(of: PixelPoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
    guard let cellColumn = Self.cell(point.x, mapping.destination.width, gridSize.width),
      let cellRow = Self.cell(point.y, mapping.destination.height, gridSize.height),
      isShown(point)
    else { return nil }
    return categories[cellRow * gridSize.width + cellColumn]
  }

  /// The number of pixels of the upright picture that belong to each class.
  public var pixelCounts: [Int: Int] {
    var counts: [Int: Int] = [:]
    forEachPixel { _, _, category in
      if let category { counts[category, default: 0] += 1 }
    }
    return counts
  }

  /// Returns a grayscale image of the same size whose pixel values are class indices.
  ///
  /// The image has 16 bits per pixel if an index exceeds 255, else 8; pixels that the
  /// model did not see are 0.
  public func mask() throws(ImageError) -> Image {
    let is16Bit = categories.contains { $0 > 255 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * (is16Bit ? 2 : 1))
    forEachPixel { _, _, category in
      let number = UInt16(clamping: category ?? 0)
      if is16Bit {
        withUnsafeBytes(of: number) { bytes += $0 }
      } else {
        bytes.append(UInt8(clamping: number))
      }
    }
    return try Image(is16Bit ? .gray16 : .gray8, size: size, bytes: bytes)
  }

  /// Calls `body` with the column, row and class of every pixel, row by row.
  func forEachPixel(_ body: (_ column: Int, _ row: Int, _ category: Int?) -> Void) {
    for row in 0..<size.height {
      for column in 0..<size.width { body(column, row, category(column: column, row: row)) }
    }
  }

  /// Whether a point of the model's input lies in the picture, not in the padding beside it.
  private func isShown(_ point: PixelPoint) -> Bool {
    let region = mapping.destinationRegion
    return point.x >= region.left && point.x < region.right && point.y >= region.top
      && point.y < region.bottom
  }

  private static func cell(_ coordinate: Double, _ length: Int, _ cells: Int) -> Int? {
    let cell = Int((coordinate * Double(cells) / Double(length)).rounded(.down))
    return (0..<cells).contains(cell) ? cell : nil
  }
}
