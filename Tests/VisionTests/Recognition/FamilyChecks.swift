import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// Checks of model families on networks of constants whose one object is decoded by hand.
protocol FamilyChecks {}

extension FamilyChecks {
  typealias Output = SyntheticNetwork.Output

  /// Returns `count` equal rows, except the one at `place`.
  static func rows(
    _ count: Int, _ usual: [Float], at place: Int, _ numbers: [Float]
  ) -> [Float] {
    (0..<count).flatMap { $0 == place ? numbers : usual }
  }

  /// Returns the columns of rows of `width` numbers, as exports with channels first store them.
  static func planes(_ rows: [Float], _ width: Int) -> [Float] {
    (0..<width).flatMap { column in
      stride(from: column, to: rows.count, by: width).map { rows[$0] }
    }
  }

  /// Returns a detector of a network for square pictures.
  func detector(
    _ outputs: [(String, Output)], side: Int = 32, labels: Labels? = nil,
    anchors: AnchorSource? = nil
  ) throws -> ObjectDetector {
    let network = SyntheticNetwork(
      input: [1, side, side, 3], outputs.map { (name: $0, output: $1) })
    return try ObjectDetector(
      network.model(),
      options: .init(labels: labels, input: .init(normalization: .unit), anchors: anchors))
  }

  /// Returns the one object that a network finds in a picture of its input's size.
  func only(
    _ outputs: [(String, Output)], side: Int = 32, labels: Labels? = nil,
    anchors: AnchorSource? = nil
  ) throws -> (detection: Detection, summary: String) {
    let detector = try detector(outputs, side: side, labels: labels, anchors: anchors)
    let size = PixelSize(width: side, height: side)
    let found = try detector.detect(in: Image(uninitialized: .rgb8, size: size))
    #expect(found.count == 1, "\(found)")
    return (try #require(found.first), detector.decoder.summary)
  }

  func expect(
    _ detection: Detection, _ box: [Double], score: Float, category: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = [
      detection.box.left, detection.box.top, detection.box.right, detection.box.bottom,
    ]
    #expect(
      zip(found, box).allSatisfy { abs($0 - $1) < 1e-3 }, "\(found)", sourceLocation: sourceLocation
    )
    #expect(abs(detection.score - score) < 1e-4, sourceLocation: sourceLocation)
    #expect(detection.categories[0].index == category, sourceLocation: sourceLocation)
  }
}
