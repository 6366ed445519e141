import OcellusJSON
import OcellusPlatform

/// The results of a run, in one file or in the files of all its shards.
struct ResultList {
  static let longestLine = 1 << 28

  /// The path of one file, or of the shards in order.
  let paths: [String]
  private let isSharded: Bool

  /// Opens a file of results, or a directory that `--resume` filled.
  ///
  /// - Throws: an error if shards are missing or incomplete.
  init(path: String) throws {
    guard FileSystem.isDirectory(path) else {
      paths = [path]
      isSharded = false
      return
    }
    let names = try FileSystem.entries(of: path)
    let shards = names.compactMap { Shard(fileName: $0) }.sorted { $0.number < $1.number }
    if let part = names.first(where: { $0.hasSuffix(".part") }) {
      throw RunError("\(path)/\(part) is not complete: run that shard again with --resume")
    }
    guard let count = shards.first?.count else { throw RunError("\(path): no shards are in here") }
    guard shards.allSatisfy({ $0.count == count }) else {
      throw RunError("\(path): has shards of different divisions")
    }
    let missing = Set(1...count).subtracting(shards.map(\.number)).min()
    if let missing { throw RunError("\(path): shard \(missing) of \(count) is missing") }
    paths = shards.map { "\(path)/\($0.fileName)" }
    isSharded = true
  }

  /// Calls `body` for every result, in the order of the original list.
  func forEach(_ body: (ResultRecord) throws -> Void) throws {
    Self.allowManyFiles()
    var readers = try paths.map { BufferedReader(try OpenFile(reading: $0)) }
    var lineNumber = 0
    var isOver = false
    while !isOver {
      lineNumber += 1
      for index in readers.indices {
        guard let line = try readers[index].line(limit: Self.longestLine) else {
          // The first file to end is the one whose turn follows the last picture.
          isOver = true
          continue
        }
        let origin = "\(paths[index]), line \(lineNumber)"
        guard case .bytes(let bytes) = line, let object = try? JSONParser.parse(bytes).object else {
          throw RunError("\(origin) is no JSON object")
        }
        let position = (lineNumber - 1) * paths.count + index + 1
        guard !isSharded || (!isOver && object["place"]?.integer == position) else {
          throw RunError("\(origin) is not about picture \(position) of the list")
        }
        try body(ResultRecord(object: object, origin: origin))
      }
    }
  }
}

extension ResultList {
  /// Raises the limit of open files to its maximum, since there may be thousands of shards.
  private static func allowManyFiles() {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
  }
}

/// A result and its location in a file.
struct ResultRecord {
  let object: JSONObject
  let origin: String

  /// Returns whether a name given by the user refers to this result.
  func isCalled(_ name: String) -> Bool {
    ["id", "request", "place", "image"].map { object[$0] }.contains { value in
      value?.string == name || value?.text == name
    }
  }

  /// Returns the leaf of the result's receipt, or `nil` if it has no receipt.
  ///
  /// - Throws: an error if the receipt does not match the result.
  func leaf() throws -> [UInt8]? {
    guard let receipt = object["receipt"]?.object else { return nil }
    guard let input = receipt["input_sha256"]?.string, let model = object["model_sha256"]?.string,
      ResultReceipt(modelHash: model, inputHash: input, result: object).json == .object(receipt),
      let leaf = receipt["leaf"]?.string, let bytes = [UInt8](hexadecimal: leaf)
    else { throw RunError("\(origin): the receipt is not that of the result") }
    return bytes
  }
}
