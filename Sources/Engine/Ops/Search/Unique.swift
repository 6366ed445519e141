import OcellusModelFile

/// UNIQUE: the distinct elements of a vector in the order of their first occurrence, and the index
/// among them for each element.
package struct Unique: Operator {
  package static let definition = OperatorDefinition(
    "UNIQUE", types: [.int8, .int16, .int32, .int64, .float32, .uint8],
    make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .shapesOutputsAtRun

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1, outputs: 2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.output(1), .int32, .int64)
    let type = try node.options(BuiltinOptionsTag.unique).integer(
      0, as: Int8.self, default: ElementType.int32.rawValue)
    try node.require(
      type == node.output(1).type.rawValue, "the places do not have the type in the options")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  package func run(_ context: RunContext) throws(ModelError) {
    let values = context.input(0)
    try context.require(values.shape.rank == 1, "takes a vector")
    let indices = try context.makeOutput(1, shape: values.shape)
    let (floats, integers) = (values.values(Float.self), values.integers)
    try withKinds(context, count: values.elementCount) { kinds throws(ModelError) in
      for chunk in context.chunks(of: values.elementCount, workOfEach: 16) {
        for index in chunk {
          let kind =
            values.type == .float32
            // Zeros of both signs are equal.
            ? kinds.kind(of: index) { floats[$0] == 0 ? 0 : Int(floats[$0].bitPattern) }
            : kinds.kind(of: index) { integers[$0] }
          if indices.type == .int64 {
            indices.values(Int64.self)[index] = Int64(kind)
          } else {
            indices.values(Int32.self)[index] = Int32(kind)
          }
        }
      }
      let unique = try context.makeOutput(0, shape: [kinds.count])
      kinds.copyFirsts(of: values, to: unique)
    }
  }

  private func withKinds(
    _ context: RunContext, count: Int, _ body: (inout DistinctValues) throws(ModelError) -> Void
  ) throws(ModelError) {
    try context.withScratch(Int32.self, count: count) { firsts throws(ModelError) in
      try context.withScratch(Int32.self, count: HashSlots.count(for: count)) {
        slots throws(ModelError) in
        var kinds = DistinctValues(slots: HashSlots(slots), firsts: firsts)
        try body(&kinds)
      }
    }
  }
}

/// A hash table of the distinct elements of a vector, in memory charged to the budget.
private struct DistinctValues {
  private let slots: HashSlots
  /// The index of the first element with each distinct value.
  private let firsts: UnsafeMutableBufferPointer<Int32>
  private(set) var count = 0

  init(slots: HashSlots, firsts: UnsafeMutableBufferPointer<Int32>) {
    (self.slots, self.firsts) = (slots, firsts)
  }

  /// Returns the index of an element's distinct value, a new one if no earlier element has its key.
  mutating func kind(of index: Int, key: (Int) -> Int) -> Int {
    let value = key(index)
    let slot = slots.slot(hash: value.hashValue) { key(Int(firsts[$0])) == value }
    if let kind = slots[slot] { return kind }
    firsts[count] = Int32(index)
    slots.put(count, in: slot)
    count += 1
    return count - 1
  }

  func copyFirsts(of values: TensorView, to unique: TensorView) {
    let width = values.type.byteWidth ?? 1
    guard let source = values.bytes.baseAddress, let target = unique.bytes.baseAddress else {
      return
    }
    for chunk in unique.chunks(of: count, workOfEach: 4) {
      for kind in chunk {
        (target + kind * width).copyMemory(
          from: source + Int(firsts[kind]) * width, byteCount: width)
      }
    }
  }
}
