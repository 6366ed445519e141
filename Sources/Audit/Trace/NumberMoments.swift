import OcellusKernelABI

/// The extremes, sum and counts of numbers in memory, found in one pass.
struct NumberMoments {
  /// The number of finite numbers.
  var count = 0
  var minimum = Double.infinity
  var maximum = -Double.infinity
  var sum = 0.0
  var nanCount = 0
  var infinityCount = 0
  /// The counts of integers equal to the minimum and to the maximum of their type.
  private var lowestCount = 0
  private var highestCount = 0
  /// The minimum and maximum of an integer type.
  private var bounds: (Int, Int)?

  /// Returns the number of integers at an end of their type, unless that end stands for zero.
  func saturatedCount(zeroPoint: Int) -> Int {
    guard let bounds else { return 0 }
    return (bounds.0 == zeroPoint ? 0 : lowestCount) + (bounds.1 == zeroPoint ? 0 : highestCount)
  }

  /// Visits numbers of any format one by one.
  init(_ bytes: UnsafeRawBufferPointer, _ format: NumberFormat) {
    for offset in stride(from: 0, to: bytes.count - format.size + 1, by: format.size) {
      let number = format.number(in: bytes, at: offset)
      if number.isNaN {
        nanCount += 1
      } else if number.isInfinite {
        infinityCount += 1
      } else {
        count += 1
        minimum = min(minimum, number)
        maximum = max(maximum, number)
        sum += number
      }
    }
  }

  /// Visits 8- or 16-bit integers in vectorizable loops over blocks whose sums fit in 32 bits.
  init<Number: FixedWidthInteger & BitwiseCopyable>(
    integers bytes: UnsafeRawBufferPointer, _: Number.Type
  ) {
    let size = MemoryLayout<Number>.size
    guard let base = bytes.baseAddress, bytes.count >= size else { return }
    count = bytes.count / size
    var (low, high) = (Number.max, Number.min)
    for start in stride(from: 0, to: count, by: Self.blockSize) {
      var (blockSum, lowest, highest) = (Int32(0), Int32(0), Int32(0))
      // A pointer loop, because the bounds checks of a range loop prevent vectorization.
      var address = base + start * size
      let end = base + min(start + Self.blockSize, count) * size
      while address < end {
        let number = address.loadUnaligned(as: Number.self)
        address += size
        low = number < low ? number : low
        high = number > high ? number : high
        blockSum &+= Int32(truncatingIfNeeded: number)
        lowest &+= number == Number.min ? 1 : 0
        highest &+= number == Number.max ? 1 : 0
      }
      sum += Double(blockSum)
      lowestCount += Int(lowest)
      highestCount += Int(highest)
    }
    bounds = (Int(Number.min), Int(Number.max))
    (minimum, maximum) = (Double(low), Double(high))
  }

  private static let blockSize = 4096

  /// Visits floats with a vector kernel, or one by one if some are not finite, which is rare.
  init(floats bytes: UnsafeRawBufferPointer) {
    let blockCount = bytes.count / Inspection.blockByteCount
    self.init(Self.behind(blockCount, bytes), .float32)
    guard blockCount > 0, let base = bytes.baseAddress else { return }
    let found = Inspection.best.momentsOfFloats(base, blockCount)
    guard found.isFinite else {
      self.init(bytes, .float32)
      return
    }
    count += blockCount * Inspection.blockByteCount / MemoryLayout<Float>.size
    // Adding 0 removes the sign of a zero, which would depend on the order of elements.
    minimum = min(minimum, Double(found.minimum)) + 0
    maximum = max(maximum, Double(found.maximum)) + 0
    sum += found.sum
  }

  /// Visits 8-bit integers with a vector kernel.
  init(byteNumbers bytes: UnsafeRawBufferPointer, isSigned: Bool) {
    let blockCount = bytes.count / Inspection.blockByteCount
    let rest = Self.behind(blockCount, bytes)
    if isSigned {
      self.init(integers: rest, Int8.self)
    } else {
      self.init(integers: rest, UInt8.self)
    }
    guard blockCount > 0, let base = bytes.baseAddress else { return }
    let found = Inspection.best.momentsOfBytes(base, blockCount, isSigned)
    bounds = isSigned ? (-128, 127) : (0, 255)
    count += blockCount * Inspection.blockByteCount
    minimum = min(minimum, Double(found.minimum))
    maximum = max(maximum, Double(found.maximum))
    sum += Double(found.sum)
    lowestCount += found.lowestCount
    highestCount += found.highestCount
  }

  /// Returns the bytes after the whole blocks that kernels process.
  private static func behind(
    _ blockCount: Int, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(blockCount * Inspection.blockByteCount)...])
  }
}
