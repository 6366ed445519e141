/// The nested loops over a result to which operands of other shapes are broadcast.
///
/// Shapes are aligned at their last axis; an operand whose extent is one or missing there is
/// repeated. Neighbouring axes that every operand walks at one stride are merged into a single
/// loop. Equal shapes, scalars and rows therefore need only one or two loops with long rows.
package struct BroadcastLoops: Sendable {
  /// Offsets or strides of up to four operands, in elements.
  package typealias Offsets = SIMD4<Int>

  package struct Loop: Sendable {
    var extent: Int
    var strides: Offsets
  }

  /// The length of a row: the elements of the innermost loop.
  package var rowLength: Int { nest[0].extent }

  /// The strides along a row: zero for operands that are constant along it, one for the others.
  package var rowStrides: Offsets { nest[0].strides }

  /// The loops, innermost first; at least one.
  package var loops: [Loop] { (0..<count).map { nest[$0] } }

  /// The loops, stored inline: operators without a step compute them in every run, which must not
  /// allocate memory.
  private var nest = InlineArray<32, Loop>(repeating: Loop(extent: 1, strides: .zero))
  private var count = 0
  private var isEmpty = false

  /// Finds the loops for at most three operands.
  ///
  /// - Precondition: every operand can be broadcast to `result`, whose shape is reasonable.
  package init(_ first: Shape, _ second: Shape, _ third: Shape? = nil, to result: Shape) {
    var distances = Offsets(repeating: 1)
    for back in 1...max(result.rank, 1) {
      let extent = back <= result.rank ? result[-back] : 1
      if extent == 0 { isEmpty = true }
      guard extent != 1 else { continue }
      var strides = Offsets.zero
      func walk(_ operand: Shape, _ side: Int) {
        guard back <= operand.rank, operand[-back] != 1 else { return }
        strides[side] = distances[side]
        distances[side] *= operand[-back]
      }
      walk(first, 0)
      walk(second, 1)
      if let third { walk(third, 2) }
      append(Loop(extent: extent, strides: strides))
    }
    count = max(count, 1)
  }

  /// Adds the next outer loop, merged into the last one if every operand continues at its stride.
  private mutating func append(_ loop: Loop) {
    if count > 0, nest[count - 1].strides &* nest[count - 1].extent == loop.strides {
      nest[count - 1].extent *= loop.extent
    } else {
      nest[count] = loop
      count += 1
    }
  }

  /// The most elements of a row between two checks whether the run is over.
  private static let maximumWorkPerItem = 1 << 16

  /// Calls `body` for every row of the result, in order, until the run is over.
  ///
  /// The arguments are the offsets of the row's first elements in the result and in the operands,
  /// and the number of elements. Long rows are divided into segments, since one row may hold all
  /// elements. The function is not inlined: hundreds of loops call it.
  @inline(never)
  package func forEachRow(
    unless isOver: () -> Bool,
    _ body: (_ result: Int, _ operands: Offsets, _ count: Int) -> Void
  ) {
    guard !isEmpty else { return }
    // Accessing `nest` may copy all of it; values that every row needs are read once.
    let (rowLength, rowStrides) = (rowLength, rowStrides)
    let next = count > 1 ? nest[1] : Loop(extent: 1, strides: .zero)
    var indices = InlineArray<32, Int>(repeating: 0)
    var result = 0
    var operands = Offsets.zero
    var left = Self.maximumWorkPerItem
    while true {
      for _ in 0..<next.extent {
        var start = 0
        repeat {
          let count = min(rowLength &- start, Self.maximumWorkPerItem)
          if left < 0 {
            if isOver() { return }
            left = Self.maximumWorkPerItem
          }
          left &-= count
          body(result &+ start, start == 0 ? operands : operands &+ rowStrides &* start, count)
          start &+= count
        } while start < rowLength
        result += rowLength
        operands &+= next.strides
      }
      operands &-= next.strides &* next.extent
      var depth = 2
      while depth < count {
        operands &+= nest[depth].strides
        indices[depth] += 1
        if indices[depth] < nest[depth].extent { break }
        operands &-= nest[depth].strides &* indices[depth]
        indices[depth] = 0
        depth += 1
      }
      if depth >= count { return }
    }
  }
}

extension ShapeContext {
  /// Returns the shape to which all operands in `inputs` can be broadcast.
  package func broadcastShape(of inputs: Range<Int>) throws(ModelError) -> Shape {
    try broadcastShape(inputs.map { shape($0) })
  }

  /// Returns the shape to which all of the given shapes can be broadcast.
  package func broadcastShape(_ operands: [Shape]) throws(ModelError) -> Shape {
    let rank = operands.reduce(0) { max($0, $1.rank) }
    var extents = [Int](repeating: 1, count: rank)
    for operand in operands {
      for axis in 0..<operand.rank where operand[axis] != 1 {
        let resultAxis = rank - operand.rank + axis
        try require(
          extents[resultAxis] == 1 || extents[resultAxis] == operand[axis],
          "the shapes cannot be broadcast to one")
        extents[resultAxis] = operand[axis]
      }
    }
    return Shape(extents)
  }
}
