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
  /// All output pixels get the number of taps that the largest window has; windows at the end begin
  /// earlier, with weights of zero.
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

  /// The filter with the same results for `input` pixels in the opposite order.
  func mirrored(input: Int) -> AxisFilter {
    let weightBytes = weightStride / taps
    let mirrored = AxisFilter(count: count, taps: taps, weightBytes: weightBytes)
    for output in 0..<count {
      mirrored.firsts[output] = Int32(input - taps) - firsts[output]
      for tap in 0..<taps {
        let weight = weights + (output * weightStride + tap * weightBytes)
        let place = output * weightStride + (taps - 1 - tap) * weightBytes
        (mirrored.weights + place).copyMemory(from: weight, byteCount: weightBytes)
      }
    }
    return mirrored
  }

  /// Counts the pixels of the input from a place that lies so many of them earlier.
  func shifted(by pixels: Int) -> AxisFilter {
    for output in 0..<count { firsts[output] += Int32(pixels) }
    return self
  }

  /// The same filter with weights of 2⁻²² as the kernel along rows takes them.
  ///
  /// Of every four these are the lower 11 bits of the first, third, second and fourth, and then the
  /// upper bits of each. What is missing to a multiple of four has weights of zero.
  func splitIntoHalves() -> AxisFilter {
    let split = AxisFilter(count: count, taps: (taps + 3) / 4 * 4)
    split.firsts.update(from: firsts, count: count)
    for output in 0..<count {
      for tap in 0..<taps {
        let weight = weights.load(
          fromByteOffset: output * weightStride + tap * 4, as: Int32.self)
        let place = output * split.weightStride + tap / 4 * 16 + [0, 4, 2, 6][tap % 4]
        split.weights.storeBytes(
          of: Int16(truncatingIfNeeded: weight & 0x7FF), toByteOffset: place, as: Int16.self)
        split.weights.storeBytes(
          of: Int16(truncatingIfNeeded: weight >> 11), toByteOffset: place + 8, as: Int16.self)
      }
    }
    return split
  }
}
