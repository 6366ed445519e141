import OcellusKernelABI

/// The input and the output of a transposed convolution, turned upside down in scratch memory: rows
/// from the last to the first, and so the pixels of each.
struct TurnedImages: Sendable {
  private let itemCount: Int
  private let inputPixels: Int
  private let inputChannels: Int
  private let outputPixels: Int
  private let outputChannels: Int

  init(_ product: TransposedConvolution) {
    let (rows, columns) = (product.geometry.rows, product.geometry.columns)
    itemCount = product.itemCount
    inputPixels = rows.outputExtent * columns.outputExtent
    inputChannels = product.inputChannels
    outputPixels = rows.inputExtent * columns.inputExtent
    outputChannels = product.outputChannels
  }

  /// The size of the turned input, which comes first.
  var inputByteCount: Int {
    ArenaPlanner.aligned(saturatingProduct(itemCount, inputPixels, inputChannels, 4))
  }

  /// The size of both.
  var byteCount: Int {
    inputByteCount
      + ArenaPlanner.aligned(saturatingProduct(itemCount, outputPixels, outputChannels, 4))
  }

  func turnInput(
    _ input: UnsafeRawPointer, in scratch: UnsafeMutableRawPointer, _ workers: WorkersReference
  ) {
    turn(input, to: scratch, pixels: inputPixels, channels: inputChannels, workers)
  }

  func turnOutput(
    in scratch: UnsafeMutableRawPointer, to output: UnsafeMutableRawPointer,
    _ workers: WorkersReference
  ) {
    turn(
      scratch + inputByteCount, to: output, pixels: outputPixels, channels: outputChannels,
      workers)
  }

  private func turn(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, pixels: Int, channels: Int,
    _ workers: WorkersReference
  ) {
    let atOnce = max(Step.longestSlice / channels, 1)
    for item in 0..<itemCount {
      if item > 0, workers.isOver { return }
      let offset = item * pixels * channels * 4
      let source = (source + offset).assumingMemoryBound(to: Float.self)
      let target = (target + offset).assumingMemoryBound(to: Float.self)
      workers.forEachSlice(of: 0..<pixels, length: atOnce) { slice in
        for pixel in slice {
          let from = source + pixel * channels
          let to = target + (pixels - 1 - pixel) * channels
          for channel in 0..<channels { to[channel] = from[channel] }
        }
      }
    }
  }
}
