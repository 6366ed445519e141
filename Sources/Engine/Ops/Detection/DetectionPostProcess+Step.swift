import OcellusKernelABI

extension DetectionPostProcess {
  /// Plans a search that visits boxes in the order of their scores and decodes only those.
  ///
  /// - Returns: `nil` where a box might be inverted, since steps cannot fail, and where a box is
  ///   reported for several of its classes.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let encodings = context.inputShapes[0], let scores = context.inputShapes[1],
      let anchorTensor = context.constants[2], let anchorNumbers = anchorTensor.bytes.baseAddress,
      options.usesRegularSuppression || options.maxClassesPerDetection == 1,
      options.scoreThreshold > -.infinity
    else { return nil }
    let inputs = context.node.inputs
    let anchors = BoxEncodings(
      numbers: anchorNumbers,
      format: .init(
        type: anchorTensor.type, quantization: anchorTensor.quantization, stride: 4))
    let boxCount = encodings[1]
    guard (0..<boxCount).allSatisfy({ !(anchors[$0].height < 0 || anchors[$0].width < 0) })
    else { return nil }
    let hasByteScores = inputs[1]?.type == .uint8
    let scoreTable = hasByteScores ? try scoresOfBytes(inputs[1]?.quantization, context) : nil
    guard (scoreTable != nil) == hasByteScores else { return nil }
    let search = DetectionSearch(
      options: options, boxCount: boxCount, columnCount: scores[2],
      encodingFormat: .init(
        type: inputs[0]?.type ?? .float32, quantization: inputs[0]?.quantization,
        stride: encodings[2]),
      anchorFormat: anchors.format, hasByteScores: hasByteScores,
      reductions: context.kernels.reductions)
    let resultCounts = context.outputShapes.map(\.elementCount)
    return Step(
      kernelName: "detection search \(context.kernels.name)",
      scratchByteCount: search.workspace.byteCount
    ) { step in
      for (position, count) in resultCounts.enumerated() {
        step.output(position).clear(byteCount: count * 4, unless: step.workers.isOver)
      }
      search.run(
        .init(
          encodings: step.input(0), scores: step.input(1), anchors: step.input(2),
          byteScores: scoreTable.map { UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) },
          boxes: step.output(0).assumingMemoryBound(to: CornerBox.self),
          categories: step.output(1).assumingMemoryBound(to: Float.self),
          detectedScores: step.output(2).assumingMemoryBound(to: Float.self),
          count: step.output(3).assumingMemoryBound(to: Float.self)),
        in: step.scratch, step.workers)
    }
  }

  /// Returns the scores for all byte values; `nil` unless larger bytes always mean larger scores.
  private func scoresOfBytes(
    _ quantization: Quantization?, _ context: PlanContext
  ) throws(ModelError) -> PackedBlock? {
    let block = try context.makeTable(byteCount: 256 * MemoryLayout<Float>.stride)
    let scores = block.base.bindMemory(to: Float.self, capacity: 256)
    for value in 0..<256 {
      scores[value] = Self.score(UInt8(value), quantization)
      if value > 0 && !(scores[value] > scores[value - 1]) { return nil }
    }
    return block
  }
}
