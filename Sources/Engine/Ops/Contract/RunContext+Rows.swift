extension RunContext {
  /// Fills the first result with rows of the first operand, of `length` elements each: row
  /// `source(i)` becomes row `i`.
  ///
  /// The caller must have checked the indices that `source` returns.
  package func gatherRows(length: Int, _ source: (Int) -> Int) throws(ModelError) {
    let type = input(0).type
    if let bitWidth = type.bitWidth, length * bitWidth % 8 == 0 {
      Self.gatherRows(
        from: input(0), to: output(0), byteCount: length * bitWidth / 8, control, source)
    } else {
      try withAddressableElements { inputs, outputs throws(ModelError) in
        guard let input = inputs[0] else { return }
        Self.gatherRows(
          from: input, to: outputs[0], byteCount: length * (input.type.byteWidth ?? 1), control,
          source)
      }
    }
  }

  private static func gatherRows(
    from input: TensorView, to output: TensorView, byteCount: Int, _ control: RunControl,
    _ source: (Int) -> Int
  ) {
    guard byteCount > 0, let from = input.bytes.baseAddress, let to = output.bytes.baseAddress
    else { return }
    let (count, work) = (output.bytes.count / byteCount, 8 + byteCount / 32)
    for chunk in StoppableChunks(of: count, workOfEach: work, control) {
      for row in chunk {
        (to + row * byteCount).copyMemory(
          from: from + source(row) * byteCount, byteCount: byteCount, unless: control.isOver)
      }
    }
  }
}
