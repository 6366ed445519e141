public import OcellusImaging

/// The anchors that YOLO networks are published with, and how boxes are encoded relative to them.
///
/// The maps of several versions look alike, so a detector does not guess which one a model is.
public enum YOLOAnchors: String, Hashable, Sendable, CaseIterable {
  /// YOLO v2, trained on COCO.
  case v2 = "yolov2"
  /// YOLO v2 and its tiny variant, trained on VOC.
  case v2VOC = "yolov2-voc"
  /// The tiny variant of YOLO v2, trained on VOC.
  case v2TinyVOC = "yolov2-tiny-voc"
  /// YOLO v3.
  case v3 = "yolov3"
  /// The tiny variant of YOLO v3.
  case v3Tiny = "yolov3-tiny"
  /// YOLO v4.
  case v4 = "yolov4"
  /// The tiny variant of YOLO v4.
  case v4Tiny = "yolov4-tiny"
  /// Yolo-Fastest 1.1, whose maps are like those of YOLO v3's tiny variant.
  case fastest = "yolo-fastest"
  /// YOLO v5.
  case v5 = "yolov5"
  /// YOLO v7.
  case v7 = "yolov7"
  /// The tiny variant of YOLO v7.
  case v7Tiny = "yolov7-tiny"

  /// The widths and heights in pixels of the input, those of the finest map first.
  public var sizes: [PixelPoint] {
    let numbers = numbers
    return stride(from: 0, to: numbers.count, by: 2).map {
      PixelPoint(x: numbers[$0], y: numbers[$0 + 1])
    }
  }

  /// The number of maps that the anchors are for.
  var mapCount: Int {
    switch self {
    case .v2, .v2VOC, .v2TinyVOC: 1
    case .v3Tiny, .v4Tiny, .fastest: 2
    case .v3, .v4, .v5, .v7, .v7Tiny: 3
    }
  }

  /// The encoding of a box relative to a cell and an anchor.
  var encoding: YOLOMapDecoder.Encoding {
    switch self {
    case .v2, .v2VOC, .v2TinyVOC, .v3, .v3Tiny, .fastest: .exponential(spreads: [1])
    case .v4: .exponential(spreads: [1.2, 1.1, 1.05])
    case .v4Tiny: .exponential(spreads: [1.05])
    case .v5, .v7, .v7Tiny: .squared
    }
  }

  private var numbers: [Double] {
    switch self {
    // YOLO v2's are published in cells of 32 pixels.
    case .v2:
      [0.57273, 0.677385, 1.87446, 2.06253, 3.33843, 5.47434, 7.88282, 3.52778, 9.77052, 9.16828]
        .map { 32 * $0 }
    case .v2VOC:
      [1.3221, 1.73145, 3.19275, 4.00944, 5.05587, 8.09892, 9.47112, 4.84053, 11.2364, 10.0071]
        .map { 32 * $0 }
    case .v2TinyVOC:
      [1.08, 1.19, 3.42, 4.41, 6.63, 11.38, 9.42, 5.11, 16.62, 10.52].map { 32 * $0 }
    case .v3, .v5, .v7Tiny:
      [10, 13, 16, 30, 33, 23, 30, 61, 62, 45, 59, 119, 116, 90, 156, 198, 373, 326]
    case .v4, .v7:
      [12, 16, 19, 36, 40, 28, 36, 75, 76, 55, 72, 146, 142, 110, 192, 243, 459, 401]
    case .fastest: [12, 18, 37, 49, 52, 132, 115, 73, 119, 199, 242, 238]
    case .v3Tiny: [10, 14, 23, 27, 37, 58, 81, 82, 135, 169, 344, 319]
    // The finer map begins with the second anchor, and both have the fourth.
    case .v4Tiny: [23, 27, 37, 58, 81, 82, 81, 82, 135, 169, 344, 319]
    }
  }
}
