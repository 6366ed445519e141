extension Gather {
  /// The copies of rows whose indices are known ahead.
  ///
  /// - Returns: `nil` where an index is out of range, which only a run may say.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], let indexOperand = context.constants[1],
      let elementWidth = context.node.outputs[0].type.byteWidth
    else { return nil }
    let layout = try layout(ShapeContext(context))
    let indices = Array(indexOperand.integers)
    guard indices.allSatisfy({ (0..<layout.extent).contains($0) }) else { return nil }
    let rowBytes = shape.product(of: (layout.axis + 1)..<shape.rank) * elementWidth
    let rowCount = context.outputShapes[0].elementCount * elementWidth / rowBytes
    let places = PackedBlock(byteCount: rowCount * MemoryLayout<Int>.stride)
    let offsets = places.base.bindMemory(to: Int.self, capacity: rowCount)
    for row in 0..<rowCount { offsets[row] = layout.source(of: row, indices) * rowBytes }
    return Step(kernelName: "rows ahead") { step in
      let offsets = places.base.assumingMemoryBound(to: Int.self)
      let (source, target) = (step.input(0), step.output(0))
      for row in 0..<rowCount {
        (target + row * rowBytes).copyMemory(from: source + offsets[row], byteCount: rowBytes)
      }
    }
  }
}
