import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The task of running a model on annotated pictures and judging each answer.
///
/// Judgements are not accumulated, so memory use is constant; `evaluate` combines the answers of
/// all workers.
struct EvaluationWork: WorkerTask {
  /// The task that processes the pictures.
  let looking: any WorkerTask
  let judge: PredictionJudge

  var model: ModelSource { looking.model }

  func answerers(_ count: Int) throws -> [RequestHandler] {
    try looking.answerers(count).map { answer in
      { [judge] request in
        // Find the picture first, so that no time is spent on answers that cannot be judged.
        let index = try judge.finder.index(ofPath: request.name)
        let (input, result) = try answer(request)
        return (input, result + ["judgement": .object(try judge.judgement(of: result, at: index))])
      }
    }
  }
}

/// Judges the answer about one picture.
struct PredictionJudge: Sendable {
  private let annotations: Annotations
  /// The score from which objects count as found.
  private let scoreThreshold: Double
  let finder: PictureFinder

  init(_ annotations: Annotations, scoreThreshold: Double) {
    self.annotations = annotations
    self.scoreThreshold = scoreThreshold
    finder = PictureFinder(annotations.pictures)
  }

  /// Refuses a model whose classes cannot be matched with those of the annotations.
  func check(_ classes: AnsweredClasses) throws {
    _ = try ClassMatcher(annotations).check(classes)
  }

  func judgement(of result: JSONObject, at index: Int) throws -> JSONObject {
    var sheet = Predictions(annotations.alone(index))
    try sheet.add(result, named: "the answer")
    let picture = annotations.pictures[index]
    guard annotations.subject == .objects else {
      let truth = picture.category
      let rank = sheet.names[0].firstIndex { $0 == truth }
      return [
        "label": .string(orNull: truth.map { annotations.categories[$0] }),
        "place": rank.map { .integer($0 + 1) } ?? .null,
      ]
    }
    var matrix = ConfusionMatrix(
      categoryCount: annotations.categories.count, scoreThreshold: scoreThreshold)
    let mistakes = matrix.add(truth: picture.objects, found: sheet.objects[0])
    return [
      "objects": .integer(picture.objects.count), "missed": .integer(mistakes.missed),
      "surplus": .integer(mistakes.surplus), "confused": .integer(mistakes.confused),
    ]
  }
}
