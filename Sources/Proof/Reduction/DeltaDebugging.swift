/// Finds a small part of a list that still has a property, by trying parts and what they leave.
///
/// It is the minimizing delta debugging of Zeller and Hildebrandt: no element of the result can be
/// left out alone.
///
/// - Parameters:
///   - items: The whole list, which has the property.
///   - holds: Tells whether a part has the property.
/// - Returns: the part, in the order of the list.
func smallestPart<Element>(
  of items: [Element], where holds: ([Element]) throws -> Bool
) rethrows -> [Element] {
  var items = items
  var partCount = 2
  while items.count >= 2 {
    let bounds = (0...partCount).map { $0 * items.count / partCount }
    let ranges = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    if let part = try ranges.first(where: { try holds(Array(items[$0])) }) {
      items = Array(items[part])
      partCount = 2
      continue
    }
    // With two parts, what one leaves is the other.
    let rests =
      partCount > 2 ? ranges.map { Array(items[..<$0.lowerBound] + items[$0.upperBound...]) } : []
    if let rest = try rests.first(where: holds) {
      items = rest
      partCount = max(partCount - 1, 2)
      continue
    }
    guard partCount < items.count else { break }
    partCount = min(2 * partCount, items.count)
  }
  return items
}
