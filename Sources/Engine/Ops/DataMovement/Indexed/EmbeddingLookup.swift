import OcellusModelFile

/// EMBEDDING_LOOKUP: rows of a table by their indices, quantized rows optionally as floats.
package struct EmbeddingLookup: Operator {
  package static let definition = OperatorDefinition(
    "EMBEDDING_LOOKUP", versions: 1...5, types: [.int32],
    make: { node throws(ModelError) in try Self(node) })

  private enum Rows {
    /// Copied unchanged.
    case copied
    /// Converted to floats, with one scale for the table or one for each row.
    case scaled([Float])
    /// Converted to floats, with a scale for each block of a row.
    case scaledBlockwise(BlockwiseWeights)
  }

  private let rows: Rows

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let (table, output) = (try node.input(1), try node.output(0))
    try node.require(try node.input(0), .int32)
    try Self.checkQuantization(of: table, output: output, node)
    if table.quantization?.blockwise != nil {
      try node.require(table, .int4, .int2)
      try node.require(output, .float32, .float16)
      rows = .scaledBlockwise(try BlockwiseWeights(table, node: node))
    } else if table.type != output.type {
      try node.require(table, .int8, .uint8, .int4, .int2)
      try node.require(output, .float32, .float16)
      rows = .scaled(table.quantization?.scales ?? [0])
    } else {
      try node.require(table.type.bitWidth != nil, "rows of \(table.type.name) vary in size")
      rows = .copied
    }
  }

  private static func checkQuantization(
    of table: TensorSpec, output: TensorSpec, _ node: NodeSpec
  ) throws(ModelError) {
    guard let quantization = table.quantization, quantization.blockwise == nil else { return }
    if [.uint8, .int8, .int4, .int2].contains(table.type), output.type == .float32 {
      try node.require(quantization.zeroPoint == 0, "\(table.label) must have the zero point 0")
    }
    if quantization.isPerChannel {
      try node.require(table, .int8, .uint8, .int4, .int2)
      try node.require(output, .float32, .float16)
      try node.require(quantization.axis == 0, "scales must be per row")
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (numbers, table) = (context.shape(0), context.shape(1))
    try context.require(numbers.rank == 1, "the row numbers must have one dimension")
    try context.require(table.rank >= 2, "the table must have two dimensions or more")
    let length = table.product(of: 1..<table.rank)
    switch rows {
    case .copied:
      let bitWidth = context.node.inputs[1]?.type.bitWidth ?? 8
      try context.require(length * bitWidth % 8 == 0, "the rows do not begin at whole bytes")
    case .scaled(let scales):
      try context.require(
        scales.count == 1 || scales.count == table[0], "there are \(scales.count) scales")
    case .scaledBlockwise:
      try context.require(table == context.node.inputs[1]?.shape, "the table changed shape")
    }
    return [Shape([numbers[0]] + table.dimensions.dropFirst())]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (table, output) = (context.input(1), context.output(0))
    let rowCount = table.shape[0]
    let numbers = context.input(0).values(Int32.self)
    let workOfRow = 8 + table.shape.product(of: 1..<table.shape.rank)
    var question = StoppableWork(context.control)
    for position in numbers.indices {
      try context.checkpoint(after: workOfRow, &question)
      let number = numbers[position]
      try context.require(
        (0..<rowCount).contains(Int(number)), "there is no row \(number) of \(rowCount)")
      let row = Int(number)
      switch rows {
      case .copied: copy(row, of: table, to: position, of: output)
      case .scaled(let scales):
        scale(row, of: table, to: position, of: output, blockCount: 1) { _ in
          scales[scales.count == 1 ? 0 : row]
        }
      case .scaledBlockwise(let blocks):
        let blockCount = table.shape[1] / blocks.blockSize
        scale(row, of: table, to: position, of: output, blockCount: blockCount) { block in
          blocks.scales[row * blockCount + block]
        }
      }
    }
  }

  private func copy(_ row: Int, of table: TensorView, to position: Int, of output: TensorView) {
    let byteCount = table.bytes.count / table.shape[0]
    guard byteCount > 0, let source = table.bytes.baseAddress,
      let target = output.bytes.baseAddress
    else { return }
    (target + position * byteCount).copyMemory(
      from: source + row * byteCount, byteCount: byteCount, unless: output.control?.isOver == true)
  }

  /// Writes a row as floats, in blocks with a scale each.
  private func scale(
    _ row: Int, of table: TensorView, to position: Int, of output: TensorView, blockCount: Int,
    by scale: (_ block: Int) -> Float
  ) {
    let length = table.shape.product(of: 1..<table.shape.rank)
    guard length > 0 else { return }
    let blockSize = length / blockCount
    forEachChunk(of: blockCount, workOfEach: 8 + blockSize, output.control) { blocks in
      for block in blocks {
        let start = block * blockSize
        scaleBlock(
          at: row * length + start, of: table, to: position * length + start, of: output,
          count: blockSize, by: scale(block))
      }
    }
  }

  private func scaleBlock(
    at first: Int, of table: TensorView, to target: Int, of output: TensorView, count: Int,
    by scale: Float
  ) {
    let elements = PackedRow(table, from: first)
    forEachChunk(of: count, output.control) { chunk in
      if output.type == .float32, table.type.bitWidth == 8 {
        // The most frequent rows, whose loop the compiler vectorises.
        let bytes = table.values(Int8.self)
        let values = output.values(Float.self)
        for index in chunk { values[target + index] = Float(bytes[first + index]) * scale }
      } else if output.type == .float32 {
        let values = output.values(Float.self)
        for index in chunk { values[target + index] = Float(elements[index]) * scale }
      } else {
        let values = output.values(Float16.self)
        for index in chunk { values[target + index] = Float16(Float(elements[index]) * scale) }
      }
    }
  }
}

/// Elements of at most 8 bits from an index on, read as signed numbers even if they are `uint8`.
///
/// As in the official kernel, packed elements are read from the start of the byte that contains the
/// first, so rows of odd length may begin one element early.
private struct PackedRow {
  private let bytes: UnsafeMutableRawBufferPointer
  private let bitWidth: Int

  init(_ table: TensorView, from element: Int) {
    bitWidth = table.type.bitWidth ?? 8
    bytes = .init(rebasing: table.bytes[(element * bitWidth / 8)...])
  }

  subscript(index: Int) -> Int8 {
    let bit = index * bitWidth
    let byte = bytes[bit / 8]
    // The element is shifted to the top bits, then down again with its sign.
    let shifted = Int8(bitPattern: byte << UInt8(8 - bitWidth - bit % 8))
    return shifted >> Int8(8 - bitWidth)
  }
}
