import OcellusEngine
import OcellusPlatform

/// The assignment of files to inputs.
struct InputAssignment {
  /// The paths of files by input.
  private(set) var files: [Int: String] = [:]

  /// Parses texts such as `image=photo.npy`, `0=photo.npy` or `photo.npy`.
  init(of texts: [String], to inputs: [TensorDescription]) throws(RunError) {
    var unnamed: [String] = []
    for text in texts {
      let (name, path) = Self.file(in: text)
      guard let name else {
        unnamed.append(path)
        continue
      }
      let index = try Self.index(of: name, in: inputs)
      guard files[index] == nil else { throw RunError("input '\(name)' is given twice") }
      files[index] = path
    }
    let free = inputs.indices.filter { files[$0] == nil }
    guard unnamed.count <= free.count else {
      throw RunError("\(texts.count) files are given, and the model has \(inputs.count) inputs")
    }
    for (index, file) in zip(free, unnamed) { files[index] = file }
  }

  /// Splits a text into the path of a file and, if given, the name of its input.
  static func file(in text: String) -> (name: String?, path: String) {
    guard let equals = text.firstIndex(of: "="), !FileSystem.exists(text) else {
      return (nil, text)
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func index(
    of name: String, in inputs: [TensorDescription]
  ) throws(RunError) -> Int {
    let named = inputs.firstIndex { $0.signatureName == name || $0.name == name }
    if let named { return named }
    if let number = Int(name), inputs.indices.contains(number) { return number }
    let names = inputs.map { "'\($0.signatureName)'" }.joined(separator: ", ")
    throw RunError("there is no input '\(name)'; the model has \(names)")
  }
}
