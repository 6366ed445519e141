import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The quality of detections, as text and as JSON.
struct DetectingReport {
  private typealias Mistakes = ConfusionMatrix.Mistakes

  private let names: [String]
  private let evaluation: DetectionEvaluation
  private let measures: DetectionEvaluation.Measures
  /// The measures of each class.
  let classes: [DetectionEvaluation.ClassMeasures]
  private let confusion: ConfusionMatrix
  private let worst: [(name: String, mistakes: Mistakes)]

  init(_ sheet: Predictions, scoreThreshold: Double, worstCount: Int) {
    names = sheet.annotations.categories
    var evaluation = DetectionEvaluation(categoryCount: names.count)
    var confusion = ConfusionMatrix(categoryCount: names.count, scoreThreshold: scoreThreshold)
    var mistakes: [(name: String, mistakes: Mistakes)] = []
    for (picture, found) in zip(sheet.annotations.pictures, sheet.objects) {
      evaluation.add(truth: picture.objects, found: found)
      let made = confusion.add(truth: picture.objects, found: found)
      if made.count > 0 { mistakes.append((picture.name, made)) }
    }
    self.evaluation = evaluation
    self.confusion = confusion
    measures = evaluation.measures
    classes = names.indices.map { evaluation.measures(of: $0) }
    worst = Array(
      mistakes.sorted { ($0.mistakes.count, $1.name) > ($1.mistakes.count, $0.name) }
        .prefix(worstCount))
  }

  private var figures: [(name: String, title: String, value: Double?)] {
    [
      ("map", "mAP, overlap 0.5 to 0.95", measures.averagePrecision),
      ("map_50", "mAP, overlap 0.5", measures.averagePrecision50),
      ("map_75", "mAP, overlap 0.75", measures.averagePrecision75),
      ("map_small", "mAP, small objects", measures.averagePrecisionSmall),
      ("map_medium", "mAP, medium objects", measures.averagePrecisionMedium),
      ("map_large", "mAP, large objects", measures.averagePrecisionLarge),
      ("recall_1", "recall, 1 detection", measures.averageRecall1),
      ("recall_10", "recall, 10 detections", measures.averageRecall10),
      ("recall_100", "recall, 100 detections", measures.averageRecall100),
      ("recall_small", "recall, small objects", measures.averageRecallSmall),
      ("recall_medium", "recall, medium objects", measures.averageRecallMedium),
      ("recall_large", "recall, large objects", measures.averageRecallLarge),
    ]
  }

  private var truthCount: Int { classes.reduce(0) { $0 + $1.truthCount } }
  private var foundCount: Int { classes.reduce(0) { $0 + $1.foundCount } }

  var text: String {
    var table = TextTable([.left("pictures"), .right(evaluation.pictureCount.grouped)])
    table.add(["objects", truthCount.grouped])
    table.add(["detections", foundCount.grouped])
    for figure in figures { table.add([figure.title, Self.text(figure.value)]) }
    return table.text() + "\n" + classTable + confusionTable + worstTable
  }

  private var classTable: String {
    var table = TextTable([
      .left("class"), .right("objects"), .right("mAP"), .right("mAP@.5"), .right("best score"),
      .right("precision"), .right("recall"),
    ])
    for (name, figures) in zip(names, classes) {
      let best = figures.bestThreshold
      table.add([
        name, figures.truthCount.grouped, Self.text(figures.averagePrecision),
        Self.text(figures.averagePrecision50), Self.text(best?.score), Self.text(best?.precision),
        Self.text(best?.recall),
      ])
    }
    return table.text()
  }

  /// The confusion matrix, unless it has too many classes for a terminal.
  private var confusionTable: String {
    guard names.count <= 12 else { return "" }
    let matrix = ConfusionTable(
      rows: names + ["nothing"], columns: names + ["nothing"], counts: confusion.counts)
    return
      "\nAnnotated classes (rows) against detected classes, from a score of \(confusion.scoreThreshold) on:\n"
      + matrix.text
  }

  private var worstTable: String {
    guard !worst.isEmpty else { return "" }
    var table = TextTable([
      .left("worst pictures"), .right("missed"), .right("surplus"), .right("confused"),
    ])
    for (name, mistakes) in worst {
      table.add([
        name, "\(mistakes.missed)", "\(mistakes.surplus)", "\(mistakes.confused)",
      ])
    }
    return "\n" + table.text()
  }

  private static func text(_ value: Double?) -> String { value?.fixed(3) ?? "-" }

  var json: JSONObject {
    var measures = JSONObject()
    for figure in figures { measures.append(figure.name, .number(orNull: figure.value)) }
    return [
      "pictures": .integer(evaluation.pictureCount), "objects": .integer(truthCount),
      "detections": .integer(foundCount), "measures": .object(measures),
      "classes": .array(zip(names, classes).map(Self.json)),
      "confusion": [
        "score": .number(confusion.scoreThreshold), "overlap": .number(confusion.overlap),
        "labels": .strings(names), "counts": .array(confusion.counts.map { .integers($0) }),
      ],
      "worst": .array(
        worst.map { name, mistakes in
          [
            "image": .string(name), "missed": .integer(mistakes.missed),
            "surplus": .integer(mistakes.surplus), "confused": .integer(mistakes.confused),
          ]
        }),
    ]
  }

  private static func json(
    _ name: String, _ figures: DetectionEvaluation.ClassMeasures
  ) -> JSONValue {
    [
      "label": .string(name), "objects": .integer(figures.truthCount),
      "detections": .integer(figures.foundCount),
      "map": .number(orNull: figures.averagePrecision),
      "map_50": .number(orNull: figures.averagePrecision50),
      "best_score": .number(orNull: figures.bestThreshold?.score),
      "precision": .number(orNull: figures.bestThreshold?.precision),
      "recall": .number(orNull: figures.bestThreshold?.recall),
      "curve": .array(figures.curve.map { .number($0) }),
    ]
  }
}

extension JSONValue {
  /// Returns a number, or null.
  static func number(orNull number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
}
