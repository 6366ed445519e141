public import OcellusEngine

/// The statistics of a tensor's numbers.
public struct TensorStatistics: Sendable, Equatable {
  /// The number of elements in equal intervals from the minimum to the maximum.
  public struct Histogram: Sendable, Equatable {
    /// The number of elements in each interval.
    public var counts: [Int]
    /// The number of counted elements: all, or a regular sample of a large tensor.
    public var sampleCount: Int
  }

  /// The number of elements.
  public var elementCount: Int
  /// The smallest number; `nil` if there are no finite numbers.
  public var minimum: Double?
  /// The largest number; `nil` if there are no finite numbers.
  public var maximum: Double?
  /// The mean of the finite numbers; `nil` if there are none.
  public var mean: Double?
  /// The number of NaNs.
  public var nanCount: Int
  /// The number of infinite elements.
  public var infinityCount: Int
  /// The number of quantized integers at the minimum or the maximum of their type.
  ///
  /// An end of the range that stands for zero does not count, since it is common after a ReLU.
  public var saturatedCount: Int
  /// The histogram of the finite numbers; `nil` if there are none.
  public var histogram: Histogram?

  /// The share of saturated elements, from 0 to 1.
  public var saturatedShare: Double {
    elementCount == 0 ? 0 : Double(saturatedCount) / Double(elementCount)
  }

  private static let intervalCount = 32
  private static let sampleSize = 1024

  /// Computes the statistics of a tensor's bytes; returns `nil` for types without numbers.
  ///
  /// With `isSampled`, the histogram of a large tensor covers between 512 and 1024 elements.
  public init?(
    of bytes: UnsafeRawBufferPointer, type: ElementType, quantization: Quantization?,
    isSampled: Bool
  ) {
    guard let format = NumberFormat(rawValue: type.name) else { return nil }
    let moments: NumberMoments =
      switch format {
      case .float32: .init(floats: bytes)
      case .int8: .init(byteNumbers: bytes, isSigned: true)
      case .uint8, .bool: .init(byteNumbers: bytes, isSigned: false)
      case .int16: .init(integers: bytes, Int16.self)
      default: .init(bytes, format)
      }
    elementCount = bytes.count / format.size
    (nanCount, infinityCount) = (moments.nanCount, moments.infinityCount)
    saturatedCount = quantization.map { moments.saturatedCount(zeroPoint: $0.zeroPoint) } ?? 0
    guard moments.count > 0 else { return }
    (minimum, maximum) = (moments.minimum, moments.maximum)
    mean = moments.sum / Double(moments.count)
    histogram = Self.histogram(
      of: bytes, format, from: moments.minimum, to: moments.maximum,
      by: isSampled ? (elementCount + Self.sampleSize - 1) / Self.sampleSize : 1)
  }

  private static func histogram(
    of bytes: UnsafeRawBufferPointer, _ format: NumberFormat, from low: Double, to high: Double,
    by step: Int
  ) -> Histogram {
    IntervalCounter.histogram(from: low, to: high, intervalCount: intervalCount) { counter in
      let offsets = stride(from: 0, to: bytes.count - format.size + 1, by: step * format.size)
      guard let base = bytes.baseAddress else { return }
      switch format {
      // The usual formats have loops of their own that need no dispatch per element.
      case .float32:
        for offset in offsets {
          counter.add(Double(base.loadUnaligned(fromByteOffset: offset, as: Float.self)))
        }
      case .int8:
        for offset in offsets {
          counter.add(Double(base.load(fromByteOffset: offset, as: Int8.self)))
        }
      case .uint8:
        for offset in offsets {
          counter.add(Double(base.load(fromByteOffset: offset, as: UInt8.self)))
        }
      default: for offset in offsets { counter.add(format.number(in: bytes, at: offset)) }
      }
    }
  }
}

/// Counts numbers in equal intervals.
///
/// Successive numbers are counted in different tables. Many fall into the same interval, such as
/// zeros after a ReLU, and each increment of one counter would have to wait for the store of the
/// one before.
private struct IntervalCounter {
  private static let tableCount = 4

  private let low: Double
  private let scale: Double
  /// Whether the range of the numbers overflows a double; then only their signs are told apart.
  private let overflows: Bool
  private let last: Int
  /// The tables, in one buffer.
  private let counts: UnsafeMutableBufferPointer<Int>
  private var table = 0

  /// Returns the histogram of the numbers that `body` adds.
  static func histogram(
    from low: Double, to high: Double, intervalCount: Int,
    _ body: (inout IntervalCounter) -> Void
  ) -> TensorStatistics.Histogram {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: tableCount * intervalCount) { counts in
      counts.initialize(repeating: 0)
      var counter = IntervalCounter(from: low, to: high, counts, intervalCount: intervalCount)
      body(&counter)
      let sums = (0..<intervalCount).map { interval in
        stride(from: interval, to: counts.count, by: intervalCount).reduce(0) { $0 + counts[$1] }
      }
      return .init(counts: sums, sampleCount: sums.reduce(0, +))
    }
  }

  private init(
    from low: Double, to high: Double, _ counts: UnsafeMutableBufferPointer<Int>,
    intervalCount: Int
  ) {
    let width = high - low
    self.low = low
    self.counts = counts
    last = intervalCount - 1
    overflows = !width.isFinite
    scale = width > 0 ? Double(intervalCount) / width : 0
  }

  /// Counts a number, if it is finite.
  @inline(__always)
  mutating func add(_ number: Double) {
    guard number.isFinite else { return }
    let position = overflows ? (number < 0 ? 0 : Double(last)) : (number - low) * scale
    counts[table + min(Int(position), last)] += 1
    table += last + 1
    if table == counts.count { table = 0 }
  }
}
