import OcellusEngine
import OcellusImaging

/// The precision that the export of a detector has left to its boxes and scores.
///
/// An output that is rounded to 255 steps has one step for everything in it. If pixels or classes
/// share it with fractions, these lose what tells objects apart.
struct ExportPrecision {
  /// A share of the input's size; coarser steps than this one are worth a warning.
  private static let roughBoxes: Float = 0.01
  /// Sizes that differ by more than this factor from one step to the next are worth a warning.
  private static let roughSizes: Float = 1.1
  /// Logarithms of sizes in cells that end below this one cut off the boxes of large objects.
  private static let leastLogarithm: Float = 1.5
  /// Scores in coarser steps than this one are worth a warning.
  private static let roughScores: Float = 0.05
  /// Scores in steps like this are hardly more than yes or no.
  private static let uselessScores: Float = 0.5

  /// The outputs that a decoder reads boxes and scores from.
  private struct Sources {
    var boxes: Int?
    var scores: Int?
    /// Whether boxes are in pixels, if the decoder knows it.
    var isInPixels: Bool?
    /// Whether sizes are logarithms, and places shares of cells.
    var areLogarithms = false
    /// The score that stands for certainty.
    var certainty: Float = 1
  }

  let facts: DetectorFacts

  /// Returns what is to be said about the outputs that `decoder` reads, if anything.
  func warnings(about decoder: any DetectionDecoder) -> [String] {
    guard let sources = sources(of: decoder) else { return [] }
    let isShared = sources.boxes == sources.scores
    let advice =
      isShared
      ? "export the model with floats at the end, or with boxes and scores as outputs of their own"
      : "export the model with floats at the end"
    return [boxWarning(sources), scoreWarning(sources)].compactMap { $0 }.map { finding in
      finding + (isShared ? ", as one scale serves boxes, scores and classes" : "") + "; " + advice
    }
  }

  private func boxWarning(_ sources: Sources) -> String? {
    guard let output = sources.boxes, let rounding = rounding(output) else { return nil }
    if sources.areLogarithms { return logarithmWarning(rounding) }
    let side = Float(max(facts.inputSize.width, facts.inputSize.height))
    let isInPixels = sources.isInPixels ?? facts.isInPixels(output) ?? false
    let step = isInPixels ? rounding.step : rounding.step * side
    guard step > Self.roughBoxes * side else { return nil }
    return "the model's boxes are rounded to steps of \(Int(step.rounded())) pixels of its input "
      + "of \(facts.inputSize)"
  }

  private func logarithmWarning(_ rounding: OutputFacts.Rounding) -> String? {
    guard rounding.highest > Self.leastLogarithm else {
      return "the model's numbers end at \(rounding.highest.inWords), so that no box is larger "
        + "than \(exponential(rounding.highest).inWords) cells of its grid: the boxes are wrong"
    }
    let factor = exponential(rounding.step)
    guard factor > Self.roughSizes else { return nil }
    return "the model's boxes are rounded so that each possible size is \(factor.inWords) times "
      + "the next smaller one, and their centres to \(rounding.step.inWords) cells"
  }

  private func scoreWarning(_ sources: Sources) -> String? {
    guard let output = sources.scores, let rounding = rounding(output) else { return nil }
    let step = rounding.step / sources.certainty
    guard step > Self.roughScores else { return nil }
    guard step < Self.uselessScores else {
      return "the model's scores are rounded to steps of \(step.inWords), so that objects cannot "
        + "be told from none"
    }
    return "the model's scores are rounded to steps of \(step.inWords)"
  }

  private func rounding(_ output: Int) -> OutputFacts.Rounding? {
    facts.model.graph.outputs.indices.contains(output)
      ? facts.model.graph.outputs[output].rounding : nil
  }

  private func sources(of decoder: any DetectionDecoder) -> Sources? {
    switch decoder {
    case let rows as YOLORowsDecoder:
      Sources(
        boxes: rows.boxOutput, scores: rows.boxOutput, isInPixels: rows.isInPixels,
        areLogarithms: rows.family == .yolox, certainty: rows.certainty)
    case let rows as DetectionRowsDecoder:
      Sources(boxes: rows.output, scores: rows.output, isInPixels: rows.isInPixels)
    case let rows as PairedRowsDecoder:
      Sources(
        boxes: rows.boxes.output,
        scores: rows.activation == .none ? rows.scores.output : nil,
        isInPixels: rows.layout.map { $0.width != 1 })
    case let final as PostProcessedDecoder:
      Sources(boxes: final.roles.boxes, scores: final.roles.scores)
    default: nil
    }
  }
}

extension Float {
  /// The number rounded to two digits after the point.
  fileprivate var inWords: String {
    let hundredths = Int((min(self, 1e6) * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
