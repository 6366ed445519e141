/// The operands of one block of a matrix product; `Finish` says what becomes of its sums.
@frozen public struct ProductBlock<Finish> {
  /// How the rows are cut out of `input`; padding stands for zero.
  public var patches: PatchGeometry
  /// The first element of the first pixel (plus the group's first channel).
  public var input: UnsafeRawPointer
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The element of row 0 and column 0 of the product.
  public var output: UnsafeMutableRawPointer
  /// The elements from one output row to the next.
  public var outputStride: Int
  /// The rows of the product to compute.
  public var rows: Range<Int>
  /// The columns of the product to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// What becomes of the sums.
  public var finish: Finish
  /// Memory of `scratchByteCount(patches)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the operands.
  public init(
    patches: PatchGeometry, input: UnsafeRawPointer, packed: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, outputStride: Int, rows: Range<Int>, columns: Range<Int>,
    finish: Finish, scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.outputStride = outputStride
    self.rows = rows
    self.columns = columns
    self.finish = finish
    self.scratch = scratch
  }

  /// The same operands, whose sums are finished in another way.
  public func finished<Other>(by finish: Other) -> ProductBlock<Other> {
    ProductBlock<Other>(
      patches: patches, input: input, packed: packed, output: output, outputStride: outputStride,
      rows: rows, columns: columns, finish: finish, scratch: scratch)
  }
}

/// The operands of some output pixels of a depthwise convolution; `Finish` says what becomes of its
/// sums.
@frozen public struct WindowBlock<Finish> {
  /// Where the window finds its pixels, of which `channels` equals `pixelStride`; padding stands
  /// for zero.
  public var patches: PatchGeometry
  /// The first element of the input.
  public var input: UnsafeRawPointer
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The first element of the output.
  public var output: UnsafeMutableRawPointer
  /// The output pixels to compute, counted over batch, height and width.
  public var pixels: Range<Int>
  /// What becomes of the sums.
  public var finish: Finish
  /// Memory of `scratchByteCount(patches)` bytes aligned to 64, for this call alone; float kernels
  /// need none.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the operands.
  public init(
    patches: PatchGeometry, input: UnsafeRawPointer, packed: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, pixels: Range<Int>, finish: Finish,
    scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.pixels = pixels
    self.finish = finish
    self.scratch = scratch
  }
}

/// What becomes of sums of floats.
@frozen public struct FloatFinish: Sendable {
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// Whether products are rounded before they are added, which takes longer.
  public var numerics: Numerics

  /// Creates a finish.
  public init(minimum: Float, maximum: Float, numerics: Numerics = .fast) {
    self.minimum = minimum
    self.maximum = maximum
    self.numerics = numerics
  }
}

/// What becomes of sums of products of bytes, beside the scaling that was packed with the weights.
@frozen public struct QuantizedFinish {
  /// The format that the weights were packed for; padding is filled with its zero point.
  public var inputFormat: QuantizedFormat
  /// The zero point and range of the output bytes; sums and floats ignore it.
  public var range: QuantizedRange
  /// How inputs were rounded, where the weights were packed for `SumScaling.hybrid`.
  public var hybrid: HybridScaling?

  /// Creates a finish.
  public init(inputFormat: QuantizedFormat, range: QuantizedRange, hybrid: HybridScaling? = nil) {
    self.inputFormat = inputFormat
    self.range = range
    self.hybrid = hybrid
  }
}
