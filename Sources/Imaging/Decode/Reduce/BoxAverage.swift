/// A box filter that averages squares of pixels while rows arrive one by one.
///
/// The rows of a square must be consecutive, unless every square has its own sum (`inAnyOrder`).
final class BoxAverage {
  private let size: PixelSize
  private let reduced: PixelSize
  private let factor: Int
  private let is16Bit: Bool
  private let channels: Int
  private let inAnyOrder: Bool
  /// The sums of the current row of squares, or, with `inAnyOrder`, of all rows of squares.
  private let sums: UnsafeMutableBufferPointer<UInt32>
  /// The sums of squares within the row that was read last.
  private let row: UnsafeMutableBufferPointer<UInt32>
  /// The index of the current row of squares.
  private var current: Int?

  init(
    of size: PixelSize, _ format: PixelFormat, _ reduction: PictureReduction, inAnyOrder: Bool
  ) {
    self.size = size
    self.inAnyOrder = inAnyOrder
    reduced = reduction.size(of: size)
    factor = reduction.factor
    is16Bit = format == .gray16
    channels = format.sampleCount
    row = .allocate(capacity: reduced.width * channels)
    sums = .allocate(capacity: row.count * (inAnyOrder ? reduced.height : 1))
    row.initialize(repeating: 0)
    sums.initialize(repeating: 0)
  }

  deinit {
    row.deallocate()
    sums.deallocate()
  }

  /// Sums up a row of pixels that are `step` columns apart, beginning at column `start`.
  func read(_ pixels: UnsafeRawPointer, from start: Int = 0, step: Int = 1) {
    row.update(repeating: 0)
    if is16Bit {
      add(pixels.assumingMemoryBound(to: UInt16.self), from: start, step: step)
    } else {
      add(pixels.assumingMemoryBound(to: UInt8.self), from: start, step: step)
    }
  }

  /// Adds the last row as row `y` of the picture; writes the previous row of squares if it is
  /// complete.
  func count(asRow y: Int, into image: inout Image) {
    let band = y / factor
    if !inAnyOrder, let current, current != band { write(current, into: &image) }
    current = band
    let offset = inAnyOrder ? band * row.count : 0
    for index in 0..<row.count { sums[offset + index] &+= row[index] }
  }

  /// Writes the rows of squares that are not yet written.
  func finish(into image: inout Image) {
    if inAnyOrder {
      for band in 0..<reduced.height { write(band, into: &image) }
    } else if let current {
      write(current, into: &image)
    }
  }

  @inline(__always)
  private func add<Sample: FixedWidthInteger>(
    _ pixels: UnsafePointer<Sample>, from start: Int, step: Int
  ) {
    var (next, column) = (0, start)
    while column < size.width {
      let square = column / factor
      let end = min((square + 1) * factor, size.width)
      while column < end {
        for channel in 0..<channels {
          row[square * channels + channel] &+= UInt32(truncatingIfNeeded: pixels[next + channel])
        }
        next += channels
        column += step
      }
    }
  }

  /// Writes the rounded means of a row of squares, and resets its sums.
  private func write(_ band: Int, into image: inout Image) {
    let plane = image.planes[0]
    let rows = min(factor, size.height - band * factor)
    let offset = inAnyOrder ? band * row.count : 0
    image.withUnsafeMutableBytes { bytes in
      guard let target = bytes.baseAddress.map({ $0 + band * plane.rowStride }) else { return }
      for square in 0..<reduced.width {
        let count = UInt32(rows * min(factor, size.width - square * factor))
        for index in square * channels..<(square + 1) * channels {
          // The sum of the largest square nearly fills 32 bits, so rounding needs 64 bits.
          let mean = (UInt64(sums[offset + index]) + UInt64(count / 2)) / UInt64(count)
          if is16Bit {
            target.storeBytes(
              of: UInt16(truncatingIfNeeded: mean), toByteOffset: 2 * index, as: UInt16.self)
          } else {
            target.storeBytes(
              of: UInt8(truncatingIfNeeded: mean), toByteOffset: index, as: UInt8.self)
          }
          sums[offset + index] = 0
        }
      }
    }
  }
}
