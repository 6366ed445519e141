import OcellusKernelABI

extension Rearrangement {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    try rearrangingStep(context)
  }

  /// Returns the copies, planned from the shapes and shared by threads where that pays.
  ///
  /// - Returns: `nil` where they depend on values that are not known yet, and for elements without
  ///   addresses.
  package func rearrangingStep(_ context: PlanContext) throws(ModelError) -> Step? {
    let node = context.node
    guard node.outputs.allSatisfy({ $0.type.byteWidth != nil }),
      placingInputs.allSatisfy({ context.knownValues[$0] != nil })
    else { return nil }
    let all = try elementCopies(ShapeContext(context), results: context.outputShapes)
    let elementCopies = all.filter { $0.copy.elementCount > 0 }.map {
      PlannedElementCopy($0, elementWidth: node.outputs[$0.result].type.byteWidth ?? 1, context)
    }
    let fills = background.map { background in
      node.outputs.indices.map { PlannedFill(background, result: $0, around: all, context) }
    }
    let flatCopies = elementCopies.compactMap(\.flatCopy)
    return Step(
      kernelName: "strided copy", flatCopies: fills == nil ? flatCopies : [],
      onlyCopies: fills == nil && flatCopies.count == elementCopies.count
    ) { step in
      for fill in fills ?? [] { fill.run(step) }
      for move in elementCopies { move.run(step) }
    }
  }
}

/// One copy, divided among the threads that share it.
private struct PlannedElementCopy: Sendable {
  /// Below this size, waking a thread takes longer than the copy.
  private static let minimumItemBytes = 1 << 16

  private let source: ElementCopy.Source
  private let result: Int
  private let itemCount: Int
  private let loop: WorkItemLoop<(from: UnsafeRawPointer, to: UnsafeMutableRawPointer)>
  /// The copy in bytes, where both sides are contiguous.
  let flatCopy: FlatCopy?

  init(_ move: ElementCopy, elementWidth: Int, _ context: PlanContext) {
    (source, result) = (move.source, move.result)
    let byteCount = move.copy.elementCount * elementWidth
    // Between two slices of a large copy, the loop checks whether the run is stopped.
    let copies = move.copy.split(
      into: min(context.threadCount, byteCount / Self.minimumItemBytes)
    ).flatMap { $0.slices(ofAtMost: StridedCopy.elementsAtOnce) }
      .map { PlannedCopy($0, elementWidth: elementWidth, context.kernels.dataMovement) }
    itemCount = copies.count
    loop = WorkItemLoop { ends, item in copies[item].run(from: ends.from, to: ends.to) }
    flatCopy =
      if case .input(let operand) = move.source, move.copy.isFlat {
        FlatCopy(
          operand: operand, operandOffset: move.copy.source.offset * elementWidth,
          result: move.result, resultOffset: move.copy.destination.offset * elementWidth,
          byteCount: byteCount)
      } else {
        nil
      }
  }

  func run(_ step: StepContext) {
    if let flatCopy, step.isInPlace(flatCopy) { return }
    let target = step.output(result)
    let start =
      switch source {
      case .input(let position): step.input(position)
      case .result: UnsafeRawPointer(target)
      }
    step.workers.run(itemCount, loop, (start, target))
  }
}

/// A result that is filled with one element wherever no copy writes.
private struct PlannedFill: Sendable {
  /// Small results are filled faster as a whole, and so are those with many gaps.
  private static let smallest = 1 << 15
  private static let bytesPerRun = 256
  /// In smaller results, checking whether the run is stopped takes noticeable time.
  private static let smallestToAsk = 1 << 20

  private let background: Background
  private let result: Int
  private let type: ElementType
  /// The first of the elements that are filled first; `shape` has their number.
  private let start: Int
  private let shape: Shape
  /// The copies of these elements to all other gaps.
  private let copies: [PlannedCopy]
  /// Whether the result is so large that `run` checks whether the run is stopped.
  private let asks: Bool

  init(
    _ background: Background, result: Int, around elementCopies: [ElementCopy],
    _ context: PlanContext
  ) {
    self.background = background
    self.result = result
    type = context.node.outputs[result].type
    let elementWidth = type.byteWidth ?? 1
    let elementCount = context.outputShapes[result].elementCount
    let byteCount = elementCount * elementWidth
    asks = byteCount >= Self.smallestToAsk
    let elementCopies = elementCopies.filter { $0.result == result && $0.copy.elementCount > 0 }
    guard byteCount >= Self.smallest, elementCopies.count == 1,
      case .input = elementCopies[0].source,
      let gaps = elementCopies[0].copy.gaps(in: elementCount),
      gaps.reduce(0, { $0 + $1.count }) <= byteCount / Self.bytesPerRun
    else {
      start = 0
      shape = [elementCount]
      copies = []
      return
    }
    let longest = gaps.max { $0.length < $1.length }
    let start = longest?.layout.offset ?? 0
    self.start = start
    shape = [longest?.length ?? 0]
    copies = gaps.flatMap { runs in
      StridedCopy(
        extents: runs.extents + [runs.length],
        source: .init(
          offset: start, strides: [Int](repeating: 0, count: runs.extents.count) + [1]),
        destination: .init(offset: runs.layout.offset, strides: runs.layout.strides + [1])
      ).slices(ofAtMost: StridedCopy.elementsAtOnce)
    }.map { PlannedCopy($0, elementWidth: elementWidth, context.kernels.dataMovement) }
  }

  func run(_ step: StepContext) {
    let output = step.output(result)
    let elementWidth = type.byteWidth ?? 1
    let byteCount = shape.elementCount * elementWidth
    let view = TensorView(
      type: type, shape: shape,
      bytes: UnsafeMutableRawBufferPointer(start: output + start * elementWidth, count: byteCount),
      control: asks ? step.workers.control : nil)
    switch background {
    case .integer(let value): view.fill(withInteger: value)
    case .input(let position):
      view.fill(
        withElementAt: UnsafeRawBufferPointer(start: step.input(position), count: elementWidth))
    }
    for copy in copies {
      if asks && step.workers.isOver { return }
      copy.run(from: UnsafeRawPointer(output), to: output)
    }
  }
}
