/// One axis of a sliding window: its position for each output, and the elements that it covers.
package struct WindowAxis: Sendable, Hashable {
  package let inputExtent: Int
  package let outputExtent: Int
  /// The number of taps, the elements of the axis that the window reads.
  package let tapCount: Int
  package let stride: Int
  /// The distance between adjacent taps.
  package let dilation: Int
  /// The number of elements by which the first window starts before the input.
  package let leadingPadding: Int

  /// Makes the axis of a window of an operator that is not transposed, from the input's extent.
  ///
  /// The parameters come from the file and may have any 32-bit value.
  ///
  /// - Returns: `nil` for numbers below 1 and for a window that is too large to stay inside.
  package init?(
    _ scheme: PaddingScheme, input: Int, tapCount: Int, stride: Int, dilation: Int = 1
  ) {
    guard input >= 0, tapCount >= 1, stride >= 1, dilation >= 1 else { return nil }
    let reach = (tapCount - 1) * dilation + 1
    // The division rounds towards zero, as in the official kernels: a window that exceeds the input
    // by less than two strides gives an empty output.
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

  private init(_ axis: WindowAxis, leadingPadding: Int) {
    (inputExtent, outputExtent) = (axis.inputExtent, axis.outputExtent)
    (tapCount, stride, dilation) = (axis.tapCount, axis.stride, axis.dilation)
    self.leadingPadding = leadingPadding
  }

  /// The axis counted from its other end; `nil` where the last window ends before the input.
  fileprivate var turned: WindowAxis? {
    let reach = (outputExtent - 1) * stride + (tapCount - 1) * dilation + 1
    let trailingPadding = reach - leadingPadding - inputExtent
    return trailingPadding < 0 ? nil : WindowAxis(self, leadingPadding: trailingPadding)
  }

  /// Returns the index of the window's first tap, negative where the window starts before the
  /// input.
  package func origin(of output: Int) -> Int { output * stride - leadingPadding }

  /// Returns the taps that lie inside the input.
  package func taps(at output: Int) -> Range<Int> {
    let origin = origin(of: output)
    let first = origin < 0 ? (dilation - 1 - origin) / dilation : 0
    let remaining = inputExtent - origin
    let end = remaining <= 0 ? 0 : min((remaining + dilation - 1) / dilation, tapCount)
    return first..<max(first, end)
  }

  /// Returns the outputs whose windows span an element of the input.
  ///
  /// A window has a tap at the element if the element's distance from the window's origin is a
  /// multiple of `dilation`.
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

  /// The geometry over an image that is turned upside down; `nil` where the last windows end before
  /// the image.
  var turned: WindowGeometry? {
    guard let rows = rows.turned, let columns = columns.turned else { return nil }
    return WindowGeometry(rows: rows, columns: columns)
  }

  /// The same geometry with a single column laid out as a row, which has the same memory layout.
  var asSingleRow: WindowGeometry {
    let isColumn = columns.inputExtent == 1 && columns.tapCount == 1 && columns.outputExtent == 1
    return isColumn ? WindowGeometry(rows: .single, columns: rows) : self
  }
}

/// The treatment of a window at the edges of its input: the schema's `Padding`.
package enum PaddingScheme: Int, Sendable {
  /// The window may extend beyond the edges, with an output for every stride.
  case same = 0
  /// The window stays inside the input.
  case valid = 1
}
