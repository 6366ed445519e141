package import OcellusModelFile
import OcellusPlatform

/// The sigmoid of each class that calibrates its scores (Task Library's score calibration).
package struct ScoreCalibration: Sendable {
  private struct Curve {
    var scale: Float
    var slope: Float
    var offset: Float
    var minimumScore: Float?
  }

  private let curves: [Curve?]
  private let transformation: ProcessUnit.ScoreTransformation
  private let defaultScore: Float

  /// Creates the calibration that the metadata refers to; `nil` when there is none.
  init?(_ facts: ModelFacts) throws(VisionError) {
    for tensor in facts.metadata?.outputs ?? [] {
      for case .scoreCalibration(let transformation, let defaultScore) in tensor.processUnits {
        let file = tensor.associatedFiles.first { $0.kind == .tensorAxisScoreCalibration }
        guard let name = file?.name, let text = try facts.packedText(name) else { continue }
        try self.init(
          parsing: text, name: name, transformation: transformation, defaultScore: defaultScore)
        return
      }
    }
    return nil
  }

  /// Parses the curves in a file: `scale,slope,offset[,minimum]` for each class, or an empty line.
  package init(
    parsing text: String, name: String, transformation: ProcessUnit.ScoreTransformation,
    defaultScore: Float
  ) throws(VisionError) {
    self.transformation = transformation
    self.defaultScore = defaultScore
    curves = try Self.curves(text, name)
  }

  private static func curves(_ text: String, _ name: String) throws(VisionError) -> [Curve?] {
    var curves: [Curve?] = []
    for (number, line) in text.lines.enumerated() {
      guard !line.trimmed.isEmpty else {
        curves.append(nil)
        continue
      }
      let fields = line.split(separator: ",").map { Float($0.trimmed) }
      guard (3...4).contains(fields.count), let scale = fields[0], let slope = fields[1],
        let offset = fields[2], scale >= 0
      else {
        throw .unreadable(
          "\(name): line \(number + 1) is not 'scale,slope,offset[,minimum]': '\(line)'")
      }
      curves.append(
        Curve(
          scale: scale, slope: slope, offset: offset,
          minimumScore: fields.count == 4 ? fields[3] : nil))
    }
    return curves
  }

  /// Returns the calibrated score of a class, by its index in the list of labels.
  package func apply(to score: Float, category: Int) -> Float {
    guard curves.indices.contains(category), let curve = curves[category] else {
      return defaultScore
    }
    if let minimum = curve.minimumScore, score < minimum { return defaultScore }
    let transformed =
      switch transformation {
      case .identity: score
      case .log: logarithm(max(score, 1e-16))
      case .inverseLogistic: logarithm(max(score, 1e-16)) - logarithm(max(1 - score, 1e-16))
      }
    return curve.scale * sigmoid(curve.slope * transformed + curve.offset)
  }
}

extension ModelFacts {
  /// The score threshold in the metadata.
  var scoreThreshold: Float? {
    for tensor in metadata?.outputs ?? [] {
      for case .scoreThresholding(let threshold) in tensor.processUnits { return threshold }
    }
    return nil
  }
}
