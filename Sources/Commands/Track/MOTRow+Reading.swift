import OcellusPlatform
import OcellusVision

extension MOTRow {
  /// Reads the rows of a file, or of standard input for "-".
  static func read(_ path: String) throws -> [MOTRow] {
    try rows(of: FileOrStream.bytes(path), path: FileOrStream.name(path))
  }

  /// Reads ground truth, frame by frame.
  ///
  /// - Throws: an error also if there is no object with which tracks could be compared.
  static func readTruth(_ path: String) throws -> [[MOTRow]] {
    let rows = try read(path)
    guard rows.contains(where: { TruthBox($0).kind == .object }) else {
      throw TruthError(path: path, problem: "has no object that tracks could be compared with")
    }
    let frames = rows.byFrame()
    for (index, rows) in frames.enumerated() {
      var seen: Set<Int> = []
      for row in rows where TruthBox(row).kind == .object && !seen.insert(row.id).inserted {
        throw TruthError(
          path: path,
          problem: "has identity \(row.id) twice in frame \(index + 1): these seem to be detections"
        )
      }
    }
    return frames
  }
}

/// Ground truth with which tracks cannot be compared.
struct TruthError: Error, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "\(path) \(problem)" }
}
