/// HASHTABLE_LOOKUP: the rows of a table for sorted keys; missing keys give zeros.
package struct HashtableLookup: Operator {
  package static let definition = OperatorDefinition(
    "HASHTABLE_LOOKUP", types: [.int32], make: { node throws(ModelError) in try Self(node) })

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3, outputs: 2)
    try node.require(try node.input(0), .int32)
    try node.require(try node.input(1), .int32)
    try node.require(try node.output(1), .uint8)
    let (table, output) = (try node.input(2), try node.output(0))
    try node.requireSameType(table, output)
    try node.require(
      table.type == .string || table.type.byteWidth != nil,
      "rows of \(table.type.name) cannot be looked up")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (wanted, keys, table) = (context.shape(0), context.shape(1), context.shape(2))
    try context.require(wanted.rank == 1 && keys.rank == 1, "keys must have one dimension")
    try context.require(
      table.rank >= 1 && table[0] == keys[0], "there must be a row for each key")
    if context.node.inputs[2]?.type == .string {
      try context.require(table.rank == 1, "a table of strings must have one dimension")
    }
    return [Shape([wanted[0]] + table.dimensions.dropFirst()), [wanted[0]]]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (table, hits) = (context.input(2), context.output(1).values(UInt8.self))
    let keys = context.input(1).values(Int32.self)
    try context.require(!keys.isEmpty, "the table is empty")
    let wanted = context.input(0).values(Int32.self)
    // Rows are searched for again where they are needed, since a list of them would take memory.
    for chunk in context.chunks(of: wanted.count, workOfEach: 32) {
      for position in chunk {
        hits[position] = Self.row(of: wanted[position], in: keys) == nil ? 0 : 1
      }
    }
    guard table.type == .string else { return copyRows(context) }
    let strings = try context.strings(of: table)
    try context.makeStrings(0, shape: [wanted.count]) { position in
      Self.row(of: wanted[position], in: keys).map { strings[$0] }
        ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  private func copyRows(_ context: RunContext) {
    let (table, output) = (context.input(2), context.output(0))
    let (wanted, keys) = (context.input(0).values(Int32.self), context.input(1).values(Int32.self))
    output.fill(withInteger: 0)
    let byteCount = table.bytes.count / table.shape[0]
    guard byteCount > 0, let source = table.bytes.baseAddress,
      let target = output.bytes.baseAddress
    else { return }
    for chunk in context.chunks(of: wanted.count, workOfEach: 32 + byteCount / 32) {
      for position in chunk {
        guard let row = Self.row(of: wanted[position], in: keys) else { continue }
        (target + position * byteCount).copyMemory(
          from: source + row * byteCount, byteCount: byteCount, unless: context.control.isOver)
      }
    }
  }

  /// Returns the row of a key, found as the C library's `bsearch` finds it.
  ///
  /// The search determines which of several equal keys is found, and the result for unsorted keys.
  private static func row(of key: Int32, in keys: UnsafeMutableBufferPointer<Int32>) -> Int? {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      let difference = key &- keys[middle]
      if difference == 0 { return middle }
      if difference < 0 { high = middle } else { low = middle + 1 }
    }
    return nil
  }
}
