/// WHERE: the indices of all nonzero elements, one row for each.
package struct Where: Operator {
  package static let definition = OperatorDefinition(
    "WHERE", versions: 1...2,
    types: [.bool, .float32, .int8, .uint8, .int32, .uint32, .int64],
    resultType: .always(.int64)
  ) { node throws(ModelError) in try Self(node) }

  package let shapeInputs = [0]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    _ = try node.input(0)
    try node.require(try node.output(0), .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let rank = context.shape(0).rank
    try context.require(rank > 0, "takes no scalar")
    guard let condition = context.value(0) else { return [[0, rank]] }
    let count = trueCount(condition)
    // A count of a stopped run must not remain planned, even if a later run is not stopped.
    try condition.control?.check()
    return [[count, rank]]
  }

  package func run(_ context: RunContext) {
    let condition = context.input(0)
    let indices = NonzeroIndices(in: condition, to: context.output(0).values(Int64.self))
    switch condition.type {
    case .float32: indices.write(condition.values(Float.self))
    case .int32, .uint32: indices.write(condition.values(Int32.self))
    case .int64: indices.write(condition.values(Int64.self))
    default: indices.write(condition.values(UInt8.self))
    }
  }

  private func trueCount(_ condition: TensorView) -> Int {
    switch condition.type {
    case .float32: nonzeroCount(condition, Float.self)
    case .int32, .uint32: nonzeroCount(condition, Int32.self)
    case .int64: nonzeroCount(condition, Int64.self)
    default: nonzeroCount(condition, UInt8.self)
    }
  }

  private func nonzeroCount<Value: Numeric & BitwiseCopyable>(
    _ condition: TensorView, _: Value.Type
  ) -> Int {
    let values = condition.values(Value.self)
    guard let elements = values.baseAddress else { return 0 }
    var count = 0
    for chunk in condition.chunks(of: values.count) {
      for index in chunk { count &+= Int((elements[index] != 0).byte) }
    }
    return count
  }
}

/// The indices of the nonzero elements of a tensor, row by row along the last axis.
private struct NonzeroIndices {
  private let condition: TensorView
  private let indices: UnsafeMutableBufferPointer<Int64>

  init(in condition: TensorView, to indices: UnsafeMutableBufferPointer<Int64>) {
    self.condition = condition
    self.indices = indices
  }

  private var shape: Shape { condition.shape }

  func write<Value: Numeric>(_ values: UnsafeMutableBufferPointer<Value>) {
    guard let elements = values.baseAddress, var next = indices.baseAddress else { return }
    let end = next + indices.count
    let (length, leading) = (shape[-1], shape.rank - 1)
    var row = [Int](repeating: 0, count: leading)
    var work = StoppableWork(condition.control)
    for start in stride(from: 0, to: values.count, by: max(length, 1)) {
      if work.isOver(after: 4) { return }
      for block in stride(from: 0, to: length, by: Self.blockLength) {
        if work.isOver(after: Self.blockLength) { return }
        let columns = block..<min(block &+ Self.blockLength, length)
        guard containsNonzero(elements + start, columns) else { continue }
        for column in columns {
          // Elements after the last nonzero one would be written beyond the end.
          if next == end { return }
          for axis in 0..<leading { next[axis] = Int64(row[axis]) }
          next[leading] = Int64(column)
          // Zero elements are overwritten by the next: there is no branch, since it would be
          // unpredictable.
          next += (leading &+ 1) &* Int((elements[start &+ column] != 0).byte)
        }
      }
      advance(&row)
    }
  }

  /// The length of blocks; blocks of zeros are skipped.
  private static var blockLength: Int { 16 }

  @inline(__always)
  private func containsNonzero<Value: Numeric>(
    _ elements: UnsafePointer<Value>, _ columns: Range<Int>
  ) -> Bool {
    var found = 0 as UInt8
    for column in columns { found |= (elements[column] != 0).byte }
    return found != 0
  }

  /// Advances to the next row.
  private func advance(_ row: inout [Int]) {
    for axis in row.indices.reversed() {
      row[axis] += 1
      if row[axis] < shape[axis] { return }
      row[axis] = 0
    }
  }
}
