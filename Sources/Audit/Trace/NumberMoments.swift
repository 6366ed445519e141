import OcellusKernelABI

/// The extremes and the sum of numbers in memory, found in one pass over them.
struct NumberMoments {
  /// The finite numbers.
  var count = 0
  var minimum = Double.infinity
  var maximum = -Double.infinity
  var sum = 0.0
  var nanCount = 0
  var infinityCount = 0
  /// The integers that are the lowest of their type, and those that are the highest.
  private var lowestCount = 0
  private var highestCount = 0
  /// The lowest and the highest of the type.
  private var bounds: (Int, Int)?

  /// The integers at an end of their type that does not stand for zero.
  func saturatedCount(zeroPoint: Int) -> Int {
    guard let bounds else { return 0 }
    return (bounds.0 == zeroPoint ? 0 : lowestCount) + (bounds.1 == zeroPoint ? 0 : highestCount)
  }

  /// Of numbers of any format, one by one.
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

  /// Of narrow integers: blocks whose sum fits a word, in loops that compilers turn into vectors.
  init<Number: FixedWidthInteger & BitwiseCopyable>(
    integers bytes: UnsafeRawBufferPointer, _: Number.Type
  ) {
    let size = MemoryLayout<Number>.size
    guard let base = bytes.baseAddress, bytes.count >= size else { return }
    count = bytes.count / size
    var (low, high) = (Number.max, Number.min)
    for start in stride(from: 0, to: count, by: Self.blockSize) {
      var (blockSum, lowest, highest) = (Int32(0), Int32(0), Int32(0))
      // Without a range, whose end is asked for at every step, which keeps compilers from vectors.
      var place = base + start * size
      let end = base + min(start + Self.blockSize, count) * size
      while place < end {
        let number = place.loadUnaligned(as: Number.self)
        place += size
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

  /// Of floats: all finite, as nearly always, they take one pass of a kernel.
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
    // Without a sign on zero, which would depend on the order.
    minimum = min(minimum, Double(found.minimum)) + 0
    maximum = max(maximum, Double(found.maximum)) + 0
    sum += found.sum
  }

  /// Of bytes: they take one pass of a kernel.
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

  /// What kernels leave: less than a block.
  private static func behind(
    _ blockCount: Int, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(blockCount * Inspection.blockByteCount)...])
  }
}
