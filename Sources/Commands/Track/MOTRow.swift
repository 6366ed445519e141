import OcellusImaging
import OcellusPlatform
import OcellusVision

/// A line of the text format of MOTChallenge: frame, identity, left, top, width, height, and more
/// numbers that differ by the kind of file.
struct MOTRow {
  /// Counted from 1.
  let frame: Int
  let id: Int
  let box: BoundingBox
  /// What comes behind the box: the score of a detection; conf, class and visibility of the truth.
  let rest: [Double]

  /// Three days at 30 frames a second: numbers above are mistakes, and would take for ever.
  private static let frameLimit = 10_000_000

  /// Reads the lines of a file, of which "-" is standard input; empty lines are passed over.
  static func read(_ path: String) throws -> [MOTRow] {
    let bytes = try FileOrStream.bytes(path)
    let name = FileOrStream.name(path)
    var rows: [MOTRow] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        rows.append(try MOTRow(text))
      } catch {
        throw FileLineError(path: name, line: number + 1, problem: error.problem)
      }
    }
    return rows
  }

  /// Reads ground truth, frame by frame.
  ///
  /// - Throws: also when there is nothing in it that tracks could be compared with.
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

  private struct Mistake: Error {
    let problem: String
  }

  private init(_ text: String) throws(Mistake) {
    var numbers: [Double] = []
    for field in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let number = Double(field), number.isFinite else {
        throw Mistake(problem: "'\(field)' is not a number")
      }
      numbers.append(number)
    }
    guard numbers.count >= 6 else {
      throw Mistake(
        problem:
          "a line holds frame,id,left,top,width,height and more, not \(numbers.count) numbers"
      )
    }
    guard let frame = Int(exactly: numbers[0]), (1...Self.frameLimit).contains(frame) else {
      throw Mistake(problem: "frames are counted from 1 to \(Self.frameLimit.grouped)")
    }
    guard let id = Int(exactly: numbers[1]) else {
      throw Mistake(problem: "the identity is no whole number")
    }
    self.frame = frame
    self.id = id
    box = BoundingBox(x: numbers[2], y: numbers[3], width: numbers[4], height: numbers[5])
    rest = Array(numbers[6...])
  }
}

extension [MOTRow] {
  /// The rows of each frame, the first frame first; frames without rows are empty.
  func byFrame() -> [[MOTRow]] {
    var frames = [[MOTRow]](repeating: [], count: map(\.frame).max() ?? 0)
    for row in self { frames[row.frame - 1].append(row) }
    return frames
  }
}

extension TruthBox {
  /// A box of the truth, by the columns conf and class of MOTChallenge.
  init(_ row: MOTRow) {
    let isJudged = row.rest.first ?? 1 != 0
    let kind: Kind =
      switch row.rest.count > 1 ? row.rest[1] : 1 {
      case 1 where isJudged: .object
      // On a vehicle, standing still, a distractor, a reflection.
      case 2, 7, 8, 12: .distractor
      // Areas that KITTI does not care about, as they come in this format.
      case 99: .ignoredRegion
      default: .other
      }
    self.init(id: row.id, box: row.box, kind: kind)
  }
}

/// Ground truth that tracks cannot be compared with.
struct TruthError: Error, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "\(path) \(problem)" }
}
