/// SEGMENT_SUM and UNSORTED_SEGMENT_…: slices with the same segment number are reduced to one.
package struct SegmentReduction: Operator {
  package static let sortedSum = OperatorDefinition(
    "SEGMENT_SUM", types: [.int32, .float32]
  ) { node throws(ModelError) in try Self(node, .sum, isSorted: true) }
  package static let maximum = definition("UNSORTED_SEGMENT_MAX", .maximum)
  package static let minimum = definition("UNSORTED_SEGMENT_MIN", .minimum)
  package static let product = definition("UNSORTED_SEGMENT_PROD", .product)
  package static let sum = definition("UNSORTED_SEGMENT_SUM", .sum)

  private static func definition(_ name: String, _ kind: Kind) -> OperatorDefinition {
    OperatorDefinition(name, types: [.int32, .float32]) { node throws(ModelError) in
      try Self(node, kind, isSorted: false)
    }
  }

  private enum Kind { case sum, product, maximum, minimum }

  /// The operand that decides the shape: the sorted segment numbers, or the number of segments.
  package let shapeInputs: [Int]
  private let kind: Kind
  private let isSorted: Bool

  private init(_ node: NodeSpec, _ kind: Kind, isSorted: Bool) throws(ModelError) {
    (self.kind, self.isSorted) = (kind, isSorted)
    shapeInputs = isSorted ? [1] : [2]
    try node.requireOperands(isSorted ? 2 : 3)
    for position in 1..<node.inputs.count { try node.require(node.input(position), .int32) }
    try node.requireSameType(node.input(0), node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (data, numbers) = (context.shape(0), context.shape(1))
    try context.require(
      numbers.dimensions.elementsEqual(data.dimensions.prefix(numbers.rank)),
      "the segment numbers do not fit the data")
    let count = isSorted ? try sortedCount(context) : try givenCount(context)
    return [Shape([count] + data.dimensions.dropFirst(numbers.rank))]
  }

  private func givenCount(_ context: ShapeContext) throws(ModelError) -> Int {
    let counts = try context.integers(2)
    try context.require(
      counts.count == 1 && context.shape(2).rank <= 1 && counts[0] >= 0,
      "the number of segments is \(counts)")
    return counts[0]
  }

  private func sortedCount(_ context: ShapeContext) throws(ModelError) -> Int {
    try context.require(context.shape(1).rank == 1, "the segment numbers are no vector")
    var last = -1
    guard let numbers = context.value(1)?.integers else { return 0 }
    for (position, number) in numbers.enumerated() {
      try context.require(
        number == last + 1 || (number == last && position > 0),
        "segment number \(number) follows \(last)")
      last = number
    }
    return last + 1
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let count = context.output(0).shape[0]
    let numbers = context.input(1).values(Int32.self)
    for chunk in context.chunks(of: numbers.count) {
      for index in chunk {
        let number = numbers[index]
        try context.require(number < count, "segment number \(number) is not below \(count)")
      }
    }
    // Numbers that were not checked might point beyond the result.
    try context.checkpoint()
    switch (context.output(0).type, kind) {
    case (.float32, .sum): reduce(context, from: Float(0), +)
    case (.float32, .product): reduce(context, from: Float(1), *)
    // Unlike Swift's `max`, these keep the previous value if the new one is NaN, as in C++.
    case (.float32, .maximum):
      reduce(context, from: -Float.greatestFiniteMagnitude) { $0 < $1 ? $1 : $0 }
    case (.float32, .minimum):
      reduce(context, from: Float.greatestFiniteMagnitude) { $1 < $0 ? $1 : $0 }
    case (_, .sum): reduce(context, from: Int32(0), &+)
    case (_, .product): reduce(context, from: Int32(1), &*)
    case (_, .maximum): reduce(context, from: Int32.min, max)
    case (_, .minimum): reduce(context, from: Int32.max, min)
    }
  }

  /// Reduces slices by segment; slices with negative numbers are omitted.
  private func reduce<Element: BitwiseCopyable>(
    _ context: RunContext, from start: Element, _ combine: (Element, Element) -> Element
  ) {
    let (source, target) = (
      context.input(0).values(Element.self), context.output(0).values(Element.self)
    )
    let shape = context.output(0).shape
    let length = shape.product(of: 1..<shape.rank)
    target.update(repeating: start, context.control)
    guard length > 0 else { return }
    let numbers = context.input(1).values(Int32.self)
    for slices in context.chunks(of: numbers.count, workOfEach: length) {
      for slice in slices where numbers[slice] >= 0 {
        let (from, to) = (slice * length, Int(numbers[slice]) * length)
        for chunk in context.chunks(of: length) {
          for index in chunk {
            target[to + index] = combine(target[to + index], source[from + index])
          }
        }
      }
    }
  }
}
