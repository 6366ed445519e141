/// The operands of one block of a matrix multiplication; `Epilogue` describes its epilogue.
@frozen public struct GEMMBlock<Epilogue> {
  /// The geometry of the rows (patches) in `input`; padding counts as zero.
  public var patches: PatchGeometry
  /// The first element of the first pixel, plus the group's first channel.
  public var input: UnsafeRawPointer
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The element of row 0 and column 0 of the result.
  public var output: UnsafeMutableRawPointer
  /// The distance between output rows, in elements.
  public var outputStride: Int
  /// The rows of the result to compute.
  public var rows: Range<Int>
  /// The columns of the result to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// The epilogue: how sums become results.
  public var epilogue: Epilogue
  /// Scratch memory of `scratchByteCount(patches)` bytes, aligned to 64, for this call only.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the operands.
  public init(
    patches: PatchGeometry, input: UnsafeRawPointer, packed: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, outputStride: Int, rows: Range<Int>, columns: Range<Int>,
    epilogue: Epilogue, scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.outputStride = outputStride
    self.rows = rows
    self.columns = columns
    self.epilogue = epilogue
    self.scratch = scratch
  }

  /// Returns the same block with another epilogue.
  public func finished<Other>(by epilogue: Other) -> GEMMBlock<Other> {
    GEMMBlock<Other>(
      patches: patches, input: input, packed: packed, output: output, outputStride: outputStride,
      rows: rows, columns: columns, epilogue: epilogue, scratch: scratch)
  }
}

/// The operands of a range of output pixels of a depthwise convolution; `Epilogue` describes its
/// epilogue.
@frozen public struct WindowBlock<Epilogue> {
  /// The windows, with `channels` equal to `pixelStride`; padding counts as zero.
  public var patches: PatchGeometry
  /// The first element of the input.
  public var input: UnsafeRawPointer
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The first element of the output.
  public var output: UnsafeMutableRawPointer
  /// The output pixels to compute, counted over batch, height and width.
  public var pixels: Range<Int>
  /// The epilogue: how sums become results.
  public var epilogue: Epilogue
  /// Scratch memory of `scratchByteCount(patches)` bytes, aligned to 64, for this call only; float
  /// kernels need none.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the operands.
  public init(
    patches: PatchGeometry, input: UnsafeRawPointer, packed: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, pixels: Range<Int>, epilogue: Epilogue,
    scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.pixels = pixels
    self.epilogue = epilogue
    self.scratch = scratch
  }
}

/// The epilogue of float sums: the clamping range of the fused activation.
@frozen public struct FloatEpilogue: Sendable {
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// Whether every product is rounded before it is added (slower), or fused multiply-add may be
  /// used.
  public var numerics: Numerics

  /// Creates an epilogue.
  public init(minimum: Float, maximum: Float, numerics: Numerics = .fast) {
    self.minimum = minimum
    self.maximum = maximum
    self.numerics = numerics
  }
}

/// The epilogue of integer sums, besides the scaling that was packed with the weights.
@frozen public struct QuantizedEpilogue {
  /// The format of the activations that the weights were packed for; its zero point fills padding.
  public var inputFormat: QuantizedFormat
  /// The zero point and range of the output bytes; ignored for 32-bit and float results.
  public var range: QuantizedRange
  /// The quantization of the inputs, if the weights were packed for `SumScaling.hybrid`.
  public var hybrid: HybridScaling?

  /// Creates an epilogue.
  public init(inputFormat: QuantizedFormat, range: QuantizedRange, hybrid: HybridScaling? = nil) {
    self.inputFormat = inputFormat
    self.range = range
    self.hybrid = hybrid
  }
}
