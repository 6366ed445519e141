import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The quality of labels, as text and as JSON.
struct LabelingReport {
  private let names: [String]
  private let evaluation: LabelingEvaluation
  /// The pictures whose right name is not the first answer, worst first.
  private let worst: [(name: String, truth: Int, first: Int?, rank: Int?)]

  init(_ sheet: Predictions, worstCount: Int) {
    names = sheet.annotations.categories
    var evaluation = LabelingEvaluation(categoryCount: names.count)
    var wrong: [(name: String, truth: Int, first: Int?, rank: Int?)] = []
    for (picture, answers) in zip(sheet.annotations.pictures, sheet.names) {
      guard let truth = picture.category else { continue }
      evaluation.add(truth: truth, answers: answers)
      let rank = answers.firstIndex(of: truth)
      if rank != 0 { wrong.append((picture.name, truth, answers.first ?? nil, rank)) }
    }
    self.evaluation = evaluation
    worst = Array(
      wrong.sorted { ($0.rank ?? .max, $1.name) > ($1.rank ?? .max, $0.name) }.prefix(worstCount))
  }

  var text: String {
    var table = TextTable([
      .left("class"), .right("pictures"), .right("top-1"), .right("top-5"),
    ])
    for (name, counts) in zip(names + ["all"], evaluation.classes + [evaluation.all]) {
      table.add([
        name, counts.pictures.grouped, counts.top1?.fixed(3) ?? "-",
        counts.top5?.fixed(3) ?? "-",
      ])
    }
    return table.text() + confusionTable + worstTable
  }

  /// The confusion matrix, unless it has too many classes for a terminal.
  private var confusionTable: String {
    guard names.count <= 12 else { return "" }
    let matrix = ConfusionTable(
      rows: names, columns: names + ["others"], counts: evaluation.confusion)
    return "\nWhat is there (rows), and the first answer:\n" + matrix.text
  }

  private var worstTable: String {
    guard !worst.isEmpty else { return "" }
    var table = TextTable([
      .left("worst pictures"), .left("is"), .left("first answer"), .right("right answer"),
    ])
    for picture in worst {
      table.add([
        picture.name, names[picture.truth],
        picture.first.map { names[$0] } ?? "-", picture.rank.map { "\($0 + 1)" } ?? "-",
      ])
    }
    return "\n" + table.text()
  }

  var json: JSONObject {
    [
      "pictures": .integer(evaluation.all.pictures),
      "top_1": .number(orNull: evaluation.all.top1), "top_5": .number(orNull: evaluation.all.top5),
      "classes": .array(
        zip(names, evaluation.classes).map { name, counts in
          [
            "label": .string(name), "pictures": .integer(counts.pictures),
            "top_1": .number(orNull: counts.top1), "top_5": .number(orNull: counts.top5),
          ]
        }),
      "confusion": [
        "labels": .strings(names),
        "counts": .array(evaluation.confusion.map { .integers($0) }),
      ],
      "worst": .array(
        worst.map { picture in
          [
            "image": .string(picture.name), "label": .string(names[picture.truth]),
            "first_answer": .string(orNull: picture.first.map { names[$0] }),
            "place": picture.rank.map { .integer($0 + 1) } ?? .null,
          ]
        }),
    ]
  }
}
