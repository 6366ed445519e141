/// Of which input pixels, by which weights, the output pixels along one axis are made.
final class AxisFilter {
  /// How many input pixels make an output pixel.
  let taps: Int
  /// The first of them for every output pixel.
  let firsts: UnsafeMutablePointer<Int32>
  /// The weights of every output pixel: numbers of four bytes, or for OpenCV's linear interpolation
  /// two of two bytes.
  let weights: UnsafeMutableRawPointer
  /// The bytes of the weights of one output pixel.
  let weightStride: Int
  let count: Int

  /// A filter of `count` output pixels with weights that are still zero.
  init(count: Int, taps: Int, weightBytes: Int = 4) {
    self.count = count
    self.taps = taps
    weightStride = taps * weightBytes
    firsts = .allocate(capacity: count)
    firsts.initialize(repeating: 0, count: count)
    // Kernels load pairs of weights, and may look at the one behind the last.
    weights = .allocate(byteCount: count * weightStride + 64, alignment: 64)
    weights.initializeMemory(as: UInt8.self, repeating: 0, count: count * weightStride + 64)
  }

  deinit {
    firsts.deallocate()
    weights.deallocate()
  }

  func setWeight<Weight: BitwiseCopyable>(_ weight: Weight, output: Int, tap: Int) {
    weights.storeBytes(
      of: weight, toByteOffset: output * weightStride + tap * MemoryLayout<Weight>.stride,
      as: Weight.self)
  }

  /// A filter of windows that lie inside the input and have weights in any number.
  ///
  /// All output pixels get the number of taps that the largest window has, or the next multiple of
  /// `tapMultiple`; windows at the end begin earlier, with weights of zero.
  convenience init<Weight: BitwiseCopyable>(
    windows: [(first: Int, weights: [Weight])], input: Int, tapMultiple: Int = 1
  ) {
    let largest = windows.map(\.weights.count).max() ?? 1
    let taps = (largest + tapMultiple - 1) / tapMultiple * tapMultiple
    self.init(count: windows.count, taps: taps)
    for (output, window) in windows.enumerated() {
      let first = min(window.first, input - largest)
      firsts[output] = Int32(first)
      for (index, weight) in window.weights.enumerated() {
        setWeight(weight, output: output, tap: window.first - first + index)
      }
    }
  }

  /// The same filter with weights of 2⁻²² as the kernel along rows takes them: of every four, the
  /// lower 11 bits of the first, third, second and fourth, and then the upper bits of each.
  func splitIntoHalves() -> AxisFilter {
    let split = AxisFilter(count: count, taps: taps)
    split.firsts.update(from: firsts, count: count)
    for index in 0..<count * taps {
      let weight = weights.load(fromByteOffset: index * 4, as: Int32.self)
      let place = index / 4 * 16 + [0, 4, 2, 6][index % 4]
      split.weights.storeBytes(
        of: Int16(truncatingIfNeeded: weight & 0x7FF), toByteOffset: place, as: Int16.self)
      split.weights.storeBytes(
        of: Int16(truncatingIfNeeded: weight >> 11), toByteOffset: place + 8, as: Int16.self)
    }
    return split
  }
}
