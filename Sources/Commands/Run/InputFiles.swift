import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusPlatform

/// The contents of the files for some inputs of a model.
struct InputFiles {
  /// What a file holds: an array that knows its type and shape, or bare bytes.
  private enum Contents {
    case array(NPYArray)
    case bytes([UInt8])
  }

  private var contents: [Int: (path: String, contents: Contents)] = [:]

  /// Reads the files.
  init(_ files: [Int: String]) throws {
    for (index, path) in files {
      let bytes = try FileSystem.read(path)
      guard path.hasSuffix(".npy") else {
        contents[index] = (path, .bytes(bytes))
        continue
      }
      do throws(NPYError) {
        contents[index] = (path, .array(try NPYArray(file: bytes)))
      } catch {
        throw RunError("\(path): \(error)")
      }
    }
  }

  /// Gives the inputs the shapes and the values of their files, and the others made-up values.
  func copy(to entry: EntryPoint) throws {
    for (index, input) in entry.inputs.enumerated() {
      guard case .array(let array) = contents[index]?.contents,
        array.shape != input.shape.dimensions
      else { continue }
      try entry.resizeInput(at: index, to: Shape(array.shape))
    }
    try entry.allocate()
    for (index, input) in entry.inputs.enumerated() {
      if let (path, contents) = contents[index] {
        let bytes = try bytes(of: contents, at: path, for: input)
        try bytes.withUnsafeBytes { try entry.setInput(at: index, bytes: $0) }
      } else {
        try entry.fillInput(at: index)
      }
    }
  }

  private func bytes(
    of contents: Contents, at path: String, for input: TensorDescription
  ) throws(RunError) -> [UInt8] {
    switch contents {
    case .bytes(let bytes):
      let wanted = input.type.byteCount(ofElements: input.shape.elementCount)
      guard wanted == nil || wanted == bytes.count else {
        throw RunError(
          """
          \(path): has \(bytes.count) bytes, and input '\(input.signatureName)' \
          (\(input.type.name) \(input.shape)) takes \(wanted ?? 0)
          """)
      }
      return bytes
    case .array(let array):
      do throws(NPYError) {
        return try array.tensorBytes(of: input.type)
      } catch {
        throw RunError("\(path), for input '\(input.signatureName)': \(error)")
      }
    }
  }
}
