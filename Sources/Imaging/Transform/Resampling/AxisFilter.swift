/// The input pixels and the weights from which the output pixels along one axis are made.
final class AxisFilter {
  /// The number of input pixels per output pixel.
  let taps: Int
  /// The position of the first input pixel for each output pixel.
  let firsts: UnsafeMutablePointer<Int32>
  /// The weights of each output pixel: four bytes each, or two bytes each for OpenCV's linear
  /// interpolation.
  let weights: UnsafeMutableRawPointer
  /// The size of the weights of one output pixel, in bytes.
  let weightStride: Int
  let count: Int

  /// Creates a filter of `count` output pixels whose weights are zero.
  init(count: Int, taps: Int, weightBytes: Int = 4) {
    self.count = count
    self.taps = taps
    weightStride = taps * weightBytes
    firsts = .allocate(capacity: count)
    firsts.initialize(repeating: 0, count: count)
    // Kernels load weights in pairs, and may read the one after the last.
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

  /// Creates a filter from windows inside the input, which may differ in length.
  ///
  /// All output pixels get as many taps as the longest window. Windows at the end of the input
  /// begin earlier, with leading weights of zero.
  convenience init<Weight: BitwiseCopyable>(
    windows: [(first: Int, weights: [Weight])], input: Int
  ) {
    let taps = windows.map(\.weights.count).max() ?? 1
    self.init(count: windows.count, taps: taps)
    for (output, window) in windows.enumerated() {
      let first = min(window.first, input - taps)
      firsts[output] = Int32(first)
      for (index, weight) in window.weights.enumerated() {
        setWeight(weight, output: output, tap: window.first - first + index)
      }
    }
  }

  /// Returns the filter that has the same results for `input` pixels in reverse order.
  func mirrored(input: Int) -> AxisFilter {
    let weightBytes = weightStride / taps
    let mirrored = AxisFilter(count: count, taps: taps, weightBytes: weightBytes)
    for output in 0..<count {
      mirrored.firsts[output] = Int32(input - taps) - firsts[output]
      for tap in 0..<taps {
        let weight = weights + (output * weightStride + tap * weightBytes)
        let offset = output * weightStride + (taps - 1 - tap) * weightBytes
        (mirrored.weights + offset).copyMemory(from: weight, byteCount: weightBytes)
      }
    }
    return mirrored
  }

  /// Adds `pixels` to all input positions, for an input with that many more pixels in front.
  func shifted(by pixels: Int) -> AxisFilter {
    for output in 0..<count { firsts[output] += Int32(pixels) }
    return self
  }

  /// Returns a filter with weights of 2⁻²² in the layout that the kernel along rows expects.
  ///
  /// A group of four taps has the lower 11 bits of the first, third, second and fourth weight,
  /// followed by the upper bits in the same order. The taps are padded to a multiple of four with
  /// zero weights.
  func splitIntoLowAndHighBits() -> AxisFilter {
    let split = AxisFilter(count: count, taps: (taps + 3) / 4 * 4)
    split.firsts.update(from: firsts, count: count)
    for output in 0..<count {
      for tap in 0..<taps {
        let weight = weights.load(
          fromByteOffset: output * weightStride + tap * 4, as: Int32.self)
        let offset = output * split.weightStride + tap / 4 * 16 + [0, 4, 2, 6][tap % 4]
        split.weights.storeBytes(
          of: Int16(truncatingIfNeeded: weight & 0x7FF), toByteOffset: offset, as: Int16.self)
        split.weights.storeBytes(
          of: Int16(truncatingIfNeeded: weight >> 11), toByteOffset: offset + 8, as: Int16.self)
      }
    }
    return split
  }
}
