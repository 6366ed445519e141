/// What can be done with a picture: each use has a command, and recognizes its models by itself.
enum PictureUse: CaseIterable {
  case detecting
  case labeling
  case posing
  case segmenting
  case embedding

  /// The command and the type, as hints name them.
  var name: String {
    switch self {
    case .detecting: "`detect` (ObjectDetector)"
    case .labeling: "`label` (ImageLabeler)"
    case .posing: "`pose` (PoseFinder)"
    case .segmenting: "`segment` (ImageSegmenter)"
    case .embedding: "`embed` (ImageEmbedder)"
    }
  }

  /// Whether the use recognizes a model's outputs without options.
  func accepts(_ model: ModelFacts, _ place: PictureInputFinder.Place) -> Bool {
    convention(of: model, place) != nil
  }

  /// Returns advice to use the model in this way; `nil` if the use does not recognize it.
  func advice(_ model: ModelFacts, _ place: PictureInputFinder.Place) -> String? {
    guard let convention = convention(of: model, place) else { return nil }
    let finder = PictureInputFinder(facts: model, options: PictureInput.Options())
    var explanation = Explanation()
    let isKnown = (try? finder.input(at: place, convention: convention, &explanation)) != nil
    return "try \(name)" + (isKnown ? "" : ", and say which numbers the input takes (--values)")
  }

  /// Returns the use's convention for a model that it recognizes without options.
  ///
  /// The recognizers themselves give no hints, so that hints can ask them.
  private func convention(
    of model: ModelFacts, _ place: PictureInputFinder.Place
  ) -> PictureInput.Convention? {
    let labels = (try? LabelFinder(facts: model).find(given: nil, from: ""))?.labels
    var explanation = Explanation()
    switch self {
    case .detecting:
      return DecoderFinder.finding(
        DetectorFacts(model: model, place: place, labels: labels, anchors: nil))?
        .decoder.inputConvention
    case .labeling:
      let output = try? ScoreOutput(
        model, place, output: nil, labels: labels, activation: nil, &explanation)
      return output.map { _ in PictureInput.Convention() }
    case .posing:
      let format = PoseFormat(model, inputSize: place.size)
      return format.flatMap { $0.isDoubtful(model, place) ? nil : $0.inputConvention(model) }
    case .segmenting:
      let map = try? MapOutput(model, input: place, output: nil, labels: labels, &explanation)
      return map.map { _ in PictureInput.Convention() }
    case .embedding:
      let output = try? ImageEmbedder.output(model, place, given: nil, &explanation)
      return output.map { _ in PictureInput.Convention() }
    }
  }
}

extension ModelFacts {
  /// Returns the suggestion of another use, as the end of an error message.
  func hint(_ place: PictureInputFinder.Place, besides use: PictureUse) -> String {
    SuggestedTask.advice(self, place, besides: use).map { "; \($0)" } ?? ""
  }

  /// Returns the names of those of some uses that recognize the model, for warnings.
  func names(of uses: [PictureUse], _ place: PictureInputFinder.Place) -> [String] {
    uses.filter { $0.accepts(self, place) }.map(\.name)
  }
}

extension VisionError {
  /// Calls `recognize`, and adds to its errors which other use the model seems to be for.
  static func hinting<Result>(
    _ model: ModelFacts, _ place: PictureInputFinder.Place, besides use: PictureUse,
    _ recognize: () throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    do throws(VisionError) {
      return try recognize()
    } catch {
      switch error {
      case .mismatched(let text): throw .mismatched(text + model.hint(place, besides: use))
      case .ambiguous(let text): throw .ambiguous(text + model.hint(place, besides: use))
      default: throw error
      }
    }
  }
}
