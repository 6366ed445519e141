import OcellusImaging
import OcellusVision
import Testing

/// Decoders on outputs small enough to be decoded by hand.
@Suite struct DecoderTests {
  private func decode(
    _ decoder: any DetectionDecoder, _ outputs: [(shape: [Int], values: [Float])],
    threshold: Float = 0.3
  ) throws -> [Candidate] {
    let memory = outputs.map { output in
      let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: output.values.count)
      _ = buffer.initialize(from: output.values)
      return buffer
    }
    defer { memory.forEach { $0.deallocate() } }
    let tensors = zip(outputs, memory).map {
      OutputTensor(name: "output", shape: $0.shape, values: UnsafeBufferPointer($1))
    }
    return try decoder.candidates(in: tensors, threshold: threshold)
  }

  private func expect(
    _ box: BoundingBox, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let differences = [box.left - left, box.top - top, box.right - right, box.bottom - bottom]
    #expect(differences.allSatisfy { abs($0) < 1e-5 }, "\(box)", sourceLocation: sourceLocation)
  }

  @Test func postProcessedReadsAsManyAsCounted() throws {
    let decoder = PostProcessedDecoder(roles: .init(boxes: 1, categories: 0, scores: 3, count: 2))
    let found = try decode(
      decoder,
      [
        ([1, 3], [4, 2, 7]), ([1, 3, 4], [0.1, 0.2, 0.3, 0.4, 0, 0, 1, 1, 0, 0, 1, 1]), ([1], [2]),
        ([1, 3], [0.9, 0.25, 0.8]),
      ])
    #expect(found.count == 1)
    #expect(found[0].category == 4)
    expect(found[0].box, 0.2, 0.1, 0.4, 0.3)
  }

  @Test func ssdMeasuresFromAnchors() throws {
    let decoder = AnchorDecoder(
      boxOutputs: [0], scoreOutputs: [1],
      anchors: [Anchor(x: 0.5, y: 0.5, width: 0.2, height: 0.4)],
      encoding: .logarithmic(center: 10, size: 5, rowsFirst: true), activation: .sigmoid,
      hasBackground: true)
    // y 0.5 + 5/10 · 0.4, x 0.5 + 0, height 0.4 · e^(3.4657/5) = 0.8, width 0.2
    let found = try decode(
      decoder, [([1, 1, 4], [5, 0, 3.4657359, 0]), ([1, 1, 3], [9, 0, -5])])
    #expect(found.map(\.category) == [0])
    #expect(found[0].score == 0.5)
    expect(found[0].box, 0.4, 0.3, 0.6, 1.1)
  }

  @Test func mediaPipeMeasuresInPixels() throws {
    let decoder = AnchorDecoder(
      boxOutputs: [1], scoreOutputs: [0], anchors: [Anchor(x: 0.5, y: 0.25, width: 1, height: 1)],
      encoding: .pixels(width: 100, height: 200), activation: .sigmoid, hasBackground: false)
    let found = try decode(
      decoder, [([1, 1, 1], [0]), ([1, 1, 6], [10, 20, 40, 20, -10, 10])])
    expect(found[0].box, 0.4, 0.3, 0.8, 0.4)
    #expect(found[0].keypoints.count == 1)
    #expect(abs(found[0].keypoints[0].x - 0.4) < 1e-6)
    #expect(abs(found[0].keypoints[0].y - 0.3) < 1e-6)
  }

  /// TensorFlow's SSDs have 1917 boxes at 300 pixels and 2034 at 320.
  @Test func anchorsOfKnownNetworks() {
    let ssd = Anchor.ssd(inputWidth: 300, inputHeight: 300)
    #expect(ssd.count == 1917)
    #expect(ssd[0] == Anchor(x: 0.5 / 19, y: 0.5 / 19, width: 0.1, height: 0.1))
    #expect(Anchor.ssd(inputWidth: 320, inputHeight: 320).count == 2034)
    #expect(Anchor.ultraLight(inputWidth: 160, inputHeight: 120).count == 1118)
    let strides = [8, 16, 16, 16]
    let face = Anchor.mediaPipe(inputWidth: 128, inputHeight: 128, strides: strides)
    #expect(face.count == 896)
    #expect(face[1] == Anchor(x: 0.5 / 16, y: 0.5 / 16, width: 1, height: 1))
  }

  @Test func yoloColumns() throws {
    let decoder = YOLORowsDecoder(
      family: .v8, isTransposed: true, inputSize: PixelSize(width: 64, height: 64), isInPixels: nil,
      classes: 2)
    // Two boxes: (x, y, width, height, class 0, class 1), in pixels.
    let found = try decode(
      decoder, [([1, 6, 2], [32, 0, 16, 0, 32, 1, 16, 1, 0.1, 0.2, 0.6, 0.1])])
    #expect(found.map(\.category) == [1])
    expect(found[0].box, 0.25, 0.125, 0.75, 0.375)
  }

  @Test func yoloXMeasuresFromCells() throws {
    let decoder = YOLORowsDecoder(
      family: .yolox, isTransposed: false, inputSize: PixelSize(width: 32, height: 32),
      isInPixels: nil, classes: 1)
    var values = [Float](repeating: 0, count: 21 * 6)
    // The cell of stride 16 in column 1 of row 0: its centre is (1.5, 0.5) · 16, its width 32
    // pixels.
    values.replaceSubrange(17 * 6..<18 * 6, with: [0.5, 0.5, 0.6931472, 0, 0.8, 0.75])
    let found = try decode(decoder, [([1, 21, 6], values)])
    #expect(found.count == 1)
    #expect(abs(found[0].score - 0.6) < 1e-6)
    expect(found[0].box, 0.25, 0, 1.25, 0.5)
  }

  @Test func heatMapCellsThatTouchAreOne() throws {
    var values = [Float](repeating: 0, count: 16 * 2)
    for (cell, score) in [(0, 0.6), (5, 0.9), (15, 0.7)] as [(Int, Float)] {
      values[2 * cell + 1] = score
    }
    let found = try decode(
      CentroidDecoder(categoryCount: 1), [([1, 4, 4, 2], values)], threshold: 0.5)
    #expect(found.map(\.score) == [0.9, 0.7])
    expect(found[0].box, 0, 0, 0.5, 0.5)
    expect(found[1].box, 0.75, 0.75, 1, 1)
  }

  @Test func finishedRows() throws {
    let size = PixelSize(width: 100, height: 50)
    let six = try decode(
      DetectionRowsDecoder.sixColumns(inputSize: size),
      [([1, 2, 6], [10, 5, 50, 25, 0.9, 3, 0, 0, 1, 1, 0.1, 1])])
    #expect(six.map(\.category) == [3])
    expect(six[0].box, 0.1, 0.1, 0.5, 0.5)
    let seven = try decode(
      DetectionRowsDecoder.sevenColumns(inputSize: size), [([1, 7], [0, 2, 0.5, 0.25, 0, 0.5, 1])])
    #expect(seven.map(\.category) == [2])
    expect(seven[0].box, 0.25, 0, 0.5, 1)
  }

  @Test func numbersThatAreNoneAreNoObjects() throws {
    let decoder = PostProcessedDecoder(roles: .init(boxes: 0, categories: 1, scores: 2, count: 3))
    let found = try decode(
      decoder, [([1, 1, 4], [0, 0, 1, 1]), ([1, 1], [.nan]), ([1, 1], [0.9]), ([1], [.nan])])
    #expect(found.isEmpty)
  }
}
