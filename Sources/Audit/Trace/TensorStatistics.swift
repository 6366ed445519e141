public import OcellusEngine

/// What the numbers of a tensor are like.
public struct TensorStatistics: Sendable, Equatable {
  /// How the numbers are spread: counts of equal intervals from the lowest to the highest.
  public struct Histogram: Sendable, Equatable {
    /// How many numbers fall into each interval.
    public var counts: [Int]
    /// How many numbers were looked at: all of them, or a regular sample of large tensors.
    public var sampleCount: Int
  }

  /// The elements.
  public var elementCount: Int
  /// The lowest number; `nil` where there is none.
  public var minimum: Double?
  /// The highest number; `nil` where there is none.
  public var maximum: Double?
  /// The average of the numbers that are finite; `nil` where there is none.
  public var mean: Double?
  /// Elements that are no numbers.
  public var nanCount: Int
  /// Elements that are infinite.
  public var infinityCount: Int
  /// Of quantized integers those at the lowest or the highest of their type, where what did not fit is;
  /// not where that end stands for zero, as behind a ReLU.
  public var saturatedCount: Int
  /// How the finite numbers are spread; `nil` where there is none.
  public var histogram: Histogram?

  /// The share of saturated elements, from 0 to 1.
  public var saturatedShare: Double {
    elementCount == 0 ? 0 : Double(saturatedCount) / Double(elementCount)
  }

  private static let intervalCount = 32
  private static let sampleSize = 1024

  /// The statistics of a tensor's bytes; `nil` for types that are no numbers.
  ///
  /// With `isSampled` the histogram of large tensors is that of a thousand elements, or half as many.
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
      // The usual ones without asking for the format again and again.
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
/// Many numbers fall into the interval of the one before, such as zeros behind a ReLU, and a count that was
/// just written takes a while to be read again: so neighbours count in different tables.
private struct IntervalCounter {
  private static let tableCount = 4

  private let low: Double
  private let scale: Double
  /// Two of the largest numbers may be further apart than numbers go.
  private let isWide: Bool
  private let last: Int
  /// The tables, one behind the other.
  private let counts: UnsafeMutableBufferPointer<Int>
  private var table = 0

  /// What the numbers that `body` adds come to.
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
    isWide = !width.isFinite
    scale = width > 0 ? Double(intervalCount) / width : 0
  }

  /// Counts a number, if it is finite.
  @inline(__always)
  mutating func add(_ number: Double) {
    guard number.isFinite else { return }
    let place = isWide ? (number < 0 ? 0 : Double(last)) : (number - low) * scale
    counts[table + min(Int(place), last)] += 1
    table += last + 1
    if table == counts.count { table = 0 }
  }
}
