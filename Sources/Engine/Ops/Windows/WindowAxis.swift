/// One axis of a sliding window: where it stands for each output, and what it covers there.
package struct WindowAxis: Sendable, Hashable {
  package let inputExtent: Int
  package let outputExtent: Int
  /// How many elements of the axis the window looks at.
  package let tapCount: Int
  package let stride: Int
  /// The distance between two taps.
  package let dilation: Int
  /// How far the first window hangs over the beginning.
  package let leadingPadding: Int

  /// The axis of a window that is laid out forwards, from the input's extent.
  ///
  /// - Parameters: all from the file, so of any value that 32 bits can hold.
  /// - Returns: `nil` for numbers below 1 and for a window that is too large to stay inside.
  package init?(
    _ scheme: PaddingScheme, input: Int, tapCount: Int, stride: Int, dilation: Int = 1
  ) {
    guard input >= 0, tapCount >= 1, stride >= 1, dilation >= 1 else { return nil }
    let reach = (tapCount - 1) * dilation + 1
    // The official kernels divide towards zero, so up to a stride may be missing.
    let output =
      switch scheme {
      case .same: (input + stride - 1) / stride
      case .valid: (input + stride - reach) / stride
      }
    guard output >= 0 else { return nil }
    inputExtent = input
    outputExtent = output
    self.tapCount = tapCount
    self.stride = stride
    self.dilation = dilation
    leadingPadding = max((output - 1) * stride + reach - input, 0) / 2
  }

  /// An axis of one element under a window of one tap.
  package static let single = WindowAxis()

  private init() {
    (inputExtent, outputExtent, tapCount, stride, dilation) = (1, 1, 1, 1, 1)
    leadingPadding = 0
  }

  /// The index of the window's first tap, negative where it hangs over the beginning.
  package func origin(of output: Int) -> Int { output * stride - leadingPadding }

  /// The taps that lie inside the input.
  package func taps(at output: Int) -> Range<Int> {
    let origin = origin(of: output)
    let first = origin < 0 ? (dilation - 1 - origin) / dilation : 0
    let room = inputExtent - origin
    let end = room <= 0 ? 0 : min((room + dilation - 1) / dilation, tapCount)
    return first..<max(first, end)
  }

  /// The outputs whose windows reach over an element of the input.
  ///
  /// They have a tap there where the element's distance from their origin is a multiple of
  /// `dilation`.
  package func outputs(coveringInput index: Int) -> Range<Int> {
    let last = (index + leadingPadding) / stride
    let beforeFirst = index + leadingPadding - ((tapCount - 1) * dilation + 1)
    let first = beforeFirst < 0 ? 0 : beforeFirst / stride + 1
    let end = min(last + 1, outputExtent)
    return min(first, end)..<end
  }
}

/// A window that slides over the rows and columns of an image.
package struct WindowGeometry: Sendable, Hashable {
  package let rows: WindowAxis
  package let columns: WindowAxis

  package init(rows: WindowAxis, columns: WindowAxis) {
    self.rows = rows
    self.columns = columns
  }

  /// The same over an only column laid along a line, which is the same memory.
  var alongLine: WindowGeometry {
    let isColumn = columns.inputExtent == 1 && columns.tapCount == 1 && columns.outputExtent == 1
    return isColumn ? WindowGeometry(rows: .single, columns: rows) : self
  }
}

/// What a window does at the edges of its input: the schema's `Padding`.
package enum PaddingScheme: Int, Sendable {
  /// It may hang over the edges, so that there is an output for every stride.
  case same = 0
  /// It stays inside.
  case valid = 1
}
