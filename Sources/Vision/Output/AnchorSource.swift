public import OcellusImaging
import OcellusPlatform

/// The anchors that a caller provides for a network.
public enum AnchorSource: Hashable, Sendable {
  /// The anchors themselves, in the order of the network's rows.
  case anchors([Anchor])
  /// Widths and heights in pixels of the input, in ascending order, as YOLO uses them.
  case sizes([PixelPoint])
  /// The anchors that a version of YOLO is published with, and its encoding of boxes.
  case standard(YOLOAnchors)

  /// Reads a file of anchors.
  ///
  /// The file has lines of four numbers (y, x, height and width in fractions, as TensorFlow writes
  /// anchors), or pairs of widths and heights in pixels, as YOLO writes them.
  public init(contentsOf path: String) throws(VisionError) {
    try self.init(parsing: TextFile.contents(of: path), path: path)
  }

  init(parsing text: String, path: String) throws(VisionError) {
    var lines: [[Float]] = []
    for (number, line) in text.lines.enumerated() {
      let fields = line.split { $0 == "," || $0.isWhitespace }
      let values = fields.compactMap { Float($0) }.filter(\.isFinite)
      guard values.count == fields.count else {
        throw .unreadable("\(path): line \(number + 1) has something that is no number: '\(line)'")
      }
      if !values.isEmpty { lines.append(values) }
    }
    let numbers = lines.joined()
    if lines.count > 1, lines.allSatisfy({ $0.count == 4 }), numbers.allSatisfy({ abs($0) <= 4 }) {
      self = .anchors(lines.map { Anchor(x: $0[1], y: $0[0], width: $0[3], height: $0[2]) })
      return
    }
    guard !numbers.isEmpty, numbers.count % 2 == 0, numbers.allSatisfy({ $0 > 0 }) else {
      throw .unreadable(
        "\(path): neither lines of four numbers (y, x, height, width) nor pairs of positive "
          + "numbers (width, height)")
    }
    let values = Array(numbers)
    self = .sizes(
      stride(from: 0, to: values.count, by: 2).map {
        PixelPoint(x: Double(values[$0]), y: Double(values[$0 + 1]))
      })
  }
}
