extension Image {
  /// Returns the picture with its pixels rotated or mirrored to the orientation `up`.
  ///
  /// The format stays. For NV12 and I420 the result is exact if width and height are even; along a
  /// mirrored side of odd length, chroma shifts by one pixel.
  public func upright() -> Image {
    guard orientation != .up else { return self }
    var result = Image(uninitialized: format, size: size)
    let targets = result.planes
    result.withUnsafeMutableBytes { target in
      withUnsafeBytes { source in
        for (index, layout) in format.planeLayouts.enumerated() {
          let traversal = PlaneTraversal(
            orientation, from: planes[index], to: targets[index],
            elementBytes: layout.bytesPerElement)
          traversal.run(from: source, to: target)
        }
      }
    }
    return result
  }
}

/// The traversal of one stored plane in the order of the upright plane.
private struct PlaneTraversal {
  /// The offset of the stored element that is first in the upright plane.
  private var origin: Int
  /// The distance between neighbours in an upright row, in stored bytes.
  private var columnStep: Int
  /// The distance between upright rows, in stored bytes.
  private var rowStep: Int
  private let target: Image.Plane
  private let elementBytes: Int

  init(
    _ orientation: Orientation, from source: Image.Plane, to target: Image.Plane, elementBytes: Int
  ) {
    self.target = target
    self.elementBytes = elementBytes
    origin = source.byteOffset
    columnStep = elementBytes
    rowStep = source.rowStride
    if orientation.isTransposed { swap(&columnStep, &rowStep) }
    if orientation.flipsHorizontally {
      origin += (target.rowBytes / elementBytes - 1) * columnStep
      columnStep = -columnStep
    }
    if orientation.flipsVertically {
      origin += (target.rows - 1) * rowStep
      rowStep = -rowStep
    }
  }

  func run(from source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer) {
    switch elementBytes {
    case 1: copy(UInt8.self, from: source, to: destination)
    case 2: copy(UInt16.self, from: source, to: destination)
    case 3: copy(ThreeBytes.self, from: source, to: destination)
    default: copy(UInt32.self, from: source, to: destination)
    }
  }

  private struct ThreeBytes: BitwiseCopyable {
    var first: UInt8
    var second: UInt8
    var third: UInt8
  }

  /// Copies in squares, because one of the two sides may be read or written across its rows: the
  /// cache lines of a square stay in the cache until all their elements are copied.
  @inline(__always)
  private func copy<Element: BitwiseCopyable>(
    _ type: Element.Type, from source: UnsafeRawBufferPointer,
    to destination: UnsafeMutableRawBufferPointer
  ) {
    let side = 32
    let columns = target.rowBytes / elementBytes
    for top in stride(from: 0, to: target.rows, by: side) {
      for left in stride(from: 0, to: columns, by: side) {
        for row in top..<min(top + side, target.rows) {
          let rowStart = target.byteOffset + row * target.rowStride
          for column in left..<min(left + side, columns) {
            let element = source.loadUnaligned(
              fromByteOffset: origin + row * rowStep + column * columnStep, as: type)
            destination.storeBytes(
              of: element, toByteOffset: rowStart + column * elementBytes, as: type)
          }
        }
      }
    }
  }
}
