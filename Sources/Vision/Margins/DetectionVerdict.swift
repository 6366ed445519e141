/// What another engine may make of one detection.
package struct DetectionVerdict: Sendable {
  /// Why a detection may become something else.
  package enum Risk: Sendable, Equatable {
    /// The score may fall under this threshold.
    case threshold(Float)
    /// It may be one of these classes instead.
    case category([String])
    /// A better candidate, of this score at most, may suppress it: so much do they overlap.
    case suppression(byScore: Float, overlap: ClosedRange<Double>, limit: Double)
    /// So many others may be better, and no more than the limit are reported.
    case limit(Int)
    /// The box may lose its area, or leave the picture.
    case place
    /// More candidates are within reach of the threshold than are compared.
    case crowd(Int)
  }

  /// The ends of its score.
  package var lowScore: Float
  package var highScore: Float
  /// The range of its box, in pixels of the picture.
  package var box: BoxRange
  package var risks: [Risk]

  package var isCertain: Bool { risks.isEmpty }
}

/// What other engines may make of all detections in a picture.
package struct DetectionVerdicts: Sendable {
  /// One verdict for each detection; `nil` if its candidate cannot be told.
  package var verdicts: [DetectionVerdict?]
  /// The number of objects that are not reported and may be, and the best of them.
  package var newCount = 0
  package var newcomers: [Newcomer] = []

  /// Creates the verdicts that no detection can flip, because the outputs are exact.
  package init(certain detections: [Detection]) {
    verdicts = detections.map {
      DetectionVerdict(
        lowScore: $0.score, highScore: $0.score, box: BoxRange($0.box), risks: [])
    }
  }

  init(verdicts: [DetectionVerdict?], newCount: Int = 0) {
    (self.verdicts, self.newCount) = (verdicts, newCount)
  }

  /// An object that is not reported and may be.
  package struct Newcomer: Sendable {
    package var label: String?
    package var category: Int
    package var highScore: Float
    package var box: BoxRange
  }
}
