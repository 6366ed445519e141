import OcellusModelFile

/// Finds the names of a model's classes: given, or packed with the model.
struct LabelFinder {
  typealias Finding = (labels: Labels, source: String)

  let facts: ModelFacts

  func find(given: Labels?, from source: String) throws(VisionError) -> Finding? {
    if let given { return (given, source) }
    if let labels = facts.author?.labels { return (labels, "the file of its author") }
    for tensor in facts.metadata?.outputs ?? [] {
      let files = tensor.associatedFiles.filter {
        $0.kind == .tensorValueLabels || $0.kind == .tensorAxisLabels
      }
      if let found = try best(of: files.map { ($0.name ?? "", $0.locale) }) { return found }
    }
    // The model contains label files that its metadata does not refer to.
    return try best(of: facts.packedNames.filter(Self.isCalledLabels).map { ($0, nil) })
  }

  /// Returns the labels of the best of a model's files: names before identifiers, then English.
  ///
  /// A model may have label files in several languages, or one with identifiers of its classes.
  private func best(of files: [(name: String, locale: String?)]) throws(VisionError) -> Finding? {
    var best: (labels: Labels, name: String, rank: Int)?
    for (name, locale) in files {
      guard let text = try facts.packedText(name) else { continue }
      let labels = try Labels(parsing: text, fileName: name)
      let rank = (labels.areIdentifiers ? 0 : 2) + (locale?.hasPrefix("en") ?? true ? 1 : 0)
      if rank > best?.rank ?? -1 { best = (labels, name, rank) }
    }
    return best.map { ($0.labels, "\($0.name), packed with the model") }
  }

  private static func isCalledLabels(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["label", "dict.txt", "classes"].contains { name.contains($0) }
      && [".txt", ".pbtxt", ".csv", ".json"].contains { name.hasSuffix($0) }
  }

  /// Aligns the labels with the model's classes, and warns when their numbers differ.
  ///
  /// Where there are no labels, the classes may be `known` ones by their number. Otherwise names are
  /// asked for, unless there is a single class.
  static func settle(
    _ found: Finding?, categoryCount: Int?, or known: KnownLabels?, _ explanation: inout Explanation
  ) -> Labels {
    guard let found else {
      guard let known else {
        explanation.add(
          "labels", "none: classes have numbers only (--labels names them)", from: "the model")
        if categoryCount != 1 {
          explanation.warn(
            "the classes have numbers only: name them (--labels FILE, or labels in the options)")
        }
        return Labels([])
      }
      explanation.add(
        "labels", "\(known.labels.count), those of \(known.dataSet)",
        from: "the number of classes, as nothing names them (--labels)")
      return known.labels
    }
    var labels = found.labels
    if let categoryCount, labels.offset == 0 {
      let excess = labels.count - categoryCount
      if excess == 1, labels.beginsWithBackground { labels.offset = 1 }
      // The labels are numbered from `excess` on: the entries before have no names.
      if excess > 0, labels.names.prefix(excess).allSatisfy({ $0 == nil }) {
        labels.offset = excess
      }
    }
    let background =
      switch labels.offset {
      case 0: ""
      case 1: ", of which the model omits the first"
      default: ", of which the model omits the first \(labels.offset)"
      }
    explanation.add("labels", "\(labels.count)\(background)", from: found.source)
    if let categoryCount, labels.count != categoryCount + labels.offset {
      explanation.warn(
        "the model has \(categoryCount) classes, but there are \(labels.count) labels")
    }
    return labels
  }
}

extension Labels {
  /// Whether the names are identifiers: of Google's Knowledge Graph, of WordNet, or numbers.
  fileprivate var areIdentifiers: Bool {
    names.compactMap(\.self).allSatisfy { $0.isIdentifier }
  }
}

extension String {
  /// Whether the text is `/m/` or `/g/` and a word, `n` and eight digits, or digits alone.
  fileprivate var isIdentifier: Bool {
    if hasPrefix("/m/") || hasPrefix("/g/") {
      let word = utf8.dropFirst(3)
      return !word.isEmpty && word.allSatisfy { $0.isDigit || $0.isLetterOrUnderscore }
    }
    let digits = utf8.first == UInt8(ascii: "n") && utf8.count == 9 ? utf8.dropFirst() : utf8[...]
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetterOrUnderscore: Bool {
    self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
