/// The subscripts of STRIDED_SLICE: a begin, end and step each, and masks that give some of them
/// another meaning.
package struct SubscriptList {
  /// One bit for every subscript, and an option for all of them.
  package struct Masks: Sendable {
    /// Subscripts that take the axis from its first element on.
    package var begin: Int
    /// Subscripts that take the axis up to its last element.
    package var end: Int
    /// The subscript that stands for all axes that no other names.
    package var ellipsis: Int
    /// Subscripts that add an axis of extent 1.
    package var newAxis: Int
    /// Subscripts that take the element at `begin` and drop the axis.
    package var singleIndex: Int
    /// Whether ends are counted from the begins.
    package var endIsCount: Bool
  }

  /// The range that is taken along one axis.
  package struct AxisRange {
    /// The axis of the operand; `nil` for a new one.
    package var axis: Int?
    package var start = 0
    package var step = 1
    package var count = 1
    /// Whether the result lacks this axis.
    package var isDropped = false
  }

  private let begins: [Int]
  private let ends: [Int]
  private let steps: [Int]
  private let masks: Masks

  package init(_ context: ShapeContext, masks: Masks) throws(ModelError) {
    begins = try context.integers(1)
    ends = try context.integers(2)
    steps = try context.integers(3)
    self.masks = masks
    for position in 1...3 {
      try context.require(context.shape(position).rank == 1, "operand \(position) is no vector")
    }
    try context.require(
      ends.count == begins.count && steps.count == begins.count && begins.count <= 31,
      "has \(begins.count) begins, \(ends.count) ends and \(steps.count) steps")
    let ellipses = begins.indices.filter { Self.isSet(masks.ellipsis, $0) }
    try context.require(ellipses.count <= 1, "has more than one ellipsis")
  }

  private static func isSet(_ mask: Int, _ position: Int) -> Bool { mask >> position & 1 == 1 }

  /// Returns one range for every axis of `shape` and every new one, in order.
  ///
  /// As in the official kernel, an ellipsis stands for at least one axis. Subscripts that are then
  /// left over are ignored, and axes that are left over are taken whole.
  package func ranges(
    of shape: Shape, _ context: ShapeContext
  ) throws(ModelError) -> [AxisRange] {
    let newAxes = begins.indices.filter { isNewAxis($0) }.count
    let count = shape.rank + newAxes
    var ranges: [AxisRange] = []
    var axis = 0
    var position = 0
    func addWholeAxis() throws(ModelError) {
      try context.require(axis < shape.rank, "has more subscripts than dimensions")
      ranges.append(AxisRange(axis: axis, count: shape[axis]))
      axis += 1
    }
    while ranges.count < count {
      if position >= begins.count {
        try addWholeAxis()
      } else if Self.isSet(masks.ellipsis, position) {
        let covered = max(1, min(1 + count - begins.count, count - ranges.count))
        for _ in 0..<covered { try addWholeAxis() }
      } else if isNewAxis(position) {
        ranges.append(AxisRange())
      } else {
        try context.require(axis < shape.rank, "has more subscripts than dimensions")
        ranges.append(try range(position, axis: axis, extent: shape[axis], context))
        axis += 1
      }
      position += 1
    }
    return ranges
  }

  private func isNewAxis(_ position: Int) -> Bool {
    Self.isSet(masks.newAxis, position) && !Self.isSet(masks.ellipsis, position)
  }

  private func range(
    _ position: Int, axis: Int, extent: Int, _ context: ShapeContext
  ) throws(ModelError) -> AxisRange {
    let step = steps[position]
    try context.require(step != 0 && step > Int(Int32.min), "the step of axis \(axis) is \(step)")
    // Backwards, a range may end before the first element.
    let bounds = step > 0 ? 0...extent : -1...max(extent - 1, -1)
    func bounded(_ index: Int) -> Int {
      (index < 0 ? index + extent : index).clamped(to: bounds)
    }
    var start = bounded(begins[position])
    if Self.isSet(masks.begin, position) { start = step > 0 ? 0 : extent - 1 }
    if Self.isSet(masks.singleIndex, position) {
      try context.require(
        (0..<extent).contains(start), "index \(begins[position]) of axis \(axis) is out of range")
      return AxisRange(axis: axis, start: start, isDropped: true)
    }
    let wantedEnd = ends[position] + (masks.endIsCount ? start : 0)
    var end = bounded(wantedEnd)
    if Self.isSet(masks.end, position) {
      end = step > 0 ? extent : -1
    } else if masks.endIsCount {
      try context.require(end == wantedEnd, "axis \(axis) ends before \(wantedEnd)")
    }
    let distance = step > 0 ? end - start : start - end
    let count = distance > 0 ? (distance - 1) / abs(step) + 1 : 0
    // The step of a single element does not matter, and may be too large to multiply by.
    return AxisRange(axis: axis, start: start, step: count > 1 ? step : 1, count: count)
  }
}
