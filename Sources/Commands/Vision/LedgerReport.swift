import OcellusImaging
import OcellusJSON
import OcellusVision

/// The account of a detection's candidates, as a table and as JSON.
struct LedgerReport: Sendable {
  let ledger: DetectionLedger
  /// The picture that was processed, which may be smaller than the one in the file.
  let picture: DecodedImage

  /// The maximum number of candidates in the table.
  private static let maximumShown = 40

  /// The candidates in the table: those below the score threshold are only counted.
  private var shown: [DetectionLedger.Entry] {
    ledger.entries.filter { entry in
      if case .belowThreshold = entry.fate { return false }
      return true
    }.sorted { ($0.score, $1.number) > ($1.score, $0.number) }
  }

  var text: String {
    let origins = ledger.originCount > 0 ? " of \(ledger.originCount.grouped) anchors or cells" : ""
    let counts = ledger.summary.map { "\($0.count.grouped) \($0.reason)" }
    var text = "  \(ledger.entries.count.grouped) candidates\(origins): "
    text += counts.joined(separator: ", ") + "\n"
    let shown = shown
    guard !shown.isEmpty else { return text }
    var table = TextTable([
      .right("candidate"), .left("label"), .right("score"), .left("from"), .left("became"),
    ])
    for entry in shown.prefix(Self.maximumShown) {
      table.add([
        "\(entry.number)", entry.label ?? "class \(entry.category)",
        Double(entry.score).fixed(3), entry.origin?.text ?? "", entry.fate.text,
      ])
    }
    text += table.text(indent: 2)
    let left = shown.count - Self.maximumShown
    return left > 0 ? text + "  and \(left.grouped) more: --json\n" : text
  }

  var json: JSONValue {
    [
      "candidates": .integer(ledger.entries.count), "origins": .integer(ledger.originCount),
      "counts": .array(
        ledger.summary.map { ["reason": .string($0.reason), "count": .integer($0.count)] }),
      "entries": .array(shown.map { json(of: $0) }),
    ]
  }

  private func json(of entry: DetectionLedger.Entry) -> JSONValue {
    let box = picture.sourceBox(of: entry.box)
    var object = JSONObject()
    object.append("candidate", .integer(entry.number))
    object.append("category", .integer(entry.category))
    object.append("label", .string(orNull: entry.label))
    object.append("score", .number(Double(entry.score)))
    object.append(
      "box",
      [
        "left": .number(box.left), "top": .number(box.top), "right": .number(box.right),
        "bottom": .number(box.bottom),
      ])
    object.append("origin", entry.origin.map { .integer($0.index) } ?? .null)
    object.append("column", entry.origin?.column.map { .integer($0) } ?? .null)
    object.append("row", entry.origin?.row.map { .integer($0) } ?? .null)
    object.append("fate", .string(entry.fate.reason))
    if let (rival, overlap) = entry.fate.rival {
      object.append("by", .integer(rival))
      object.append("overlap", .number(overlap))
    }
    return .object(object)
  }
}

extension DetectionLedger.Fate {
  /// The entry that caused this fate, and the overlap of both.
  fileprivate var rival: (number: Int, overlap: Double)? {
    switch self {
    case .suppressed(let number, let overlap), .blended(let number, let overlap):
      (number, overlap)
    default: nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .suppressed(let number, let overlap):
      "suppressed by \(number), overlap \(overlap.fixed(2))"
    case .blended(let number, let overlap):
      "blended into \(number), overlap \(overlap.fixed(2))"
    default: reason
    }
  }
}

extension Candidate.Origin {
  fileprivate var text: String {
    guard let column, let row else { return "\(index)" }
    return "\(index), column \(column), row \(row)"
  }
}

extension OcclusionMap {
  /// The loss of score of every tile in tenths, as a grid.
  var text: String {
    let lines = (0..<rows).map { row in
      (0..<columns).map { column in
        let tenths = Int((shares[row * columns + column] * 10).rounded())
        return tenths == 0 ? " ·" : (tenths < 10 ? " \(tenths)" : "10")
      }.joined(separator: " ")
    }
    return "  tenths of the score that are lost where the picture is covered:\n"
      + lines.map { "    \($0)\n" }.joined()
  }

  var json: JSONValue {
    [
      "columns": .integer(columns), "rows": .integer(rows), "score": .number(Double(score)),
      "losses": .array(losses.map { .number(Double($0)) }),
    ]
  }
}
