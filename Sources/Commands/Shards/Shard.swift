/// A part of a list of pictures, such as 3 of 16: every 16th, starting with the third.
struct Shard: Equatable, Sendable {
  static let option = Option<String?>.text(
    "shard", "K/N",
    help: """
      Process only every N-th picture, beginning with the K-th: one share of the work for each \
      of N machines.
      """)
  static let folder = Option<String?>.text(
    "resume", "DIR", accepts: .newFolder,
    help: """
      Keep the results as lines of JSON in DIR, with their receipts, and go on where an earlier run of \
      the same command was stopped; other options are refused. 'ocellus merge' brings shards together.
      """)

  /// The number of the shard, counted from 1.
  let number: Int
  let count: Int

  /// The whole list as a single shard.
  static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Parses a text such as `3/16`.
  init(_ text: String) throws(UsageError) {
    let fields = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard fields.count == 2, let number = fields[0], let count = fields[1], count > 0,
      count <= 1_000_000, (1...count).contains(number)
    else { throw UsageError("--shard wants K/N such as 3/16, with K from 1 to N, not '\(text)'") }
    self.init(number: number, count: count)
  }

  /// Returns the pictures of the shard, with their positions in the whole list, counted from 1.
  func part(of pictures: [String]) -> [(position: Int, path: String)] {
    stride(from: number - 1, to: pictures.count, by: count).map { ($0 + 1, pictures[$0]) }
  }

  /// The name of the file with the shard's results.
  var fileName: String { "results-\(number)-of-\(count).jsonl" }

  /// Parses the name of a file of results.
  init?(fileName: String) {
    let words = fileName.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 4, words[3].hasSuffix(".jsonl"),
      let shard = try? Shard("\(words[1])/\(words[3].dropLast(".jsonl".count))"),
      // Other spellings, such as leading zeros, do not name the same file.
      shard.fileName == fileName
    else { return nil }
    self = shard
  }
}
