import OcellusImaging
import OcellusModelFile

extension ModelFacts {
  /// Returns the layout of an output's boxes that the metadata describe, if they do.
  func describedBoxLayout(ofOutput index: Int, inputSize: PixelSize) -> BoxLayout? {
    guard
      case .boundingBox(let order, let kind, let coordinates)? =
        metadata(ofOutput: index)?.content?.properties
    else { return nil }
    let isInPixels = coordinates == .pixel
    return BoxLayout(
      kind: kind.layoutKind,
      // In the schema's order: for each coordinate, the position of its number.
      positions: order.sorted() == [0, 1, 2, 3] ? order : [0, 1, 2, 3],
      width: isInPixels ? Double(inputSize.width) : 1,
      height: isInPixels ? Double(inputSize.height) : 1)
  }
}

extension TensorContent.BoundingBoxKind {
  fileprivate var layoutKind: BoxLayout.Kind {
    switch self {
    case .unknown, .boundaries: .edges
    case .upperLeft: .corner
    case .center: .center
    }
  }
}
