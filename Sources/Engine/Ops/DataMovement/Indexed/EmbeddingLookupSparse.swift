import OcellusModelFile

/// EMBEDDING_LOOKUP_SPARSE: sums or means of weighted rows of a table, gathered by the indices of a
/// sparse tensor.
package struct EmbeddingLookupSparse: Operator {
  package static let definition = OperatorDefinition(
    "EMBEDDING_LOOKUP_SPARSE", types: [.int32],
    make: { node throws(ModelError) in try Self(node) })

  /// The divisor of a sum of weighted rows.
  private enum Combiner: Int {
    case sum = 0
    case mean = 1
    case rootMeanSquare = 2
  }

  package let shapeInputs = [2]
  private let combiner: Combiner

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(5)
    for position in 0..<3 { try node.require(try node.input(position), .int32) }
    for tensor in [try node.input(3), try node.input(4), try node.output(0)] {
      try node.require(tensor, .float32)
    }
    combiner = try node.options(BuiltinOptionsTag.embeddingLookupSparse)
      .choice(0, of: Combiner.self, named: "the combiner")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (numbers, indices) = (context.shape(0), context.shape(1))
    let (weights, table) = (context.shape(3), context.shape(4))
    try context.require(
      numbers.rank == 1 && indices.rank == 2 && context.shape(2).rank == 1 && weights.rank == 1,
      "operands have the wrong number of dimensions")
    try context.require(
      indices[0] == numbers[0] && weights[0] == numbers[0],
      "there must be indices and a weight for each row number")
    try context.require(table.rank >= 2, "the table must have two dimensions or more")
    let extents = try context.integers(2)
    try context.require(
      extents.count == indices[1] && !extents.isEmpty,
      "the indices do not go with the dense shape \(extents)")
    return [Shape(extents.dropLast() + table.dimensions.dropFirst())]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (indices, table) = (context.input(1), context.input(4))
    let rank = indices.shape[1]
    let extents = Array(context.input(2).integers.prefix(rank - 1))
    let rowLength = table.shape.product(of: 1..<table.shape.rank)
    let (rows, weights) = (table.values(Float.self), context.input(3).values(Float.self))
    let coordinates = indices.values(Int32.self)
    var sums = RowSums(context.output(0), rowLength: rowLength)
    let numbers = context.input(0).values(Int32.self)
    var question = StoppableWork(context.control)
    for position in numbers.indices {
      try context.checkpoint(after: 8 + rank + 2 * rowLength, &question)
      let number = numbers[position]
      try context.require(
        (0..<table.shape[0]).contains(Int(number)),
        "there is no row \(number) of \(table.shape[0])")
      var bucket = 0
      for (axis, extent) in extents.enumerated() {
        bucket = bucket &* extent &+ Int(coordinates[position * rank + axis])
      }
      if bucket != sums.bucket {
        finish(&sums)
        sums.start(bucket)
      }
      let start = Int(number) * rowLength
      sums.add(
        .init(rebasing: rows[start..<start + rowLength]), weight: weights[position])
    }
    finish(&sums)
  }

  private func finish(_ sums: inout RowSums) {
    switch combiner {
    case .sum: break
    case .mean: sums.divide(by: sums.weight)
    case .rootMeanSquare: sums.divide(by: sums.squaredWeight.squareRoot())
    }
  }
}

/// Weighted sums of rows, one row of the output after the other.
///
/// Rows outside the output are left out, as in the official kernel.
private struct RowSums {
  private let tensor: TensorView
  private let output: UnsafeMutableBufferPointer<Float>
  private let rowLength: Int
  private(set) var bucket = 0
  private(set) var weight: Float = 0
  private(set) var squaredWeight: Float = 0
  private var isEmpty = true

  init(_ tensor: TensorView, rowLength: Int) {
    tensor.fill(withInteger: 0)
    (self.tensor, output, self.rowLength) = (tensor, tensor.values(), rowLength)
  }

  mutating func start(_ bucket: Int) {
    self.bucket = bucket
    (weight, squaredWeight, isEmpty) = (0, 0, true)
  }

  private var target: UnsafeMutableBufferPointer<Float>? {
    guard rowLength > 0, (0..<output.count / rowLength).contains(bucket) else { return nil }
    return .init(rebasing: output[bucket * rowLength..<(bucket + 1) * rowLength])
  }

  mutating func add(_ row: UnsafeMutableBufferPointer<Float>, weight: Float) {
    isEmpty = false
    self.weight += weight
    squaredWeight += weight * weight
    guard let target else { return }
    forEachChunk(of: row.count, tensor.control) { chunk in
      for index in chunk { target[index] += row[index] * weight }
    }
  }

  func divide(by divisor: Float) {
    guard !isEmpty, let target else { return }
    forEachChunk(of: target.count, tensor.control) { chunk in
      for index in chunk { target[index] /= divisor }
    }
  }
}
