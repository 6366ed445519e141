/// Finds the word that the user probably meant.
enum Suggestion {
  /// The most candidates that a hint names.
  private static let longestList = 3

  /// Returns a hint to append to an error message, or an empty text if no candidate is similar.
  static func text(for word: String, among candidates: [String]) -> String {
    let similar =
      nearest(to: word, among: candidates).map { [$0] } ?? completions(of: word, among: candidates)
    guard !similar.isEmpty else { return "" }
    let names = similar.prefix(longestList).map { "'\($0)'" }.joined(separator: " or ")
    return "; did you mean \(names)?"
  }

  /// Returns the candidates that begin with the word, or else those that contain it.
  private static func completions(of word: String, among candidates: [String]) -> [String] {
    let word = word.lowercased()
    guard word.count >= 3 else { return [] }
    let beginning = candidates.filter { $0.lowercased().hasPrefix(word) }
    return beginning.isEmpty ? candidates.filter { $0.lowercased().contains(word) } : beginning
  }

  /// Returns the candidate with the fewest edits, at most a third of the word's letters.
  ///
  /// Among several, an anagram of the word is preferred.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let letters = word.sorted()
    let ranked = candidates.map { candidate in
      (
        candidate: candidate, edits: edits(from: word, to: candidate),
        others: candidate.sorted() == letters ? 0 : 1
      )
    }
    guard let best = ranked.min(by: { ($0.edits, $0.others) < ($1.edits, $1.others) }),
      best.edits <= limit
    else { return nil }
    return best.candidate
  }

  /// Returns the Levenshtein distance, computed row by row.
  static func edits(from first: String, to second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (number, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = number + 1
      for column in target.indices {
        let replaced = diagonal + (letter == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[target.count]
  }
}
