import OcellusVision

/// Finds pictures by the paths that results name.
struct PictureFinder: Sendable {
  private let parts: [[Substring]]
  /// The pictures that have this name, in whatever folder.
  private let places: [Substring: [Int]]
  let placeOfIdentifier: [String: Int]

  init(_ pictures: [Annotations.Picture]) {
    let parts = pictures.map { $0.name.split(separator: "/") }
    places = Dictionary(grouping: parts.indices) { parts[$0].last ?? "" }
    self.parts = parts
    let identifiers = pictures.enumerated().map { ($1.identifier, $0) }
    placeOfIdentifier = Dictionary(identifiers) { first, _ in first }
  }

  /// The one picture whose path shares the most with this one, from the name on.
  func place(ofPath path: String) throws(RunError) -> Int {
    let wanted = path.split(separator: "/")
    let shared = (places[wanted.last ?? ""] ?? []).map { place in
      (
        place: place,
        count: zip(parts[place].reversed(), wanted.reversed()).prefix { $0 == $1 }.count
      )
    }
    guard let best = shared.max(by: { $0.count < $1.count }) else {
      throw RunError("the annotations have no picture \(path)")
    }
    guard shared.count(where: { $0.count == best.count }) == 1 else {
      throw RunError("the annotations have several pictures that \(path) may be")
    }
    return best.place
  }
}
