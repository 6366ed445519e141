import OcellusEngine
import OcellusKernelDispatch
import OcellusPlatform

/// A model and a way to run it, as somebody names them: `model.tflite@exact,avx2`.
struct ModelWay {
  /// The file; empty where only a way is named.
  let path: String
  /// The words behind the @.
  let words: [String]

  private static let settings: [String: @Sendable (inout Interpreter.Options) -> Void] = [
    "fast": { $0.numerics = .fast },
    "exact": { $0.numerics = .exact },
    "reference": { $0.usesReferenceKernels = true },
    "blas": { $0.backend = .blas },
  ]

  /// All words for ways to run a model.
  static var allWords: [String] {
    ["fast", "exact", "reference", "blas"] + KernelChoice.current.candidates.map(\.name)
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

  /// The options of the command with what the way changes in them.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    for word in words {
      if let change = Self.settings[word] {
        change(&options)
      } else {
        options.instructionSet = word
      }
    }
    return options
  }

  /// What reports call it; where it has no file, it is a way to run the `other` one's.
  func title(orPath other: String = "") -> String {
    let file = (path.isEmpty ? other : path).lastPathComponent
    return words.isEmpty ? file : "\(file)@\(words.joined(separator: ","))"
  }
}
