import OcellusModelFile

/// TOPK_V2: the largest elements of every row in descending order, and their indices.
package struct TopK: Operator {
  package static let definition = OperatorDefinition(
    "TOPK_V2", versions: 1...3, types: [.float32, .int32, .int64, .int8, .uint8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]
  let hasInt16Indices: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2, outputs: 2)
    try node.require(try node.input(1), .int32, .int16)
    try node.requireSameType(try node.input(0), try node.output(0))
    let indices = try node.output(1)
    try node.require(indices, .int32, .int16)
    hasInt16Indices = indices.type == .int16
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var shape = context.shape(0)
    let counts = try context.integers(1)
    try context.require(counts.count == 1, "takes one count but has \(counts.count)")
    try context.require(shape.rank > 0, "the input is a scalar")
    let count = max(counts[0], 0)
    try context.require(count <= shape[-1], "\(count) elements are more than a row has")
    try context.require(
      count == 0 || !hasInt16Indices || shape[-1] <= Int(Int16.max),
      "rows are too long for int16 indices")
    shape[-1] = count
    return [shape, shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    switch context.input(0).type {
    case .float32: try select(context, from: Float.self)
    case .int32: try select(context, from: Int32.self)
    case .int64: try select(context, from: Int64.self)
    case .int8: try select(context, from: Int8.self)
    case .uint8: try select(context, from: UInt8.self)
    case .int16: try select(context, from: Int16.self)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  private func select<Element: Comparable & BitwiseCopyable>(
    _ context: RunContext, from _: Element.Type
  ) throws(ModelError) {
    let (length, count) = (context.input(0).shape[-1], context.output(0).shape[-1])
    guard count > 0 else { return }
    let rows = context.input(0).values(Element.self)
    let values = context.output(0).values(Element.self)
    let scratchCount = UnsafeMutableBufferPointer<Int32>.scratchCountForSorting(length)
    try context.withScratch(Int32.self, count: length + scratchCount) { memory throws(ModelError) in
      let (order, scratch) = (Row(rebasing: memory[..<length]), Row(rebasing: memory[length...]))
      for row in 0..<rows.count / length {
        try context.checkpoint()
        let elements = UnsafeMutableBufferPointer(rebasing: rows[row * length..<(row + 1) * length])
        guard let start = elements.baseAddress else { return }
        forEachChunk(of: length, context.control) { chunk in
          for position in chunk { order[position] = Int32(truncatingIfNeeded: position) }
        }
        order.sort(in: scratch, context.control) { Self.precedes($0, $1, in: start) }
        let indices = context.output(1)
        forEachChunk(of: count, workOfEach: 4, context.control) { chunk in
          for rank in chunk {
            values[row * count + rank] = elements[Int(order[rank])]
            store(order[rank], at: row * count + rank, of: indices)
          }
        }
      }
    }
  }

  /// Orders larger elements first and NaN last; among equal elements, the first in the row.
  private static func precedes<Element: Comparable>(
    _ a: Int32, _ b: Int32, in elements: UnsafePointer<Element>
  ) -> Bool {
    let (first, second) = (elements[Int(a)], elements[Int(b)])
    let isNumber = (first == first, second == second)
    if isNumber.0 != isNumber.1 { return isNumber.0 }
    if first > second { return true }
    return first < second ? false : a < b
  }

  private func store(_ index: Int32, at position: Int, of indices: TensorView) {
    if hasInt16Indices {
      indices.values(Int16.self)[position] = Int16(truncatingIfNeeded: index)
    } else {
      indices.values(Int32.self)[position] = index
    }
  }
}
