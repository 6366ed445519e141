import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// MediaPipe's operators for parts of a face, by arithmetic on paper.
@Suite struct LandmarkTests {
  /// Twice as large, and moved by (10, -1).
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

  /// Of a row of the pixels 1, 3, 5, 9, two channels each, the part from the middle of the first on.
  @Test func partsAreSampledBetweenPixels() throws {
    let pixels: [Float] = [1, 10, 3, 30, 5, 50, 9, 90]
    // Half a pixel to the right: corners are where they were.
    let shift = TestTensor(
      [1, 4, 4], [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as [Float])
    let part = try run(
      "TransformTensorBilinear", [TestTensor([1, 1, 4, 2], pixels), shift], version: 2,
      customOptions: FlexValue.map(["output_height": .int(2), "output_width": .int(4)]).encoded,
      as: Float.self)
    #expect(part.shape == [1, 2, 4, 2])
    // The last place is half outside, and so is the second line: nothing is there.
    #expect(part.values[..<8] == [2, 20, 4, 40, 7, 70, 0, 0])
    #expect(part.values[8...].allSatisfy { $0 == 0 })
  }

  /// Scaling by two is about the corner of the first pixel, so that results are at 0.5, 2.5, ….
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

  /// Between (2, 4) and (10, 6) lies a box of 8×2 around (6, 5), which 8×4 pixels show.
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

  /// A line that points down: the box is turned by a quarter.
  @Test func turnedBoxes() throws {
    let values = try matrix([5, 0, 0, 5, 8, 0, 7, 4, 0], subset: [0, 1, 2, 0])
    // From the line's side the box is 8 wide and 2 high, around (6, 4).
    let expected: [Float] = [0, -0.5, 0, 7, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    for (value, expected) in zip(values, expected) { #expect(abs(value - expected) < 1e-5) }
  }

  @Test func landmarksThatAreNotThereAreRefused() {
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], subset: [0, 2]) }
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], left: -1, subset: [0, 1]) }
    #expect(throws: ModelError.self) { try matrix([1, 2, 3, 4, 5, 6], subset: []) }
  }
}
