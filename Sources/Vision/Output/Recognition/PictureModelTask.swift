package import OcellusEngine

/// A task that a model of pictures can have; the raw values are the names of the commands.
package enum PictureModelTask: String, CaseIterable, Sendable {
  case detect
  case label
  case segment
  case pose
  case embed

  /// Returns the task that a model seems to be for; `nil` if it is for none of these.
  ///
  /// A use that recognizes the model by more than its shapes comes first; classes come before
  /// descriptions, since a list of numbers usually has the scores of classes.
  package static func likely(of model: Model) -> PictureModelTask? {
    var explanation = Explanation()
    guard let interpreter = try? Interpreter(model), (try? interpreter.allocate()) != nil,
      let facts = try? ModelFacts(interpreter),
      let place = try? PictureInputFinder(facts: facts, options: .init()).place(&explanation)
    else { return nil }
    if PictureUse.detecting.accepts(facts, place) { return .detect }
    let uses =
      SuggestedTask.likelyUses(facts, place) + [.labeling, .segmenting, .posing, .embedding]
    return uses.first { $0.accepts(facts, place) }.map(PictureModelTask.init)
  }

  private init(_ use: PictureUse) {
    switch use {
    case .detecting: self = .detect
    case .labeling: self = .label
    case .segmenting: self = .segment
    case .posing: self = .pose
    case .embedding: self = .embed
    }
  }
}
