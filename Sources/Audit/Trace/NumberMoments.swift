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
      for index in start..<min(start + Self.blockSize, count) {
        let number = (base + index * size).loadUnaligned(as: Number.self)
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

  /// Of floats.
  ///
  /// Their bits, with those behind the sign turned over for negative ones, are in the order of the
  /// numbers, so that extremes are those of integers, which compilers find with vectors.
  init(floats bytes: UnsafeRawBufferPointer) {
    let total = bytes.count / MemoryLayout<Float>.size
    guard let base = bytes.baseAddress, total > 0 else { return }
    var (low, high) = (Int32.max, Int32.min)
    var finiteCount = 0
    for start in stride(from: 0, to: total, by: Self.blockSize) {
      let end = min(start + Self.blockSize, total)
      var (finite, nans) = (Int32(0), Int32(0))
      for index in start..<end {
        let bits = (base + index * 4).loadUnaligned(as: Int32.self)
        let magnitude = bits & Int32.max
        let isFinite = magnitude < Self.infinity
        let key = bits ^ ((bits &>> 31) & Int32.max)
        low = isFinite && key < low ? key : low
        high = isFinite && key > high ? key : high
        finite &+= isFinite ? 1 : 0
        nans &+= magnitude > Self.infinity ? 1 : 0
      }
      finiteCount += Int(finite)
      nanCount += Int(nans)
      sum += Self.sum(base + start * 4, count: end - start)
    }
    count = finiteCount
    infinityCount = total - finiteCount - nanCount
    guard count > 0 else { return }
    (minimum, maximum) = (Self.number(low), Self.number(high))
  }

  /// The bits of infinity.
  private static let infinity: Int32 = 0x7F80_0000

  private static func number(_ key: Int32) -> Double {
    Double(Float(bitPattern: UInt32(bitPattern: key ^ ((key &>> 31) & Int32.max))))
  }

  /// The sum of the finite ones of some floats: sixteen sums side by side, so that there are vectors.
  private static func sum(_ floats: UnsafeRawPointer, count: Int) -> Double {
    var sums = SIMD16<Float>()
    let whole = count / 16 * 16
    for index in stride(from: 0, to: whole, by: 16) {
      let bits = (floats + index * 4).loadUnaligned(as: SIMD16<Int32>.self)
      let isFinite = (bits & Int32.max) .< Self.infinity
      let kept = bits & unsafeBitCast(isFinite, to: SIMD16<Int32>.self)
      sums += unsafeBitCast(kept, to: SIMD16<Float>.self)
    }
    var sum = (0..<16).reduce(0.0) { $0 + Double(sums[$1]) }
    for index in whole..<count {
      let number = (floats + index * 4).loadUnaligned(as: Float.self)
      if number.isFinite { sum += Double(number) }
    }
    return sum
  }
}
