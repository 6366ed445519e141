import OcellusModelFile

/// CUMSUM: for every element, the sum of the elements up to it along an axis.
package struct CumulativeSum: Operator {
  package static let definition = OperatorDefinition(
    "CUMSUM", types: [.float32, .int32, .int64], make: { node throws(ModelError) in try Self(node) }
  )

  /// Whether an element is left out of its own sum.
  private let isExclusive: Bool
  /// Whether the sums run from the end.
  private let isReversed: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.require(try node.input(1), .int32)
    try node.requireSameType(try node.input(0), try node.output(0))
    let options = node.options(BuiltinOptionsTag.cumsum)
    isExclusive = try options.bool(0)
    isReversed = try options.bool(1)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.require(context.shape(0).rank > 0, "the input is a scalar")
    try context.require(context.shape(1).elementCount == 1, "takes one axis")
    return [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (axis, rank) = (context.input(1).integers[0], context.input(0).shape.rank)
    try context.require((-rank..<rank).contains(axis), "axis \(axis) is out of range")
    let position = axis < 0 ? axis + rank : axis
    switch context.input(0).type {
    case .float32: sum(context, along: position, of: Float.self)
    case .int32: sum(context, along: position, of: Int32.self)
    case .int64: sum(context, along: position, of: Int64.self)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  private func sum<Element: ReducibleElement>(
    _ context: RunContext, along axis: Int, of _: Element.Type
  ) {
    let shape = context.input(0).shape
    let (input, output) = (
      context.input(0).values(Element.self), context.output(0).values(Element.self)
    )
    let (extent, inner) = (shape[axis], shape.product(of: axis + 1..<shape.rank))
    guard !input.isEmpty else { return }
    if inner == 1 { return sumContiguousRows(input, output, length: extent, context.control) }
    let blockCount = input.count / (extent * inner)
    for chunk in context.chunks(of: blockCount, workOfEach: extent * inner) {
      for block in chunk {
        sumRows(
          input, output, from: block * extent * inner, count: extent, length: inner,
          context.control)
      }
    }
  }

  /// Sums along contiguous rows, four at a time, since each addition waits for the one before it.
  private func sumContiguousRows<Element: ReducibleElement>(
    _ input: UnsafeMutableBufferPointer<Element>, _ output: UnsafeMutableBufferPointer<Element>,
    length: Int, _ control: RunControl
  ) {
    guard let input = input.baseAddress, let results = output.baseAddress else { return }
    let end = output.count
    var start = 0
    var question = StoppableWork(control)
    while start + 4 * length <= end {
      sumQuartet(input + start, results + start, length: length, control)
      start += 4 * length
      if question.isOver(after: 4 * length) { return }
    }
    while start < end {
      sumContiguousRow(input + start, results + start, length: length, control)
      start += length
      if question.isOver(after: length) { return }
    }
  }

  private func sumQuartet<Element: ReducibleElement>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, length: Int,
    _ control: RunControl
  ) {
    var (a, b, c, d) = (Element.zero, Element.zero, Element.zero, Element.zero)
    for chunk in StoppableChunks(of: length, workOfEach: 4, control) {
      for index in chunk {
        let first = isReversed ? length &- 1 &- index : index
        let second = first &+ length
        let third = second &+ length
        let fourth = third &+ length
        let (e, f) = (Element.sum(a, input[first]), Element.sum(b, input[second]))
        let (g, h) = (Element.sum(c, input[third]), Element.sum(d, input[fourth]))
        (output[first], output[second]) = isExclusive ? (a, b) : (e, f)
        (output[third], output[fourth]) = isExclusive ? (c, d) : (g, h)
        (a, b, c, d) = (e, f, g, h)
      }
    }
  }

  private func sumContiguousRow<Element: ReducibleElement>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, length: Int,
    _ control: RunControl
  ) {
    var sum = Element.zero
    for chunk in StoppableChunks(of: length, control) {
      for index in chunk {
        let position = isReversed ? length &- 1 &- index : index
        let next = Element.sum(sum, input[position])
        output[position] = isExclusive ? sum : next
        sum = next
      }
    }
  }

  /// Sums across rows, each computed from the row before it, which reads memory in order.
  private func sumRows<Element: ReducibleElement>(
    _ input: UnsafeMutableBufferPointer<Element>, _ output: UnsafeMutableBufferPointer<Element>,
    from block: Int, count: Int, length: Int, _ control: RunControl
  ) {
    guard let input = input.baseAddress, let output = output.baseAddress else { return }
    var before: Int?
    for chunk in StoppableChunks(of: count, workOfEach: length, control) {
      for index in chunk {
        let start = block + (isReversed ? count - 1 - index : index) * length
        for columns in StoppableChunks(of: length, control) {
          sumRow(input, output, at: start, before: before, columns)
        }
        before = start
      }
    }
  }

  /// Computes a range of columns of the sums of a row.
  @inline(__always)
  private func sumRow<Element: ReducibleElement>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, at start: Int,
    before: Int?, _ columns: Range<Int>
  ) {
    let row = output + start
    if let before {
      let (sums, added) = (output + before, input + (isExclusive ? before : start))
      for index in columns { row[index] = .sum(sums[index], added[index]) }
    } else if isExclusive {
      (row + columns.lowerBound).update(repeating: .zero, count: columns.count)
    } else {
      let first = input + start
      for index in columns { row[index] = .sum(.zero, first[index]) }
    }
  }
}
