/// Where windows of a convolution or a pool lie in its input, along one axis.
struct WindowAxis {
  let inputCount: Int
  let outputCount: Int
  let size: Int
  let step: Int
  let dilation: Int
  /// The elements of the padding before the input.
  let before: Int

  init(
    input: Int, output: Int, size: Int, step: Int, dilation: Int = 1, isSame: Bool
  ) {
    (inputCount, outputCount, self.size) = (input, output, size)
    (self.step, self.dilation) = (step, dilation)
    let covered = (output - 1) * step + (size - 1) * dilation + 1
    before = isSame ? max(covered - input, 0) / 2 : 0
  }

  /// Returns the input's element under one of a window's, or `nil` in the padding.
  func source(of output: Int, _ tap: Int) -> Int? {
    let position = output * step + tap * dilation - before
    return position >= 0 && position < inputCount ? position : nil
  }
}

/// Steps, sizes and distances of windows beyond this are refused: no model needs them, and they could
/// make loops endless.
let largestWindow = 1 << 20

/// Where a transposed convolution's windows lie in its output, along one axis.
struct TransposedAxis {
  let inputCount: Int
  let size: Int
  let step: Int
  let before: Int

  init(input: Int, output: Int, size: Int, step: Int, isSame: Bool) {
    (inputCount, self.size, self.step) = (input, size, step)
    let whole = (input - 1) * step + size
    before = isSame ? max(whole - output, 0) / 2 : 0
  }

  /// Returns the input's element that reaches an output through one of a window's.
  func source(of output: Int, _ tap: Int) -> Int? {
    let distance = output + before - tap
    guard distance >= 0, distance.isMultiple(of: step), distance / step < inputCount else {
      return nil
    }
    return distance / step
  }
}
