import OcellusAudit
import OcellusEngine
import OcellusKernelDispatch
import OcellusPlatform

/// A model and the settings to run it with, such as `model.tflite@exact,avx2`.
struct ModelSpecifier {
  /// The path of the file; empty if only settings are given.
  let path: String
  /// The words after the @.
  let words: [String]

  /// All words that name settings to run a model with.
  static var allWords: [String] {
    ["fast", "exact", "bfloat16", "litert"]
      + Interpreter.LiteRTProcessor.allCases.map(\.numericsName)
      + ["reference", "blas"] + KernelChoice.current.candidates.map(\.name)
  }

  init(_ text: String) throws(UsageError) {
    guard let at = text.lastIndex(of: "@"), !FileSystem.exists(text) else {
      (path, words) = (text, [])
      return
    }
    path = String(text[..<at])
    words = text[text.index(after: at)...].split(separator: ",").map(String.init)
    for word in words where !Self.allWords.contains(word) {
      let hint = Suggestion.text(for: word, among: Self.allWords)
      throw UsageError(
        "there is no way '\(word)' to run a model\(hint): "
          + "there are \(Self.allWords.joined(separator: ", "))")
    }
  }

  /// Returns the command's options, changed by the words after the @.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    for word in words {
      switch word {
      case "reference": options.usesReferenceKernels = true
      case "blas": options.backend = .blas
      default:
        if let numerics = Interpreter.Numerics.named.first(where: { $0.word == word })?.value {
          options.numerics = numerics
        } else {
          options.instructionSet = word
        }
      }
    }
    return options
  }

  /// Returns the name for reports; without a path, the settings apply to the model at `other`.
  func title(orPath other: String = "") -> String {
    let file = (path.isEmpty ? other : path).lastPathComponent
    return words.isEmpty ? file : "\(file)@\(words.joined(separator: ","))"
  }
}
