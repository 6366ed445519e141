/// The quantization of a tensor, with one scale for the whole tensor or one per slice of an axis.
package struct ChannelScales: Sendable {
  package let scales: [Float]
  package let zeroPoints: [Int]
  package let axis: Int

  package init(of tensor: TensorSpec, node: NodeSpec) throws(ModelError) {
    guard let quantization = tensor.quantization, !quantization.scales.isEmpty else {
      throw node.error("tensor \(tensor.label) has no quantization")
    }
    let (scales, zeroPoints) = (quantization.scales, quantization.zeroPoints)
    try node.require(
      scales.allSatisfy { $0 > 0 && $0.isFinite },
      "tensor \(tensor.label) has a scale that is not above zero")
    self.scales = scales
    let common = zeroPoints.first ?? 0
    self.zeroPoints =
      zeroPoints.count == scales.count
      ? zeroPoints : .init(repeating: common, count: scales.count)
    axis = quantization.axis
  }

  package var isPerChannel: Bool { scales.count > 1 }

  /// The scale and zero point of the whole tensor, if there is only one scale.
  package var uniform: AffineScale? {
    scales.count == 1 ? AffineScale(scale: scales[0], zeroPoint: zeroPoints[0]) : nil
  }

  /// Throws unless there are as many scales as slices in a tensor of this shape.
  package func check(against shape: Shape, _ context: ShapeContext) throws(ModelError) {
    guard isPerChannel else { return }
    try context.require(
      shape.dimensions.indices.contains(axis) && shape[axis] == scales.count,
      "\(scales.count) scales along axis \(axis) do not fit the shape \(shape)")
  }

  /// Calls `body` for every range of elements that share a scale, in order, until the run is
  /// stopped.
  ///
  /// Long ranges are divided into several calls.
  @inline(__always)
  package func forEachRun(
    in shape: Shape, _ control: RunControl?,
    _ body: (_ elements: Range<Int>, _ scale: Float, _ zeroPoint: Int) -> Void
  ) {
    let count = shape.elementCount
    let length = isPerChannel ? shape.product(of: axis + 1..<shape.rank) : count
    guard count > 0 else { return }
    var channel = 0
    for runs in StoppableChunks(of: count / length, workOfEach: length, control) {
      for run in runs {
        let start = run * length
        for chunk in StoppableChunks(of: length, control) {
          body(
            start + chunk.lowerBound..<start + chunk.upperBound, scales[channel],
            zeroPoints[channel])
        }
        channel = channel + 1 == scales.count ? 0 : channel + 1
      }
    }
  }
}
