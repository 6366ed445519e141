import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The verdicts on a picture's detections, as text and as JSON.
struct DetectionBoundsReport {
  let bounds: DetectionBounds
  let detections: [Detection]
  /// The picture that was processed, which may be smaller than the one in the file.
  let picture: DecodedImage

  // MARK: For a reader

  var text: String {
    var text = "  bounds: " + bounds.outputs.map(\.text).joined(separator: "; ") + "\n"
    if bounds.integerCount > 0 { text += "  " + integerSentence + "\n" }
    if let reason = bounds.reason { text += "  undecided: \(reason)\n" }
    guard !detections.isEmpty else { return text + newcomersText }
    var table = TextTable([
      .right("object"), .left("label"), .left("score"), .left("box"), .left("verdict"),
      .right("holds within"),
    ])
    for index in detections.indices { table.add(cells(index)) }
    return text + table.text(indent: 2) + newcomersText
  }

  private var integerSentence: String {
    let count =
      bounds.integerCount == 1 ? "1 node computes" : "\(bounds.integerCount) nodes compute"
    return
      "\(count) in integers: exact in every engine that follows the reference kernels; XNNPACK "
      + "rounds once where they round twice: each may be a step off there, and what follows from it more"
  }

  private func cells(_ index: Int) -> [String] {
    let detection = detections[index]
    let label = detection.categories.first?.label ?? "-"
    let holds = bounds.holding[index].map { bounds.unit.text($0) } ?? ""
    let score = Double(detection.score).fixed(3)
    guard let verdicts = bounds.verdicts else {
      return ["\(index + 1)", label, score, "", "undecided", holds]
    }
    guard let verdict = verdicts.verdicts[index] else {
      return [
        "\(index + 1)", label, score, "", "undecided: no single candidate is this object", holds,
      ]
    }
    let reach = verdict.box.reach
    let box = reach > 0 ? "± \(pixels(reach)) px" : "exact"
    let outcome =
      verdict.isCertain ? "cannot flip" : verdict.risks.map(\.text).joined(separator: "; ")
    return ["\(index + 1)", label, scoreText(verdict), box, outcome, holds]
  }

  private func scoreText(_ verdict: DetectionVerdict) -> String {
    guard verdict.lowScore.isFinite else {
      return "up to \(Double(verdict.highScore).fixed(3))"
    }
    let half = (Double(verdict.highScore) - Double(verdict.lowScore)) / 2
    let middle = Double(verdict.lowScore) + half
    return half > 0 ? "\(middle.fixed(3)) ± \(Float(half).shortText)" : middle.fixed(3)
  }

  private func pixels(_ number: Double) -> String {
    number >= 0.05 ? number.fixed(1) : Float(number).shortText
  }

  private var newcomersText: String {
    guard let verdicts = bounds.verdicts, verdicts.newCount > 0 else { return "" }
    let names = verdicts.newcomers.prefix(5).map {
      "\($0.label ?? "class \($0.category)") (up to \(Double($0.highScore).fixed(3)))"
    }
    let more = verdicts.newCount - names.count
    let count = verdicts.newCount == 1 ? "1 object" : "\(verdicts.newCount.grouped) objects"
    return "  \(count) may appear: " + names.joined(separator: ", ")
      + (more > 0 ? " and \(more.grouped) more" : "") + "\n"
  }

  // MARK: For a program

  var json: JSONValue {
    [
      "decided": .bool(bounds.verdicts != nil), "reason": .string(orNull: bounds.reason),
      "integer_nodes": .integer(bounds.integerCount),
      "outputs": .array(bounds.outputs.map(\.json)),
      "unit": .string(bounds.unit.rawValue),
      "objects": .array(detections.indices.map { object($0) }),
      "may_appear": .integer(bounds.verdicts?.newCount ?? 0),
      "newcomers": .array(
        (bounds.verdicts?.newcomers ?? []).map { newcomer in
          [
            "category": .integer(newcomer.category), "label": .string(orNull: newcomer.label),
            "score_high": .number(Double(newcomer.highScore)),
            "box_low": edges(newcomer.box.low), "box_high": edges(newcomer.box.high),
          ]
        }),
    ]
  }

  private func object(_ index: Int) -> JSONValue {
    let verdict = bounds.verdicts?.verdicts[index]
    return [
      "verdict": .string(
        verdict.map { $0.isCertain ? "cannot_flip" : "may_flip" } ?? "undecided"),
      "score_low": verdict.map { .finite($0.lowScore) } ?? .null,
      "score_high": verdict.map { .finite($0.highScore) } ?? .null,
      "box_low": verdict.map { edges($0.box.low) } ?? .null,
      "box_high": verdict.map { edges($0.box.high) } ?? .null,
      "risks": .array(
        (verdict?.risks ?? []).map {
          ["kind": .string($0.kind), "text": .string($0.text)]
        }),
      "holds_within": bounds.holding[index].map { .number($0) } ?? .null,
    ]
  }

  private func edges(_ box: BoundingBox) -> JSONValue {
    let box = picture.sourceBox(of: box)
    return [
      "left": .finite(box.left), "top": .finite(box.top), "right": .finite(box.right),
      "bottom": .finite(box.bottom),
    ]
  }
}

extension DetectionBounds.Unit {
  /// An amount in words.
  fileprivate func text(_ amount: Double) -> String {
    switch self {
    case .steps: return amount == 1 ? "1 step" : "\(Int(amount)) steps"
    case .share:
      guard amount > 0 else { return "0 %" }
      return amount >= 0.001 ? "\((100 * amount).fixed(1)) %" : "\(Float(100 * amount).shortText) %"
    }
  }
}

extension DetectionBounds.Output {
  fileprivate var text: String {
    let name = "'\(name.shortened(to: 32))'".printableInLine
    switch state {
    case .exact: return "\(name) is exact"
    case .bounded: return "\(name) within \(Float(widestShare).shortText) of its largest number"
    case .tooWide: return "\(name) too wide"
    case .notBounded: return "\(name) not bounded"
    }
  }

  /// Why nothing is decided from it.
  var sentence: String {
    switch state {
    case .exact, .bounded: return text
    case .tooWide:
      let width =
        widestShare.isFinite ? "±\(Float(widestShare).shortText) of the largest number" : "anything"
      return
        "through the network, the bounds of '\(name)' are \(width), wider than scores are apart: "
        + "judge an engine node by node with 'ocellus diff --within-bounds'"
    case .notBounded(let reason): return "'\(name)' is not bounded, because \(reason)"
    }
  }

  fileprivate var json: JSONValue {
    let (word, reason): (String, String?) =
      switch state {
      case .exact: ("exact", nil)
      case .bounded: ("bounded", nil)
      case .tooWide: ("too_wide", nil)
      case .notBounded(let reason): ("not_bounded", reason)
      }
    return [
      "tensor": .string(name), "state": .string(word), "reason": .string(orNull: reason),
      "median_relative": .finite(medianShare), "widest_relative": .finite(widestShare),
    ]
  }
}

extension DetectionVerdict.Risk {
  fileprivate var kind: String {
    switch self {
    case .threshold: "threshold"
    case .category: "category"
    case .suppression: "suppression"
    case .limit: "limit"
    case .place: "place"
    case .crowd: "crowd"
    }
  }

  fileprivate var text: String {
    switch self {
    case .threshold(let threshold): return "may fall under the threshold \(threshold)"
    case .category(let names): return "may be " + names.joined(separator: " or ")
    case .suppression(let score, let overlap, let limit):
      return "may be suppressed by a box of \(Double(score).fixed(3)): they overlap by "
        + "\(overlap.lowerBound.fixed(3))…\(overlap.upperBound.fixed(3)), the limit is \(limit.fixed(2))"
    case .limit(let count): return "may not be one of the best \(count)"
    case .place: return "the box may be empty, or outside the picture"
    case .crowd(let count): return "\(count.grouped) candidates are within reach"
    }
  }
}

extension JSONValue {
  /// A number, or `null` for infinities and NaN.
  fileprivate static func finite(_ number: some BinaryFloatingPoint) -> JSONValue {
    number.isFinite ? .number(Double(number)) : .null
  }
}
