import OcellusImaging
import OcellusPlatform
import OcellusVision

/// A chart of precision over recall at an overlap of 0.5, with a curve for each class.
struct PrecisionRecallChart {
  /// The classes' names, average precisions and curves.
  private let curves: [(name: String, precision: Double, points: [Double])]

  private static let (width, height) = (760, 500)
  private static let (left, top, side) = (56, 24, 420)
  /// The maximum number of names in the legend; all curves are drawn.
  private static let maximumNames = 20

  init(names: [String], classes: [DetectionEvaluation.ClassMeasures]) {
    curves = zip(names, classes).filter { !$1.curve.isEmpty }.map { name, figures in
      (name, figures.averagePrecision50 ?? 0, figures.curve)
    }
  }

  var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(Self.height)" \
      viewBox="0 0 \(Self.width) \(Self.height)" font-family="system-ui, sans-serif" font-size="12">
      <title>Precision over recall at an overlap of 0.5</title>
      <rect width="100%" height="100%" fill="#fff"/>

      """
    for tick in 0...5 { text += Self.tick(Double(tick) / 5) }
    text += Self.label("recall", x: Self.left + Self.side / 2, y: Self.top + Self.side + 36)
    text += Self.label("precision", x: Self.left, y: Self.top - 8)
    for (index, curve) in curves.enumerated() {
      text += Self.line(curve.points, color: Self.color(index), width: 1.5)
      if index < Self.maximumNames {
        let name = "\(curve.name.printableInLine) \(curve.precision.fixed(3))"
        text += Self.entry(name, color: Self.color(index), row: index + 1)
      }
    }
    if let mean {
      text += Self.line(mean, color: "#000", width: 3)
      let precision = mean.reduce(0, +) / Double(mean.count)
      text += Self.entry("all classes \(precision.fixed(3))", color: "#000", row: 0)
    }
    return text + "</svg>\n"
  }

  /// The mean of all classes' curves.
  private var mean: [Double]? {
    guard let first = curves.first else { return nil }
    return first.points.indices.map { point in
      curves.reduce(0) { $0 + $1.points[point] } / Double(curves.count)
    }
  }

  private static func color(_ index: Int) -> String {
    let color = Color.distinct(index)
    return "rgb(\(color.red),\(color.green),\(color.blue))"
  }

  private static func coordinates(recall: Double, precision: Double) -> (x: String, y: String) {
    (
      (Double(left) + recall * Double(side)).fixed(1),
      (Double(top) + (1 - precision) * Double(side)).fixed(1)
    )
  }

  private static func line(_ points: [Double], color: String, width: Double) -> String {
    let coordinatePairs = zip(DetectionEvaluation.recalls, points).map { recall, precision in
      let (x, y) = coordinates(recall: recall, precision: precision)
      return "\(x),\(y)"
    }
    return """
      <polyline fill="none" stroke="\(color)" stroke-width="\(width)" \
      points="\(coordinatePairs.joined(separator: " "))"/>

      """
  }

  /// Returns grid lines and labels for a value on both axes.
  private static func tick(_ share: Double) -> String {
    let (x, y) = coordinates(recall: share, precision: share)
    return """
      <path stroke="#ddd" d="M\(x) \(top)v\(side)M\(left) \(y)h\(side)"/>
      <text x="\(x)" y="\(top + side + 16)" text-anchor="middle">\(share.fixed(1))</text>
      <text x="\(left - 6)" y="\(y)" dy="4" text-anchor="end">\(share.fixed(1))</text>

      """
  }

  private static func label(_ text: String, x: Int, y: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\">\(text)</text>\n"
  }

  private static func entry(_ text: String, color: String, row: Int) -> String {
    let (x, y) = (left + side + 24, top + 12 + row * 20)
    return """
      <rect x="\(x)" y="\(y - 8)" width="14" height="6" fill="\(color)"/>
      <text x="\(x + 20)" y="\(y)">\(text.asMarkup)</text>

      """
  }
}

extension String {
  /// The text with XML's special characters escaped.
  fileprivate var asMarkup: String {
    var text = ""
    for character in self {
      switch character {
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "&": text += "&amp;"
      case "\"": text += "&quot;"
      default: text.append(character)
      }
    }
    return text
  }
}
