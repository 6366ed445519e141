import OcellusImaging
import Testing

@Suite struct CanvasTests {
  private func canvas(_ width: Int, _ height: Int) throws -> Canvas {
    let bytes = [UInt8](repeating: 0, count: 3 * width * height)
    return try Canvas(Image(.rgb8, size: PixelSize(width: width, height: height), bytes: bytes))
  }

  /// Returns the red channel by rows.
  private func red(_ canvas: Canvas) -> [[UInt8]] {
    let (size, plane) = (canvas.size, canvas.image.planes[0])
    return canvas.image.withUnsafeBytes { bytes in
      (0..<size.height).map { y in
        (0..<size.width).map { bytes[plane.byteOffset + y * plane.rowStride + 3 * $0] }
      }
    }
  }

  @Test func edgesWithinAPixelColourItInPart() throws {
    var canvas = try canvas(4, 3)
    canvas.fill(BoundingBox(left: 0.5, top: 1, right: 3.25, bottom: 2.5), .white)
    #expect(red(canvas) == [[0, 0, 0, 0], [128, 255, 255, 64], [64, 128, 128, 32]])
  }

  @Test func outlinesLeaveTheInsideAlone() throws {
    var canvas = try canvas(5, 5)
    canvas.stroke(BoundingBox(left: 0.5, top: 0.5, right: 4.5, bottom: 4.5), width: 1, .white)
    let frame: [UInt8] = [255, 255, 255, 255, 255]
    let side: [UInt8] = [255, 0, 0, 0, 255]
    #expect(red(canvas) == [frame, side, side, side, frame])
  }

  @Test func opacityBlends() throws {
    var canvas = try canvas(1, 1)
    canvas.fill(BoundingBox(x: 0, y: 0, width: 1, height: 1), .white.withOpacity(0.25))
    #expect(red(canvas) == [[64]])
  }

  @Test func linesAreAsWideAsAsked() throws {
    var canvas = try canvas(8, 5)
    canvas.line(
      from: PixelPoint(x: 2, y: 2.5), to: PixelPoint(x: 6, y: 2.5), width: 1, .white)
    #expect(red(canvas)[2][2...5].allSatisfy { $0 == 255 })
    #expect(red(canvas)[0].allSatisfy { $0 == 0 })
    #expect(red(canvas)[4].allSatisfy { $0 == 0 })
  }

  @Test func whatLiesOutsideIsNotDrawn() throws {
    var canvas = try canvas(3, 3)
    for box in [
      BoundingBox(x: -10, y: -10, width: 5, height: 5),
      BoundingBox(x: 3, y: 3, width: 9, height: 9),
      BoundingBox(left: .nan, top: 0, right: .infinity, bottom: 1),
      BoundingBox(x: 2, y: 2, width: -1, height: -1),
    ] {
      canvas.fill(box, .white)
      canvas.stroke(box, width: 1, .white)
    }
    canvas.text("outside", x: 100, y: 100, .white)
    #expect(red(canvas)[0].allSatisfy { $0 == 0 })
  }

  @Test func lettersAreReadable() throws {
    var canvas = try canvas(11, 7)
    canvas.text("L7", x: 0, y: 0, .white)
    let picture = red(canvas).map { row in row.map { $0 > 0 ? "#" : "." }.joined() }
    #expect(
      picture == [
        "#.....#####", "#.........#", "#........#.", "#.......#..", "#......#...", "#......#...",
        "#####..#...",
      ])
    #expect(Canvas.textSize("L7") == PixelSize(width: 11, height: 7))
  }

  @Test func unknownCharactersAreFrames() throws {
    var canvas = try canvas(5, 7)
    canvas.text("猫", x: 0, y: 0, .white)
    #expect(red(canvas)[0] == [255, 255, 255, 255, 255])
    #expect(red(canvas)[3] == [255, 0, 0, 0, 255])
  }

  @Test func coloursOfNeighboursDiffer() {
    for number in 0..<200 {
      let (one, next) = (Color.distinct(number), Color.distinct(number + 1))
      let difference =
        abs(Int(one.red) - Int(next.red)) + abs(Int(one.green) - Int(next.green))
        + abs(Int(one.blue) - Int(next.blue))
      #expect(difference > 200, "\(number)")
    }
    #expect(Color.distinct(-7) == Color.distinct(-7))
    #expect(Color.white.contrasting == .black && Color.black.contrasting == .white)
  }

  @Test func heatMapsGoFromNothingToRed() throws {
    var canvas = try canvas(4, 1)
    canvas.heatMap(
      [0, 1], columns: 2, in: BoundingBox(x: 0, y: 0, width: 4, height: 1), opacity: 1)
    #expect(red(canvas)[0].first == 0)
    #expect(red(canvas)[0].last == 255)
  }
}
