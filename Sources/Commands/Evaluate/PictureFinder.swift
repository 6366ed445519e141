import OcellusVision

/// Finds pictures by the paths that results name.
struct PictureFinder: Sendable {
  /// What pictures whose paths end alike have in common: a part of the path, and what stands before it.
  private struct Ending {
    /// The endings that are longer by a part.
    var longer: [Substring: Int] = [:]
    var pictureCount = 0
    /// One of the pictures.
    var place = 0
  }

  /// The first is that of all paths.
  private let endings: [Ending]
  let placeOfIdentifier: [String: Int]

  init(_ pictures: [Annotations.Picture]) {
    var endings = [Ending()]
    for (place, picture) in pictures.enumerated() {
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
        endings[current].place = place
      }
    }
    self.endings = endings
    let identifiers = pictures.enumerated().map { ($1.identifier, $0) }
    placeOfIdentifier = Dictionary(identifiers) { first, _ in first }
  }

  /// The one picture whose path shares the most with this one, from the name on.
  func place(ofPath path: String) throws(RunError) -> Int {
    var current = 0
    for part in path.split(separator: "/").reversed() {
      guard let longer = endings[current].longer[part] else { break }
      current = longer
    }
    guard current > 0 else { throw RunError("the annotations have no picture \(path)") }
    guard endings[current].pictureCount == 1 else {
      throw RunError("the annotations have several pictures that \(path) may be")
    }
    return endings[current].place
  }
}
