import OcellusEngine
import OcellusPlatform

/// One of the two things that `diff` compares: a model with a way to run it, or a trace or dump of tensors.
struct ComparedSide {
  private let way: ModelWay

  init(_ text: String) throws(UsageError) { way = try ModelWay(text) }

  /// The file or directory; empty for the model of the other side.
  var path: String { way.path }

  /// Whether it is a model, and not tensors that somebody kept.
  var isModel: Bool {
    path.isEmpty || !(FileSystem.isDirectory(path) || path.hasSuffix(".npz"))
  }

  /// The options of the command with what the way changes in them.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = way.options(options)
    options.keepsNodesApart = true
    return options
  }

  /// What the report calls it.
  func title(orPath other: String) -> String { way.title(orPath: other) }
}
