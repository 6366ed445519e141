import OcellusPlatform

/// Constants that are stored in files other than the model's.
struct ExternalBuffers {
  private let policy: ExternalBufferPolicy
  private let buffers: FlatVector?
  private let groups: FlatVector?
  private var tables: [Int: FlatTable]?
  private var files: [String: ModelBytes] = [:]

  init(of model: FlatTable, policy: ExternalBufferPolicy) throws(ModelFileError) {
    self.policy = policy
    buffers = try model.tables(ModelField.externalBuffers)
    groups = try model.tables(ModelField.externalBufferGroups)
  }

  /// Returns an object that keeps the model and all other files alive.
  func owner(keeping model: ModelBytes) -> ModelBytes {
    if files.isEmpty { return model }
    return ModelBytes(
      borrowing: model.buffer, owner: Owners([model] + files.values), path: model.path)
  }

  private final class Owners: Sendable {
    private let owned: [ModelBytes]
    init(_ owned: [ModelBytes]) { self.owned = owned }
  }

  /// Returns the bytes of the buffer with this identifier.
  mutating func data(
    of identifier: Int, at byteOffset: Int
  ) throws(ModelFileError) -> UnsafeRawBufferPointer {
    guard case .allow(let folder) = policy else {
      throw .unsupported("the constant is in another file", at: byteOffset)
    }
    guard let table = try tablesByIdentifier()[identifier] else {
      throw .malformed("external buffer \(identifier) is not in the model", at: byteOffset)
    }
    if let packing = try table.string(ExternalBufferField.packing), !packing.isEmpty {
      throw .unsupported("external buffer packed as \"\(packing)\"", at: table.byteOffset)
    }
    let file = try file(ofGroup: table.integer(ExternalBufferField.group, as: UInt32.self), folder)
    do throws(ModelFileError) {
      return try ByteReader(file.buffer).slice(
        at: table.integer(ExternalBufferField.offset, as: UInt64.self),
        count: table.integer(ExternalBufferField.length, as: UInt64.self))
    } catch {
      throw error.inFile(file.path)
    }
  }

  private mutating func tablesByIdentifier() throws(ModelFileError) -> [Int: FlatTable] {
    if let tables { return tables }
    var found: [Int: FlatTable] = [:]
    if let buffers {
      for index in buffers.indices {
        let table = try buffers[index]
        found[try table.integer(ExternalBufferField.identifier, as: UInt32.self)] = table
      }
    }
    tables = found
    return found
  }

  private mutating func file(
    ofGroup index: Int, _ folder: String
  ) throws(ModelFileError) -> ModelBytes {
    guard let groups, groups.indices.contains(index),
      let name = try groups[index].string(ExternalBufferGroupField.name)
    else {
      throw .malformed("external buffer group \(index) is not in the model")
    }
    if let file = files[name] { return file }
    let file = try ModelBytes(folder: folder, relativePath: name)
    files[name] = file
    return file
  }
}

extension ModelBytes {
  /// Maps a file inside a folder; paths with `..` or through symbolic links are refused.
  convenience init(folder: String, relativePath: String) throws(ModelFileError) {
    let path = "\(folder)/\(relativePath)"
    let names = relativePath.split(separator: "/", omittingEmptySubsequences: false)
    guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw ModelFileError(.unreadable, "a path that may leave the folder", path: path)
    }
    var descriptor = folder.withFileName { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    for name in names where descriptor >= 0 {
      let parent = descriptor
      descriptor = openat(parent, String(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      let failure = errno
      close(parent)
      errno = failure
    }
    guard descriptor >= 0 else { throw ModelFileError(.unreadable, systemMessage(), path: path) }
    defer { close(descriptor) }
    try self.init(descriptor: descriptor, path: path)
  }
}

/// Whether a model may keep constants in other files.
package enum ExternalBufferPolicy: Sendable, Equatable {
  /// Refuse models that have any.
  case refuse
  /// Read them from files inside this folder, usually the model's own, and nowhere else.
  case allow(folder: String)
}
