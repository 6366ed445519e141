import OcellusAudit
import OcellusEngine
import OcellusKernelDispatch
import OcellusPlatform

/// One of the two things that `diff` compares, as somebody names it: a model with ways to run it, such as
/// `model.tflite@exact`, or a trace or dump of tensors.
struct ComparedSide {
  /// The file or directory; empty for the model of the other side.
  let path: String
  /// The ways behind the @.
  let modes: [String]

  private static let numerics: [String: @Sendable (inout Interpreter.Options) -> Void] = [
    "fast": { $0.numerics = .fast },
    "exact": { $0.numerics = .exact },
    "reference": { $0.usesReferenceKernels = true },
    "blas": { $0.backend = .blas },
  ]

  /// The words for ways to run a model.
  static var modeNames: [String] {
    ["fast", "exact", "reference", "blas"] + KernelChoice.current.candidates.map(\.name)
  }

  init(_ text: String) throws(UsageError) {
    guard let at = text.lastIndex(of: "@"), !FileSystem.exists(text) else {
      (path, modes) = (text, [])
      return
    }
    path = String(text[..<at])
    modes = text[text.index(after: at)...].split(separator: ",").map(String.init)
    for mode in modes where !Self.modeNames.contains(mode) {
      let hint = Suggestion.text(for: mode, among: Self.modeNames)
      throw UsageError(
        "there is no way '\(mode)' to run a model\(hint): "
          + "there are \(Self.modeNames.joined(separator: ", "))")
    }
  }

  /// Whether it is a model, and not tensors that somebody kept.
  var isModel: Bool {
    path.isEmpty || !(FileSystem.isDirectory(path) || path.hasSuffix(".npz"))
  }

  /// The options of the command with what the ways change in them.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    options.keepsNodesApart = true
    for mode in modes {
      if let change = Self.numerics[mode] {
        change(&options)
      } else {
        options.instructionSet = mode
      }
    }
    return options
  }

  /// What the report calls it.
  func title(orPath other: String) -> String {
    let file = (path.isEmpty ? other : path).lastPathComponent
    return modes.isEmpty ? file : "\(file)@\(modes.joined(separator: ","))"
  }
}
