/// A tensor whose rows between two positions are replaced by other rows: the work of a SLICE of the
/// front, a SLICE of the rest and a CONCATENATION.
///
/// No file contains this operator: a pass puts it in place of the CONCATENATION
/// (`fusingRowUpdates`). The operands are the tensor, the number of rows kept in front, the row
/// with which the rest begins, and the rows in between.
struct RowUpdate: Operator {
  let shapeInputs = [1, 2]
  let rank: Rank

  /// The number of dimensions that the begins and sizes of the slices are for.
  enum Rank {
    case known(Int)
    /// As many as the rows in between have.
    case ofRows
  }

  /// The rows that are kept.
  private struct Kept {
    var front: Int
    var rest: Range<Int>

    /// Makes ranges from the numbers of the SLICE nodes, in which a size of -1 means all that is
    /// left.
    init?(front: Int, restStart: Int, of count: Int) {
      guard (-1...count).contains(front), (0...count).contains(restStart) else { return nil }
      self.front = front < 0 ? count : front
      rest = restStart..<count
    }
  }

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (shape, between) = (context.shape(0), context.shape(3))
    let (front, restStart) = (try context.integers(1), try context.integers(2))
    let rank =
      switch rank {
      case .known(let rank): rank
      case .ofRows: between.rank
      }
    try context.require(
      shape.rank == rank && front.count == 1 && restStart.count == 1,
      "the slices need a begin and a size for each of \(shape.rank) dimensions")
    guard let kept = Kept(front: front[0], restStart: restStart[0], of: shape[0]) else {
      throw context.error(
        "\(front[0]) rows in front and those from \(restStart[0]) on are not inside the tensor")
    }
    try context.require(between.rank == rank, "the ranks differ")
    for axis in 1..<rank {
      try context.require(
        between[axis] == shape[axis], "the shapes differ beside the outermost axis")
    }
    var result = shape
    result[0] = kept.front + between[0] + kept.rest.count
    return [result]
  }

  func run(_ context: RunContext) throws(ModelError) {
    let (source, between, result) = (context.input(0), context.input(3), context.output(0))
    guard result.bytes.count > 0, let front = context.input(1).integers.first,
      let restStart = context.input(2).integers.first,
      let kept = Kept(front: front, restStart: restStart, of: source.shape[0])
    else { return }
    let rowBytes = result.bytes.count / result.shape[0]
    let slices = [
      source.bytes[..<(kept.front * rowBytes)], between.bytes[...],
      source.bytes[(kept.rest.lowerBound * rowBytes)...],
    ]
    var target = result.bytes[...]
    for slice in slices {
      if let source = UnsafeRawBufferPointer(rebasing: slice).baseAddress {
        UnsafeMutableRawBufferPointer(rebasing: target).baseAddress?.copyMemory(
          from: source, byteCount: slice.count, unless: context.control.isOver)
      }
      target = target.dropFirst(slice.count)
    }
  }

  func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], let between = context.inputShapes[3],
      let width = context.node.outputs[0].type.byteWidth
    else { return nil }
    let (count, rowBytes) = (shape[0], shape.product(of: 1..<shape.rank) * width)
    let betweenBytes = between.elementCount * width
    return Step(kernelName: "rows replaced") { step in
      let numbers = (step.input(1), step.input(2))
      guard
        let kept = Kept(
          front: Int(numbers.0.load(as: Int32.self)),
          restStart: Int(numbers.1.load(as: Int32.self)), of: count)
      else { return }
      let (source, target) = (step.input(0), step.output(0))
      let (front, rest) = (kept.front * rowBytes, kept.rest.count * rowBytes)
      let workers = step.workers
      target.copyMemory(from: source, byteCount: front, unless: workers.isOver)
      (target + front).copyMemory(
        from: step.input(3), byteCount: betweenBytes, unless: workers.isOver)
      (target + front + betweenBytes).copyMemory(
        from: source + kept.rest.lowerBound * rowBytes, byteCount: rest, unless: workers.isOver)
    }
  }
}
