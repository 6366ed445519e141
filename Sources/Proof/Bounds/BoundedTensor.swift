package import OcellusAudit
package import OcellusEngine

/// A tensor of which only the limits of its elements are known, or its elements themselves.
package struct BoundedTensor: Sendable {
  /// The smallest value that each element can have.
  package let low: StoredTensor
  /// The largest.
  package let high: StoredTensor
  /// Whether both are the same tensor, so that its elements are known.
  package let isExact: Bool

  package init(exact tensor: StoredTensor) {
    (low, high, isExact) = (tensor, tensor, true)
  }

  init(low: StoredTensor, high: StoredTensor) {
    (self.low, self.high) = (low, high)
    isExact = low.bytes == high.bytes
  }

  /// Makes a float32 tensor of the numbers inside of intervals, of which every result is one.
  init(_ intervals: Intervals) {
    let shape = Shape(intervals.shape)
    var (lows, highs) = ([Float](), [Float]())
    lows.reserveCapacity(intervals.count)
    highs.reserveCapacity(intervals.count)
    for index in 0..<intervals.count {
      let low = Float32Rounding.up(intervals.lows[index])
      let high = Float32Rounding.down(intervals.highs[index])
      // An interval between two neighbouring numbers holds none; then both may be meant.
      lows.append(min(low, high))
      highs.append(max(low, high))
    }
    self.init(
      low: StoredTensor(floats: lows, shape: shape), high: StoredTensor(floats: highs, shape: shape)
    )
  }

  package var type: ElementType { low.type }
  package var shape: Shape { low.shape }

  /// The real numbers that each element may be; `nil` if the tensor is not of float32.
  ///
  /// A number that engines may treat as zero, because it is subnormal, is an interval down to zero.
  var intervals: Intervals? {
    guard type == .float32 else { return nil }
    var result = Intervals(shape: shape.dimensions, exact: low.doubles)
    if !isExact { result.highs = high.doubles }
    for index in 0..<result.count {
      let (low, high) = (result.lows[index], result.highs[index])
      guard low.isFinite, high.isFinite else {
        result[index] = .anything
        continue
      }
      if low > 0, low < Float32Rounding.smallestNormal { result.lows[index] = 0 }
      if high < 0, high > -Float32Rounding.smallestNormal { result.highs[index] = 0 }
    }
    return result
  }
}

extension StoredTensor {
  init(floats: [Float], shape: Shape) {
    self.init(type: .float32, shape: shape, bytes: floats.withUnsafeBytes { Array($0) })
  }

  /// The elements of a float32 tensor.
  var doubles: [Double] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Double(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self))
      }
    }
  }

  /// The elements of a tensor of integers that say where others are, such as axes; `nil` for others.
  var integers: [Int]? {
    bytes.withUnsafeBytes { bytes in
      switch type {
      case .int32:
        (0..<bytes.count / 4).map {
          Int(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self))
        }
      case .int64:
        (0..<bytes.count / 8).map {
          Int(bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
        }
      default: nil
      }
    }
  }
}
