import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// MediaPipe's operators for face landmarks, checked against results computed by hand.
@Suite struct LandmarkTests {
  /// Scales by two and translates by (10, -1).
  private let matrix = TestTensor(
    [1, 4, 4], [2, 0, 0, 10, 0, 2, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1] as [Float])

  @Test func pointsAreMovedAndKeepTheirDepth() throws {
    let flat = try run(
      "TransformLandmarks", [TestTensor([1, 2, 2], [1, 2, -3, 0.5] as [Float]), matrix],
      version: 2, as: Float.self)
    #expect(flat.shape == [1, 2, 2])
    #expect(flat.values == [12, 3, 4, 0])
    let deep = try run(
      "TransformLandmarks", [TestTensor([1, 1, 3], [1, 2, 7] as [Float]), matrix], version: 2,
      as: Float.self)
    #expect(deep.values == [12, 3, 7])
  }

  /// A row of the pixels 1, 3, 5 and 9, with two channels each, is sampled half a pixel to the
  /// right.
  @Test func partsAreSampledBetweenPixels() throws {
    let pixels: [Float] = [1, 10, 3, 30, 5, 50, 9, 90]
    // A translation by half a pixel to the right, without scaling.
    let shift = TestTensor(
      [1, 4, 4], [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as [Float])
    let part = try run(
      "TransformTensorBilinear", [TestTensor([1, 1, 4, 2], pixels), shift], version: 2,
      customOptions: FlexValue.map(["output_height": .int(2), "output_width": .int(4)]).encoded,
      as: Float.self)
    #expect(part.shape == [1, 2, 4, 2])
    // The last sample lies half outside the image and the second row lies outside, so both are
    // zero.
    #expect(part.values[..<8] == [2, 20, 4, 40, 7, 70, 0, 0])
    #expect(part.values[8...].allSatisfy { $0 == 0 })
  }

  /// Scaling by two keeps the corner of the first pixel, so samples lie at 0.5, 2.5, ….
  @Test func scalingKeepsTheCorner() throws {
    let double = TestTensor(
      [1, 4, 4], [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as [Float])
    let part = try run(
      "TransformTensorBilinear",
      [TestTensor([1, 4, 4, 1], (0..<16).map(Float.init)), double], version: 2,
      customOptions: FlexValue.map(["output_height": .int(2), "output_width": .int(2)]).encoded,
      as: Float.self)
    #expect(part.values == [2.5, 4.5, 10.5, 12.5])
  }

  private func matrix(
    _ points: [Float], left: Int64 = 0, right: Int64 = 1, subset: [Int64], scale: Double = 1
  ) throws -> [Float] {
    try run(
      "Landmarks2TransformMatrix", [TestTensor([1, points.count / 3, 3], points)], version: 2,
      customOptions: FlexValue.map([
        "left_rotation_idx": .int(left), "right_rotation_idx": .int(right),
        "output_height": .int(4), "output_width": .int(8), "scale_x": .float(scale),
        "scale_y": .float(scale), "target_rotation_radians": .float(0),
        "subset_idxs": .vector(subset.map { .int($0) }),
      ]).encoded, as: Float.self
    ).values
  }

  /// The box between (2, 4) and (10, 6) is 8×2 in size with its centre at (6, 5), and maps to 8×4
  /// pixels.
  @Test func uprightBoxes() throws {
    let points: [Float] = [2, 4, 0, 10, 4, 0, 5, 6, 9]
    #expect(
      try matrix(points, subset: [0, 1, 2, 0])
        == [1, 0, 0, 2, 0, 0.5, 0, 4, 0, 0, 1, 0, 0, 0, 0, 1])
    // Twice as large around the same centre.
    #expect(
      try matrix(points, subset: [0, 1, 2, 0], scale: 2)
        == [2, 0, 0, -2, 0, 1, 0, 3, 0, 0, 1, 0, 0, 0, 0, 1])
  }

  /// A line that points down rotates the box by a quarter turn.
  @Test func turnedBoxes() throws {
    let values = try matrix([5, 0, 0, 5, 8, 0, 7, 4, 0], subset: [0, 1, 2, 0])
    // Measured along the line, the box is 8 wide and 2 high, with its centre at (6, 4).
    let expected: [Float] = [0, -0.5, 0, 7, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    for (value, expected) in zip(values, expected) { #expect(abs(value - expected) < 1e-5) }
  }

  @Test func landmarksThatAreNotThereAreRefused() {
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], subset: [0, 2]) }
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], left: -1, subset: [0, 1]) }
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], subset: []) }
  }
}
