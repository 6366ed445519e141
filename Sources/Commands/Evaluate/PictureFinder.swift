import OcellusVision

/// Finds annotated pictures by the paths in results.
struct PictureFinder: Sendable {
  /// A node of a trie of path components, read from the end of the path.
  private struct Ending {
    /// The children, by the preceding path component.
    var longer: [Substring: Int] = [:]
    var pictureCount = 0
    /// The index of one of the pictures below this node.
    var index = 0
  }

  /// The nodes of the trie; the first is the root.
  private let endings: [Ending]
  let indexOfIdentifier: [String: Int]

  init(_ pictures: [Annotations.Picture]) {
    var endings = [Ending()]
    for (index, picture) in pictures.enumerated() {
      var current = 0
      for part in picture.name.split(separator: "/").reversed() {
        if let longer = endings[current].longer[part] {
          current = longer
        } else {
          endings[current].longer[part] = endings.count
          current = endings.count
          endings.append(Ending())
        }
        endings[current].pictureCount += 1
        endings[current].index = index
      }
    }
    self.endings = endings
    let identifiers = pictures.enumerated().map { ($1.identifier, $0) }
    indexOfIdentifier = Dictionary(identifiers) { first, _ in first }
  }

  /// Returns the only picture whose path shares the longest suffix of components with this path.
  func index(ofPath path: String) throws(RunError) -> Int {
    var current = 0
    for part in path.split(separator: "/").reversed() {
      guard let longer = endings[current].longer[part] else { break }
      current = longer
    }
    guard current > 0 else { throw RunError("the annotations have no picture \(path)") }
    guard endings[current].pictureCount == 1 else {
      throw RunError("the annotations have several pictures that \(path) may be")
    }
    return endings[current].index
  }
}
