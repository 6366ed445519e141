package import OcellusImaging
package import OcellusPlatform

/// A row in MOTChallenge's format: frame, identity, left, top, width, height, further numbers.
///
/// The further numbers depend on the kind of file.
package struct MOTRow: Sendable {
  /// The number of the frame, counted from 1.
  package let frame: Int
  package let id: Int
  package let box: BoundingBox
  /// The numbers after the box: a detection's score; conf, class and visibility of ground truth.
  package let rest: [Double]

  /// The maximum frame number, three days at 30 frames per second; larger ones are surely errors.
  private static let frameLimit = 10_000_000

  /// Reads the rows of a file's bytes; empty lines are skipped.
  package static func rows(of bytes: [UInt8], path: String) throws(FileLineError) -> [MOTRow] {
    var rows: [MOTRow] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        rows.append(try MOTRow(text))
      } catch {
        throw FileLineError(path: path, line: number + 1, problem: error.problem)
      }
    }
    return rows
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
      throw Mistake(problem: "frames are counted from 1 to \(Self.frameLimit)")
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
  /// Returns the rows of each frame, starting with the first; frames without rows are empty.
  package func byFrame() -> [[MOTRow]] {
    var frames = [[MOTRow]](repeating: [], count: map(\.frame).max() ?? 0)
    for row in self { frames[row.frame - 1].append(row) }
    return frames
  }
}

extension TruthBox {
  /// Makes a ground-truth box by MOTChallenge's columns conf and class.
  package init(_ row: MOTRow) {
    let isJudged = row.rest.first ?? 1 != 0
    let kind: Kind =
      switch row.rest.count > 1 ? row.rest[1] : 1 {
      case 1 where isJudged: .object
      // Person on vehicle, static person, distractor, reflection.
      case 2, 7, 8, 12: .distractor
      // KITTI's DontCare regions, as they are converted to this format.
      case 99: .ignoredRegion
      default: .other
      }
    self.init(id: row.id, box: row.box, kind: kind)
  }
}
