/// Decodes an output that joins the columns of several ones, which another decoder expects apart.
struct JoinedColumnsDecoder: DetectionDecoder {
  /// The decoder of the separate outputs.
  let decoder: any DetectionDecoder
  /// The columns of each separate output, in the decoder's order.
  let parts: [OutputColumns]

  var summary: String { decoder.summary }
  var categoryCount: Int? { decoder.categoryCount }
  var suppression: Suppression { decoder.suppression }
  var scoreThreshold: Float { decoder.scoreThreshold }
  var maximumResults: Int? { decoder.maximumResults }
  var inputConvention: PictureInput.Convention { decoder.inputConvention }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    try candidates(in: outputs, threshold: threshold, split: [])
  }

  /// Splits the next output; each one's numbers are valid while the call for it runs.
  private func candidates(
    in outputs: [OutputTensor], threshold: Float, split: [OutputTensor]
  ) throws(VisionError) -> [Candidate] {
    guard split.count < parts.count else {
      return try decoder.candidates(in: split, threshold: threshold)
    }
    let part = parts[split.count]
    let rows = try part.rows(outputs)
    let numbers = (0..<rows.count).flatMap { row in part.range.map { rows[row, $0] } }
    let result = numbers.withUnsafeBufferPointer { values -> Result<[Candidate], VisionError> in
      let tensor = OutputTensor(
        name: outputs[part.output].name, shape: [1, rows.count, part.count], values: values)
      do throws(VisionError) {
        return .success(
          try candidates(in: outputs, threshold: threshold, split: split + [tensor]))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
