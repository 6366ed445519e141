import OcellusImaging
import Testing

@Suite struct OrientationTests {
  private let size = PixelSize(width: 6, height: 4)

  /// The first stored pixel of a 6x4 picture has the upright position by the definition of EXIF's
  /// values: row 0 is at the side named first, column 0 at the side named second.
  @Test(
    arguments: zip(
      Orientation.allCases,
      [
        (0.5, 0.5), (5.5, 0.5), (5.5, 3.5), (0.5, 3.5), (0.5, 0.5), (3.5, 0.5), (3.5, 5.5),
        (0.5, 5.5),
      ]
    ))
  func firstPixel(orientation: Orientation, place: (Double, Double)) {
    let upright = orientation.upright(PixelPoint(x: 0.5, y: 0.5), stored: size)
    #expect(upright == PixelPoint(x: place.0, y: place.1))
  }

  /// The second stored pixel of the first row follows in the direction of the row.
  @Test(
    arguments: zip(
      Orientation.allCases,
      [
        (1.5, 0.5), (4.5, 0.5), (4.5, 3.5), (1.5, 3.5), (0.5, 1.5), (3.5, 1.5), (3.5, 4.5),
        (0.5, 4.5),
      ]
    ))
  func secondPixel(orientation: Orientation, place: (Double, Double)) {
    let upright = orientation.upright(PixelPoint(x: 1.5, y: 0.5), stored: size)
    #expect(upright == PixelPoint(x: place.0, y: place.1))
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func compositionTurnsAsBothDo(first: Orientation, second: Orientation) {
    let both = first.followed(by: second)
    let box = BoundingBox(left: 1, top: 0.25, right: 2.5, bottom: 3)
    let inBetween = first.upright(box, stored: size)
    let stepwise = second.upright(inBetween, stored: first.uprightSize(ofStored: size))
    #expect(both.upright(box, stored: size) == stepwise)
    #expect(both.stored(stepwise, stored: size) == box)
  }

  @Test(arguments: Orientation.allCases)
  func inverseUndoes(orientation: Orientation) {
    #expect(orientation.followed(by: orientation.inverse) == .up)
    #expect(orientation.inverse.followed(by: orientation) == .up)
  }

  @Test func namesOfTheGuides() {
    let raw: [(Orientation, Int)] = [
      (.up, 1), (.upMirrored, 2), (.down, 3), (.downMirrored, 4), (.leftMirrored, 5), (.right, 6),
      (.rightMirrored, 7), (.left, 8),
    ]
    for (orientation, value) in raw { #expect(orientation.rawValue == value) }
  }

  /// Orientations equal the guides' table: device, EXIF value for the back and for the front
  /// camera.
  @Test(
    arguments: [
      (.portrait, 6, 5), (.landscapeLeft, 1, 4), (.portraitUpsideDown, 8, 7),
      (.landscapeRight, 3, 2), (.faceUp, 1, 1), (.faceDown, 1, 1), (.unknown, 1, 1),
    ] as [(DeviceOrientation, Int, Int)])
  func cameraTable(device: DeviceOrientation, back: Int, front: Int) {
    #expect(Orientation(device: device, camera: .back).rawValue == back)
    #expect(Orientation(device: device, camera: .front).rawValue == front)
  }
}
