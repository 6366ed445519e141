import OcellusEngine
import OcellusPlatform

/// One side of `diff`: a model with the settings to run it with, or a trace or dump of tensors.
struct ComparedSide {
  private let way: ModelSpecifier

  init(_ text: String) throws(UsageError) { way = try ModelSpecifier(text) }

  /// The path of the file or directory; empty for the other side's model.
  var path: String { way.path }

  /// Whether the side is a model, not stored tensors.
  var isModel: Bool {
    path.isEmpty || !(FileSystem.isDirectory(path) || path.hasSuffix(".npz"))
  }

  /// Returns the command's options, changed by those of the side, with nodes run separately.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = way.options(options)
    options.runsNodesSeparately = true
    return options
  }

  /// Returns the name for reports.
  func title(orPath other: String) -> String { way.title(orPath: other) }
}
