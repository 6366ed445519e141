import OcellusImaging

/// A flood of objects: what a network answers to numbers that it was not trained on.
///
/// Activations then grow beyond measure. Hundreds of places report an object, many with certainty,
/// and their boxes lie across each other. A real crowd, however large, is not like that: its
/// objects are beside each other, and few are certain.
struct Flood {
  /// The number of objects.
  let count: Int

  /// Fewer objects are never a flood.
  private static let fewestObjects = 150
  /// Objects below this score are not considered.
  private static let lowestScore: Float = 0.5
  /// Scores from here on are certain.
  private static let certainScore: Float = 0.95
  /// The smallest share of certain objects.
  private static let certainShare = 0.1
  /// The overlap, of the smaller of two boxes, from which they lie across each other.
  private static let overlap = 0.5
  /// A box with one side so many times the other is a splinter.
  private static let splinter = 8.0
  /// The smallest share of boxes that could not be objects beside each other.
  private static let disorder = 0.35
  /// The number of boxes that are looked at: a share of the many is enough.
  private static let samples = 100

  /// Finds a flood among the candidates of one run; `nil` if there is none.
  init?(_ candidates: [Candidate]) {
    let likely = candidates.filter { $0.score >= Self.lowestScore }
    guard likely.count >= Self.fewestObjects, Self.areCertain(likely) else { return nil }
    let objects = Suppression.perCategory(overlap: 0.45)
      .apply(to: likely, threshold: Self.lowestScore, limit: nil)
    guard objects.count >= Self.fewestObjects, Self.areCertain(objects) else { return nil }
    let looked = Array(
      stride(from: 0, to: objects.count, by: max(objects.count / Self.samples, 1)))
    let disordered = looked.count { Self.isDisordered(objects[$0].box, among: objects) }
    guard Double(disordered) >= Self.disorder * Double(looked.count) else { return nil }
    count = objects.count
  }

  /// Whether a box lies across several others, or is a splinter across one.
  ///
  /// Parts of objects, such as helmets on people, lie on one other box.
  private static func isDisordered(_ box: BoundingBox, among objects: [Candidate]) -> Bool {
    // The box itself is among the objects.
    let crossed = objects.lazy.filter { lieAcross($0.box, box) }.prefix(3).count - 1
    let isSplinter = max(box.width, box.height) > splinter * min(box.width, box.height)
    return crossed >= 2 || isSplinter && crossed == 1
  }

  private static func areCertain(_ candidates: [Candidate]) -> Bool {
    let certain = candidates.count { $0.score >= certainScore }
    return Double(certain) >= certainShare * Double(candidates.count)
  }

  private static func lieAcross(_ a: BoundingBox, _ b: BoundingBox) -> Bool {
    a.intersection(b).area > overlap * min(a.area, b.area)
  }
}
