/// The loops over a result to which operands of other shapes are broadcast.
///
/// Shapes are aligned at their last axis; an operand whose extent there is one, or missing, is
/// repeated. Neighbouring axes that every operand walks through at one stride are a single loop,
/// so that equal shapes, scalars and rows each come down to very few, long rows.
package struct BroadcastLoops: Sendable {
  /// Offsets or strides of up to four operands, in elements.
  package typealias Offsets = SIMD4<Int>

  package struct Loop: Sendable {
    var extent: Int
    var strides: Offsets
  }

  /// The length of a row: the elements of the innermost loop.
  package var rowLength: Int { loops[0].extent }

  /// Zero for operands that are the same all along a row, one for the others.
  package var rowStrides: Offsets { loops[0].strides }

  /// Innermost first, at least one.
  package private(set) var loops: [Loop] = []
  private var isEmpty = false

  /// Finds the loops for at most four operands.
  ///
  /// - Precondition: every operand can be broadcast to `result`.
  package init(_ operands: Shape..., to result: Shape) {
    precondition(operands.count <= Offsets.scalarCount, "too many operands")
    var distances = Offsets(repeating: 1)
    for back in 1...max(result.rank, 1) {
      let extent = back <= result.rank ? result[-back] : 1
      if extent == 0 { isEmpty = true }
      guard extent != 1 else { continue }
      var strides = Offsets.zero
      for (lane, operand) in operands.enumerated()
      where back <= operand.rank && operand[-back] != 1 {
        strides[lane] = distances[lane]
        distances[lane] *= operand[-back]
      }
      append(Loop(extent: extent, strides: strides))
    }
    if loops.isEmpty { loops = [Loop(extent: 1, strides: .zero)] }
  }

  /// Adds the next loop outwards, as part of the last one if every operand goes on at its stride.
  private mutating func append(_ loop: Loop) {
    if let inner = loops.last, inner.strides &* inner.extent == loop.strides {
      loops[loops.count - 1].extent *= loop.extent
    } else {
      loops.append(loop)
    }
  }

  /// Calls `body` for every row of the result, in order, with the offset of its first element and
  /// those of the operands' elements that belong to it.
  @inline(__always)
  package func forEachRow(_ body: (_ result: Int, _ operands: Offsets) -> Void) {
    guard !isEmpty else { return }
    var indices = [Int](repeating: 0, count: loops.count)
    var result = 0
    var operands = Offsets.zero
    while true {
      body(result, operands)
      result += rowLength
      var depth = 1
      while depth < loops.count {
        operands &+= loops[depth].strides
        indices[depth] += 1
        if indices[depth] < loops[depth].extent { break }
        operands &-= loops[depth].strides &* indices[depth]
        indices[depth] = 0
        depth += 1
      }
      if depth >= loops.count { return }
    }
  }
}

extension ShapeContext {
  /// The shape to which all operands in `inputs` can be broadcast.
  package func broadcastShape(of inputs: Range<Int>) throws(ModelError) -> Shape {
    try broadcastShape(inputs.map { shape($0) })
  }

  /// The shape to which all of these can be broadcast.
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
