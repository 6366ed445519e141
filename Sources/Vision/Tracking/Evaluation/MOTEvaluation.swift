/// How well tracks agree with the ground truth, by the measures of the field: HOTA (Luiten and
/// others 2021), MOTA (Bernardin and Stiefelhagen 2008) and IDF1 (Ristani and others 2016).
///
/// Definitions, preparation included, are those of TrackEval. Evaluations of several sequences add
/// up to that of all of them.
public struct MOTEvaluation: Sendable {
  /// The overlap from which a track lies on an object, for everything but HOTA.
  static let threshold = 0.5
  /// HOTA is the mean over these: 0.05, 0.1, …, 0.95.
  static let hotaThresholds = (0..<19).map { 0.05 + Double($0) * 0.05 }

  /// The boxes of objects.
  public internal(set) var truthCount = 0
  /// Boxes of objects with a track on them.
  public internal(set) var truePositives = 0
  /// Boxes of tracks without an object under them.
  public internal(set) var falsePositives = 0
  /// Boxes of objects without a track on them.
  public internal(set) var falseNegatives = 0
  /// How often an object changed its identity.
  public internal(set) var identitySwitches = 0

  var identityTruePositives = 0
  var identityFalsePositives = 0
  var identityFalseNegatives = 0

  /// For each threshold of HOTA.
  var hotaTruePositives = [Double](repeating: 0, count: hotaThresholds.count)
  var hotaErrors = [Double](repeating: 0, count: hotaThresholds.count)
  var associationSums = [Double](repeating: 0, count: hotaThresholds.count)

  /// The evaluation of nothing, to add others to.
  public init() {}

  /// Compares the tracks of a sequence with its ground truth, frame by frame.
  ///
  /// Tracks of at most `minimumHeight` that lie on no object are not judged, as in KITTI.
  public init(
    truth: [[TruthBox]], tracks: [[TrackedBox]], minimumHeight: Double? = nil
  ) {
    var sequence = MOTSequence(minimumHeight: minimumHeight)
    for index in 0..<max(truth.count, tracks.count) {
      sequence.append(
        truth: index < truth.count ? truth[index] : [],
        tracks: index < tracks.count ? tracks[index] : [])
    }
    countDetections(in: sequence)
    countIdentities(in: sequence)
    countAssociations(in: sequence)
  }

  /// Adds another sequence.
  public static func += (sum: inout MOTEvaluation, other: MOTEvaluation) {
    sum.truthCount += other.truthCount
    sum.truePositives += other.truePositives
    sum.falsePositives += other.falsePositives
    sum.falseNegatives += other.falseNegatives
    sum.identitySwitches += other.identitySwitches
    sum.identityTruePositives += other.identityTruePositives
    sum.identityFalsePositives += other.identityFalsePositives
    sum.identityFalseNegatives += other.identityFalseNegatives
    for index in hotaThresholds.indices {
      sum.hotaTruePositives[index] += other.hotaTruePositives[index]
      sum.hotaErrors[index] += other.hotaErrors[index]
      sum.associationSums[index] += other.associationSums[index]
    }
  }
}

extension MOTEvaluation {
  /// Multiple object tracking accuracy: one minus all errors by all objects; at most 1.
  public var mota: Double {
    let errors = falsePositives + falseNegatives + identitySwitches
    return (Double(truthCount) - Double(errors)) / Double(max(1, truthCount))
  }

  /// The F1 score of identities, 0…1.
  public var idf1: Double {
    let total = 2 * identityTruePositives + identityFalsePositives + identityFalseNegatives
    return 2 * Double(identityTruePositives) / Double(max(1, total))
  }

  /// Higher order tracking accuracy, 0…1: detection and association in equal parts.
  public var hota: Double {
    mean { index in
      (detectionAccuracy(at: index) * associationAccuracy(at: index)).squareRoot()
    }
  }

  /// The part of `hota` that detection has, 0…1.
  public var detectionAccuracy: Double { mean(detectionAccuracy) }

  /// The part of `hota` that association has, 0…1.
  public var associationAccuracy: Double { mean(associationAccuracy) }

  private func detectionAccuracy(at index: Int) -> Double {
    hotaTruePositives[index] / max(1, hotaTruePositives[index] + hotaErrors[index])
  }

  private func associationAccuracy(at index: Int) -> Double {
    associationSums[index] / max(1, hotaTruePositives[index])
  }

  private func mean(_ measure: (Int) -> Double) -> Double {
    Self.hotaThresholds.indices.reduce(0) { $0 + measure($1) } / Double(Self.hotaThresholds.count)
  }
}
