import OcellusImaging
import OcellusModelFile

/// Detectors whose anchors are packed with the model, as MediaPipe's tools do.
enum PackedAnchorsFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard facts.anchors == nil, let outputs = AnchoredOutputs(facts), outputs.boxNumbers == 4,
      let record = facts.model.detectorRecord, record.anchors.count == outputs.rows,
      record.sizesAreLogarithms, record.centerScale > 0, record.sizeScale > 0
    else { return nil }
    let hasBackground = SSDFamily.hasBackground(columns: outputs.scoreColumns, facts.labels)
    var decoder = AnchorDecoder(
      boxOutputs: outputs.boxes, scoreOutputs: outputs.scores,
      anchors: record.anchors.map {
        Anchor(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      },
      encoding: .logarithmic(
        center: record.centerScale, size: record.sizeScale, rowsFirst: true),
      activation: facts.activation(ofScores: outputs.scores), hasBackground: hasBackground,
      categoryCount: outputs.scoreColumns - (hasBackground ? 1 : 0))
    decoder.customConvention = .init(normalization: .signedUnit)
    return .certain(decoder, source: "the anchors packed with the model")
  }
}

extension ModelFacts {
  /// The record of MediaPipe's tools, if there is a readable one.
  fileprivate var detectorRecord: DetectorRecord? {
    let custom = metadata?.custom.first { $0.name == DetectorRecord.name }
    return custom.flatMap { try? DetectorRecord(decoding: $0.bytes) }
  }
}
