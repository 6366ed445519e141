import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ResizeTests {
  private func resized<Element: TensorElement>(
    _ name: String, _ row: [Element], to width: Int32, alignsCorners: Bool = false,
    hasHalfPixelCenters: Bool = false
  ) throws -> [Element] {
    let isBilinear = name == "RESIZE_BILINEAR"
    let first = isBilinear ? 2 : 0
    let options = ModelWriter.Options(
      tag: isBilinear ? BuiltinOptionsTag.resizeBilinear : BuiltinOptionsTag.resizeNearestNeighbor,
      [first: .bool(alignsCorners), first + 1: .bool(hasHalfPixelCenters)])
    return try run(
      name, [.init([1, 1, row.count, 1], row), .init([2], [1, width])], version: 3,
      options: options, as: Element.self
    ).values
  }

  @Test func interpolatesBetweenPixels() throws {
    #expect(try resized("RESIZE_BILINEAR", [0, 4] as [Float], to: 4) == [0, 2, 4, 4])
    #expect(
      try resized("RESIZE_BILINEAR", [0, 6] as [Float], to: 4, alignsCorners: true) == [0, 2, 4, 6])
    #expect(
      try resized("RESIZE_BILINEAR", [0, 4] as [Float], to: 4, hasHalfPixelCenters: true)
        == [0, 1, 3, 4])
  }

  @Test func halvesRoundAwayFromZero() throws {
    #expect(try resized("RESIZE_BILINEAR", [0, -1] as [Int8], to: 4) == [0, -1, -1, -1])
    #expect(try resized("RESIZE_BILINEAR", [0, 1] as [UInt8], to: 4) == [0, 1, 1, 1])
  }

  @Test func nearestNeighborsFollowTheCenters() throws {
    let row: [Int32] = [1, 2, 3, 4]
    #expect(try resized("RESIZE_NEAREST_NEIGHBOR", row, to: 2) == [1, 3])
    #expect(
      try resized("RESIZE_NEAREST_NEIGHBOR", row, to: 2, hasHalfPixelCenters: true) == [2, 4])
    #expect(try resized("RESIZE_NEAREST_NEIGHBOR", row, to: 2, alignsCorners: true) == [1, 4])
  }

  @Test func refusesPicturesWithoutPixels() {
    #expect(throws: ModelError.self) {
      try resized("RESIZE_NEAREST_NEIGHBOR", [] as [Float], to: 2)
    }
  }
}
