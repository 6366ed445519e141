import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The contents of the files for some of a model's inputs.
struct InputFiles {
  /// The contents of a file: an array with type and shape, a picture, or plain bytes.
  private enum Contents {
    case array(NPYArray)
    case picture([UInt8])
    case bytes([UInt8])
  }

  /// The preparation of pictures for the main subgraph.
  struct Showing {
    private let model: Model
    private let running: Interpreter.Options
    private let options: InputOptions

    init(_ model: Model, _ running: Interpreter.Options, _ options: InputOptions) {
      self.model = model
      self.running = running
      self.options = options
    }

    /// Returns the bytes of an input that holds a picture.
    fileprivate func bytes(of picture: [UInt8], at path: String, forInput index: Int) throws
      -> [UInt8]
    {
      let viewer = try PictureViewerFactory.viewer(of: model, options.input, running: running)
      guard viewer.input.index == index else {
        throw RunError("\(path): input \(index) takes no picture; input \(viewer.input.index) does")
      }
      var decoding = ImageDecodingOptions()
      decoding.ignoresOrientation = options.ignoresOrientation
      let image: Image
      do throws(ImageError) { image = try Image(decoding: picture, options: decoding) } catch {
        throw error.inFile(path)
      }
      return try viewer.inputTensor(for: image, region: nil)
    }
  }

  private var contents: [Int: (path: String, contents: Contents)] = [:]

  /// Reads the files.
  init(_ files: [Int: String]) throws {
    for (index, path) in files {
      try add(FileOrStream.bytes(path), from: path, toInput: index)
    }
  }

  /// Takes contents that came without a file, for the first input.
  init(contents: [UInt8], of name: String) throws {
    try add(contents, from: name, toInput: 0)
  }

  private mutating func add(_ bytes: [UInt8], from path: String, toInput index: Int) throws {
    let isArray = path.hasSuffix(".npy") || bytes.starts(with: [0x93] + Array("NUMPY".utf8))
    guard isArray, !path.hasSuffix(".bin") else {
      // A tensor's bytes may look like any format, so the extension .bin takes precedence.
      let isPicture =
        !path.hasSuffix(".bin")
        && bytes.withUnsafeBytes { (try? ImageFormat(detecting: $0)) != nil }
      contents[index] = (path, isPicture ? .picture(bytes) : .bytes(bytes))
      return
    }
    do throws(NPYError) {
      contents[index] = (path, .array(try NPYArray(file: bytes)))
    } catch {
      throw RunError("\(path): \(error)")
    }
  }

  /// The bytes of all files, in the order of the inputs.
  var bytes: [UInt8] {
    contents.sorted { $0.key < $1.key }.flatMap { _, content -> [UInt8] in
      switch content.contents {
      case .array(let array): array.file
      case .picture(let bytes), .bytes(let bytes): bytes
      }
    }
  }

  /// Sets the shapes and values of inputs with files, and generated values of all others.
  ///
  /// Pictures are prepared by `showing`, which exists for the main subgraph only.
  func copy(to entry: EntryPoint, showing: Showing?) throws {
    for (index, input) in entry.inputs.enumerated() {
      guard case .array(let array) = contents[index]?.contents,
        array.shape != input.shape.dimensions
      else { continue }
      try entry.resizeInput(at: index, to: Shape(array.shape))
    }
    try entry.allocate()
    for (index, input) in entry.inputs.enumerated() {
      if let (path, contents) = contents[index] {
        let bytes = try bytes(of: contents, at: path, for: input, at: index, showing)
        try bytes.withUnsafeBytes { try entry.setInput(at: index, bytes: $0) }
      } else {
        try entry.fillInput(at: index)
      }
    }
  }

  private func bytes(
    of contents: Contents, at path: String, for input: TensorDescription, at index: Int,
    _ showing: Showing?
  ) throws -> [UInt8] {
    switch contents {
    case .picture(let picture):
      guard let showing else {
        throw RunError("\(path): pictures can be shown without --signature only; give a .npy file")
      }
      return try showing.bytes(of: picture, at: path, forInput: index)
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

/// An error about inputs that cannot be given to a model.
struct RunError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
