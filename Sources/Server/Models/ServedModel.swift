package import OcellusEngine
import OcellusImaging
package import OcellusJSON
package import OcellusVision

/// A loaded model with its pools.
package final class ServedModel: Sendable {
  package let name: String
  package let task: ServedTask
  /// The members about the model that all of its documents begin with.
  let header: JSONObject
  /// The path of the model's file or folder.
  let path: String
  /// The warnings about how the model is understood.
  package let warnings: [String]
  /// The pool that runs the model on tensors.
  let tensors: ViewerPool<TensorRunner>
  let inputs: [TensorDescription]
  let outputs: [TensorDescription]
  /// What the model has done for clients with tensors.
  let statistics = InferenceStatistics()
  /// Whether pictures are decoded at their full size, because parts of them are needed.
  let needsWholePictures: Bool

  /// How models are loaded.
  package struct Settings: Sendable {
    /// Returns the path of a model that a specification names.
    package var resolve: @Sendable (_ source: String) throws -> String
    /// Describes the model at a path as members of a document.
    package var describe: @Sendable (_ path: String) -> JSONObject
    /// Reads how pictures become the input, by the names of the commands' options.
    package var readPreparation: @Sendable ([String: String]) throws -> PictureInput.Options
    package var budget: RunBudget
    /// The number of viewers of each model; `nil`: one for each processor.
    package var viewers: Int?
    package var limits: ServerLimits

    package init(
      resolve: @escaping @Sendable (String) throws -> String,
      describe: @escaping @Sendable (String) -> JSONObject,
      readPreparation: @escaping @Sendable ([String: String]) throws -> PictureInput.Options,
      budget: RunBudget, viewers: Int?, limits: ServerLimits
    ) {
      self.resolve = resolve
      self.describe = describe
      self.readPreparation = readPreparation
      self.budget = budget
      self.viewers = viewers
      self.limits = limits
    }
  }

  /// Loads a model.
  ///
  /// - Throws: what keeps it from being read, understood or run.
  package init(_ specification: ModelSpecification, _ settings: Settings) throws {
    name = specification.name
    let own: EmbeddedModel = specification.task == "label" ? .labeler : .detector
    let standard = specification.source.isEmpty ? try DefaultModel(own) : nil
    path =
      try standard.map { try $0.path ?? own.path } ?? settings.resolve(specification.source)
    header = settings.describe(path)
    let model = try Model(path: ModelPackage(path: path).modelPath)
    let runner = try TensorRunner(model, .init(budget: settings.budget))
    try runner.prepare()
    inputs = runner.inputs
    outputs = runner.outputs
    let opening = ModelOpening(
      path: path, standard: standard, specification: specification, settings: settings)
    let kind =
      specification.task ?? PictureModelTask.likely(of: model)?.rawValue
      ?? "tensors"
    (task, warnings) = try opening.task(kind)
    needsWholePictures =
      switch task {
      case .segment, .pose: true
      case .detect: specification.classifier != nil
      case .label, .embed, .tensors: false
      }
    tensors = try settings.pool(runner)
  }

  /// The number of requests that wait.
  package var waitingCount: Int { task.waitingCount + tensors.waitingCount }
}

extension ServedModel.Settings {
  /// Makes a pool with the server's limits.
  fileprivate func pool<Viewer>(_ viewer: Viewer) throws -> ViewerPool<Viewer> {
    var options = ViewerPool<Viewer>.Options(
      waitingCalls: limits.waitingRequests, waitingBytes: limits.allBodyBytes)
    options.decoding.limits.maximumPixels = limits.megapixels * 1_000_000
    return try ViewerPool(viewer, count: viewers, options: options)
  }
}

/// Opens the viewers of a model for its task.
private struct ModelOpening {
  let path: String
  let standard: DefaultModel?
  let specification: ModelSpecification
  let settings: ServedModel.Settings

  /// Returns the task with a name, and the warnings about how the model is understood.
  func task(_ name: String) throws -> (ServedTask, warnings: [String]) {
    switch PictureModelTask(rawValue: name) {
    case .detect:
      let recognizer = try recognizer()
      return (.detect(try settings.pool(recognizer)), recognizer.detector.explanation.warnings)
    case .label:
      let labeler = try labeler(path)
      return (.label(try settings.pool(labeler)), labeler.explanation.warnings)
    case .segment:
      let segmenter = try ImageSegmenter(
        path: path,
        options: .init(
          labels: try labels(), input: try input(), threads: 1, budget: settings.budget))
      return (.segment(try settings.pool(segmenter)), segmenter.explanation.warnings)
    case .pose:
      let finder = try PoseFinder(
        path: path,
        options: .init(
          scoreThreshold: specification.threshold ?? 0.25, input: try input(), threads: 1,
          budget: settings.budget))
      return (.pose(try settings.pool(finder)), finder.explanation.warnings)
    case .embed:
      let embedder = try ImageEmbedder(
        path: path, options: .init(input: try input(), threads: 1, budget: settings.budget))
      return (.embed(try settings.pool(embedder)), embedder.explanation.warnings)
    case nil: return (.tensors, [])
    }
  }

  private func labels() throws -> Labels? {
    try specification.labels.map { try Labels(contentsOf: $0) }
  }

  private func input() throws -> PictureInput.Options {
    try settings.readPreparation(specification.preparation)
  }

  private func recognizer() throws -> ObjectRecognizer {
    var options = ObjectDetector.Options(
      scoreThreshold: specification.threshold, labels: try labels(), input: try input(), threads: 1,
      budget: settings.budget)
    options.defaultModel = standard
    let detector = try ObjectDetector(path: path, options: options)
    let classifier = try specification.classifier.map {
      try ImageLabeler(
        path: try settings.resolve($0), options: .init(threads: 1, budget: settings.budget))
    }
    return ObjectRecognizer(detector, classifier: classifier, options: .init(mode: .singleImage))
  }

  private func labeler(_ path: String) throws -> ImageLabeler {
    var options = ImageLabeler.Options(threads: 1, budget: settings.budget)
    options.defaultModel = standard
    options.scoreThreshold = specification.threshold
    options.maximumResults = 5
    options.labels = try labels()
    options.input = try input()
    return try ImageLabeler(path: path, options: options)
  }
}
