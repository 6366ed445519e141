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

  private typealias Lanes = SIMD16<Float>
  /// The bits of infinity; those of a number, without its sign, are less.
  private static let infinity: Int32 = 0x7F80_0000

  /// Of floats: all finite, as nearly always, they take one pass with vectors.
  init(floats bytes: UnsafeRawBufferPointer) {
    let total = bytes.count / MemoryLayout<Float>.size
    let vectorCount = total / Lanes.scalarCount
    var low = Lanes(repeating: .infinity)
    var high = Lanes(repeating: -.infinity)
    // Negative as long as all are finite.
    var finite = SIMD16<Int32>(repeating: -1)
    var blockSum = 0.0
    for start in stride(from: 0, to: vectorCount, by: Self.blockSize / Lanes.scalarCount) {
      var sums = Lanes()
      for vector in start..<min(start + Self.blockSize / Lanes.scalarCount, vectorCount) {
        let numbers = bytes.loadUnaligned(
          fromByteOffset: vector * MemoryLayout<Lanes>.size, as: Lanes.self)
        low = low.replacing(with: numbers, where: numbers .< low)
        high = high.replacing(with: numbers, where: numbers .> high)
        sums += numbers
        let magnitudes = unsafeBitCast(numbers, to: SIMD16<Int32>.self) & Int32.max
        finite &= magnitudes &- Self.infinity
      }
      for lane in 0..<Lanes.scalarCount { blockSum += Double(sums[lane]) }
    }
    let rest = NumberMoments(
      UnsafeRawBufferPointer(rebasing: bytes[(vectorCount * MemoryLayout<Lanes>.size)...]),
      .float32)
    guard finite.max() < 0 else {
      self.init(bytes, .float32)
      return
    }
    self = rest
    count += vectorCount * Lanes.scalarCount
    guard vectorCount > 0 else { return }
    minimum = min(minimum, Double(low.min()))
    maximum = max(maximum, Double(high.max()))
    sum += blockSum
  }
}
