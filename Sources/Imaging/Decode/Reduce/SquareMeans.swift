/// The means of squares of pixels, whose rows come one after the other.
///
/// Rows of one square follow each other, unless there is a sum for every square (`inAnyOrder`).
final class SquareMeans {
  private let size: PixelSize
  private let reduced: PixelSize
  private let factor: Int
  private let isWide: Bool
  private let channels: Int
  private let inAnyOrder: Bool
  /// The sums of the squares in progress, row by row of squares.
  private let sums: UnsafeMutableBufferPointer<UInt32>
  /// The sums of the row that was read last.
  private let row: UnsafeMutableBufferPointer<UInt32>
  /// The row of squares in progress.
  private var current: Int?

  init(
    of size: PixelSize, _ format: PixelFormat, _ reduction: PictureReduction, inAnyOrder: Bool
  ) {
    self.size = size
    self.inAnyOrder = inAnyOrder
    reduced = reduction.size(of: size)
    factor = reduction.factor
    isWide = format == .gray16
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

  /// Adds up a row of pixels, or some of its columns: `step` after `step`, from `start` on.
  func read(_ pixels: UnsafeRawPointer, from start: Int = 0, step: Int = 1) {
    row.update(repeating: 0)
    if isWide {
      add(pixels.assumingMemoryBound(to: UInt16.self), from: start, step: step)
    } else {
      add(pixels.assumingMemoryBound(to: UInt8.self), from: start, step: step)
    }
  }

  /// Counts the row that was read last as row `y` of the picture, and writes what is complete before it.
  func count(asRow y: Int, into image: inout Image) {
    let band = y / factor
    if !inAnyOrder, let current, current != band { write(current, into: &image) }
    current = band
    let offset = inAnyOrder ? band * row.count : 0
    for index in 0..<row.count { sums[offset + index] &+= row[index] }
  }

  /// Writes what is not written yet.
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

  /// Writes the means of a row of squares, the nearest numbers, and begins another.
  private func write(_ band: Int, into image: inout Image) {
    let plane = image.planes[0]
    let rows = min(factor, size.height - band * factor)
    let offset = inAnyOrder ? band * row.count : 0
    image.withUnsafeMutableBytes { bytes in
      guard let target = bytes.baseAddress.map({ $0 + band * plane.rowStride }) else { return }
      for square in 0..<reduced.width {
        let count = UInt32(rows * min(factor, size.width - square * factor))
        for index in square * channels..<(square + 1) * channels {
          // A square of the largest size has sums of nearly all 32 bits: half a square more has no room.
          let mean = (UInt64(sums[offset + index]) + UInt64(count / 2)) / UInt64(count)
          if isWide {
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
