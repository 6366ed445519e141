import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// The ranges of candidates, against what decoders find in outputs drawn inside of their ranges.
@Suite struct CandidateRangeTests {
  /// A decoder and the middle of its outputs' ranges.
  private struct Subject {
    let decoder: any DetectionDecoder
    let outputs: [(shape: [Int], numbers: [Float])]
    var threshold: Float = 0.3
  }

  private static let size = PixelSize(width: 64, height: 64)

  private static func subjects(_ generator: inout SeededGenerator) -> [Subject] {
    func numbers(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
      (0..<count).map { _ in Float.random(in: range, using: &generator) }
    }
    let anchors = (0..<12).map { index in
      Anchor(x: Float(index) / 12, y: 0.5, width: 0.2, height: 0.3 + Float(index) / 40)
    }
    func ssd(_ activation: ScoreActivation, _ encoding: AnchorDecoder.Encoding) -> Subject {
      Subject(
        decoder: AnchorDecoder(
          boxOutputs: [1], scoreOutputs: [0], anchors: anchors, encoding: encoding,
          activation: activation, hasBackground: true),
        outputs: [
          ([1, 12, 4], activation == .none ? numbers(48, 0...1) : numbers(48, -2...2)),
          ([1, 12, 6], numbers(72, -3...3)),
        ])
    }
    func rows(_ family: YOLORowsDecoder.Family, isTransposed: Bool) -> Subject {
      let columns = (family == .v8 ? 4 : 5) + 3
      let count = family == .yolox ? 84 : 20
      let boxes = family == .yolox ? -1.5...1.5 : Float(0)...64
      let table = (0..<count).map { _ in numbers(4, boxes) + numbers(columns - 4, 0...1) }
      let values =
        isTransposed
        ? (0..<columns).flatMap { column in table.map { $0[column] } } : table.flatMap(\.self)
      return Subject(
        decoder: YOLORowsDecoder(
          family: family, isTransposed: isTransposed, inputSize: size, isInPixels: true,
          classes: 3),
        outputs: [(isTransposed ? [1, columns, count] : [1, count, columns], values)])
    }
    func map(_ encoding: YOLOMapDecoder.Encoding, isPlanar: Bool) -> Subject {
      var decoder = YOLOMapDecoder(
        maps: [.init(output: 0, anchors: Array(anchors.prefix(2)))], classes: 3)
      decoder.encoding = encoding
      return Subject(
        decoder: decoder,
        outputs: [(isPlanar ? [1, 16, 4, 3] : [1, 4, 3, 16], numbers(16 * 12, -2.5...2.5))])
    }
    return [
      ssd(.sigmoid, .logarithmic(center: 10, size: 5, rowsFirst: true)),
      ssd(.softmax, .logarithmic(center: 10, size: 5, rowsFirst: false)),
      ssd(.none, .pixels(width: 8, height: 9)),
      rows(.v5, isTransposed: false), rows(.v8, isTransposed: true),
      rows(.v8, isTransposed: false), rows(.yolox, isTransposed: false),
      map(.exponential(spreads: [1.1]), isPlanar: false), map(.squared, isPlanar: true),
    ]
  }

  /// Calls a decoder with outputs of these numbers.
  private func decode(_ subject: Subject, _ numbers: [[Float]]) throws -> [Candidate] {
    let memory = numbers.map { values in
      let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: values.count)
      _ = buffer.initialize(from: values)
      return buffer
    }
    defer { memory.forEach { $0.deallocate() } }
    let tensors = zip(subject.outputs, memory).map {
      OutputTensor(name: "output", shape: $0.shape, values: UnsafeBufferPointer($1))
    }
    return try subject.decoder.candidates(in: tensors, threshold: subject.threshold)
  }

  /// Numbers inside of the ranges, or at their ends.
  private func drawn(
    _ ranges: [OutputRange], _ generator: inout SeededGenerator
  ) -> [[Float]] {
    ranges.map { range in
      zip(range.lows, range.highs).map { low, high in
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: low
        case 1: high
        default: Float.random(in: low...high, using: &generator)
        }
      }
    }
  }

  @Test(arguments: 0..<9, [Float(0), 1e-3, 0.05, 0.4])
  func everythingThatMayBeFoundIsInside(subject index: Int, width: Float) throws {
    var generator = SeededGenerator(seed: 77 + UInt64(index))
    let subject = Self.subjects(&generator)[index]
    let ranges = subject.outputs.map { output in
      let halves = output.numbers.map { _ in Float.random(in: 0...1, using: &generator) * width }
      return OutputRange(
        name: "output", shape: output.shape,
        lows: zip(output.numbers, halves).map { $0 - $1 },
        highs: zip(output.numbers, halves).map { $0 + $1 })
    }
    let candidates = try #require(
      try CandidateRange.all(from: subject.decoder, in: ranges, threshold: subject.threshold))
    #expect(!candidates.isEmpty)
    for _ in 0..<60 {
      let found = try decode(subject, drawn(ranges, &generator))
      for candidate in found {
        let holders = candidates.filter {
          $0.origin == candidate.origin && $0.categories.contains(candidate.category)
            && $0.lowScore <= candidate.score && candidate.score <= $0.highScore
            && $0.box.holds(candidate.box)
        }
        #expect(holders.count == 1, "\(subject.decoder.summary): \(candidate)")
      }
      // What is above the threshold for certain is found.
      for certain in candidates where certain.lowScore >= subject.threshold {
        #expect(
          found.contains {
            $0.origin == certain.origin && certain.categories.contains($0.category)
          })
      }
    }
    if width == 0 {
      for candidate in candidates {
        #expect(candidate.lowScore == candidate.highScore && candidate.box.reach == 0)
      }
    }
  }

  @Test func anEqualClassMayBeTheBest() throws {
    let decoder = YOLORowsDecoder(
      family: .v8, isTransposed: false, inputSize: Self.size, isInPixels: true, classes: 3)
    let range = OutputRange(
      name: "output", shape: [1, 1, 7], lows: [8, 8, 4, 4, 0.5, 0.49, 0.2],
      highs: [8, 8, 4, 4, 0.52, 0.5, 0.3])
    let found = try #require(try CandidateRange.all(from: decoder, in: [range], threshold: 0.25))
    #expect(found.map(\.categories) == [[0, 1]])
    #expect(abs(found[0].lowScore - 0.5) < 1e-5 && abs(found[0].highScore - 0.52) < 1e-5)
  }

  @Test func centresAndSizesMoveEdgesTogether() throws {
    // x is 8 ± 1, and the width 4 ± 2: the left edge is 4…8, the right edge 8…12, of 64 pixels.
    let decoder = YOLORowsDecoder(
      family: .v8, isTransposed: false, inputSize: Self.size, isInPixels: true, classes: 1)
    let range = OutputRange(
      name: "output", shape: [1, 1, 5], lows: [7, 8, 2, 4, 0.5], highs: [9, 8, 6, 4, 0.5])
    let box = try #require(
      try CandidateRange.all(from: decoder, in: [range], threshold: 0.25)?.first?.box)
    #expect(abs(box.low.left * 64 - 4) < 1e-3 && abs(box.high.left * 64 - 8) < 1e-3)
    #expect(abs(box.low.right * 64 - 8) < 1e-3 && abs(box.high.right * 64 - 12) < 1e-3)
    #expect(abs(box.low.top * 64 - 6) < 1e-3 && abs(box.high.top * 64 - 6) < 1e-3)
  }

  @Test func otherDecodersAreNotCovered() throws {
    let decoder = CentroidDecoder(categoryCount: 2)
    #expect(try CandidateRange.all(from: decoder, in: [], threshold: 0.5) == nil)
  }
}

extension BoxRange {
  /// Whether a box is one of these.
  func holds(_ box: BoundingBox) -> Bool {
    low.left <= box.left && box.left <= high.left && low.top <= box.top && box.top <= high.top
      && low.right <= box.right && box.right <= high.right && low.bottom <= box.bottom
      && box.bottom <= high.bottom
  }
}
