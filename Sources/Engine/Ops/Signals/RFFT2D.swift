/// RFFT2D: the Fourier transform over the last two axes of real numbers.
///
/// The second half of each row is omitted, because it mirrors the first.
package struct RFFT2D: Operator {
  package static let definition = OperatorDefinition(
    "RFFT2D", types: [.float32], resultType: .always(.complex64),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    try node.require(try node.input(1), .int32)
    try node.require(try node.output(0), .complex64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var shape = context.shape(0)
    try context.require(shape.rank >= 2, "the input must have two dimensions at least")
    try context.require(context.shape(1) == [2], "the lengths must be two")
    let lengths = try context.integers(1)
    try context.require(
      lengths.allSatisfy { $0 > 0 && $0 & ($0 - 1) == 0 },
      "the lengths \(lengths) are not powers of two")
    shape[-2] = lengths[0]
    shape[-1] = lengths[1] / 2 + 1
    return [shape]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    guard let lengths = context.value(1)?.integers, lengths.count == 2 else { return 0 }
    let shape = context.shape(0)
    let (rows, columns) = (
      saturatingProduct(lengths[0], FourierTransform.multiplyAdds(length: lengths[1])),
      saturatingProduct(lengths[1] / 2 + 1, FourierTransform.multiplyAdds(length: lengths[0]))
    )
    let (slice, overflow) = rows.addingReportingOverflow(columns)
    return saturatingProduct(shape.product(of: 0..<shape.rank - 2), overflow ? .max : slice)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    guard output.elementCount > 0 else { return }
    let lengths = context.input(1).integers
    let (height, width) = (lengths[0], lengths[1])
    try context.withScratch(
      Complex<Double>.self, count: Slices.scratchCount(height: height, width: width)
    ) { scratch throws(ModelError) in
      guard let scratch = scratch.baseAddress else { return }
      let slices = Slices(
        input: input, output: output, height: height, width: width, scratch: scratch,
        context.control)
      for slice in 0..<input.shape.product(of: 0..<input.shape.rank - 2) {
        try context.checkpoint()
        if width == 1 { slices.reproduceOfficialWidthOne(slice) } else { slices.transform(slice) }
      }
    }
  }
}

/// The matrices that RFFT2D transforms, one after the other.
private struct Slices {
  let input: TensorView
  let output: TensorView
  let height: Int
  let width: Int
  let rowTransform: FourierTransform
  let columnTransform: FourierTransform
  /// Memory for one row, followed by the columns of the result.
  private let row: UnsafeMutablePointer<Complex<Double>>

  private var columnCount: Int { width / 2 + 1 }

  init(
    input: TensorView, output: TensorView, height: Int, width: Int,
    scratch: UnsafeMutablePointer<Complex<Double>>, _ control: RunControl
  ) {
    (self.input, self.output) = (input, output)
    (self.height, self.width) = (height, width)
    rowTransform = FourierTransform(length: width, roots: scratch, control)
    columnTransform = FourierTransform(length: height, roots: scratch + width / 2, control)
    row = scratch + width / 2 + height / 2
  }

  /// Returns the number of scratch elements: the roots of both transforms, a row and the columns.
  static func scratchCount(height: Int, width: Int) -> Int {
    saturatingProduct(height, width / 2 + 1) + width / 2 + height / 2 + width
  }

  /// Transforms the rows first, then the columns of the result.
  func transform(_ slice: Int) {
    let matrix = row + width
    clear(matrix, count: height * columnCount)
    for chunk in output.chunks(of: min(height, input.shape[-2]), workOfEach: 8 + 32 * width) {
      for index in chunk {
        load(row: index, of: slice, to: row)
        rowTransform.apply(row)
        forEachChunk(of: columnCount, output.control) { columns in
          for column in columns { matrix[index * columnCount + column] = row[column] }
        }
      }
    }
    for chunk in output.chunks(of: columnCount, workOfEach: 8 + 32 * height) {
      for column in chunk { columnTransform.apply(matrix + column, stride: columnCount) }
    }
    let results = output.values(Complex<Float>.self)
    let start = slice * height * columnCount
    for chunk in output.chunks(of: height * columnCount) {
      for index in chunk {
        let value = matrix[index]
        results[start + index] = Complex(Float(value.real), Float(value.imaginary))
      }
    }
  }

  private func clear(_ numbers: UnsafeMutablePointer<Complex<Double>>, count: Int) {
    UnsafeMutableRawPointer(numbers).clear(
      byteCount: count * MemoryLayout<Complex<Double>>.stride,
      unless: output.control?.isOver == true)
  }

  /// Reproduces the official results for rows of one element.
  ///
  /// The official FFT library needs at least two elements; it transforms nothing and leaves the
  /// values partly rearranged.
  func reproduceOfficialWidthOne(_ slice: Int) {
    let results = output.values(Complex<Float>.self)
    let start = slice * height
    let column = row
    clear(column, count: height)
    for chunk in output.chunks(of: min(height, input.shape[-2]), workOfEach: 8) {
      for row in chunk { load(row: row, of: slice, to: column + row) }
    }
    for chunk in output.chunks(of: height, workOfEach: 8) {
      for row in chunk {
        let mean = Float((column[row].real + column[(height - row) % height].real) / 2)
        let imaginary = row == height / 2 && row > 0 ? 0 : row > height / 2 ? mean : -mean
        results[start + row] = Complex(mean, imaginary)
      }
    }
  }

  /// Copies a row, truncated or padded with zeros.
  private func load(
    row: Int, of slice: Int, to target: UnsafeMutablePointer<Complex<Double>>
  ) {
    let reals = input.values(Float.self)
    let (rowCount, rowLength) = (input.shape[-2], input.shape[-1])
    let start = (slice * rowCount + row) * rowLength
    forEachChunk(of: width, output.control) { chunk in
      for index in chunk {
        let real = index < rowLength ? Double(reals[start + index]) : 0
        (target + index).initialize(to: Complex(real, 0))
      }
    }
  }
}
