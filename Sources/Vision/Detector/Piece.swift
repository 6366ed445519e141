import OcellusImaging

/// Where a candidate comes from, when a picture is looked at in parts.
struct Piece: Hashable {
  /// The number of the part.
  let part: Int
  /// Whether an edge of the part cuts it: there may be more of it outside.
  let isCut: Bool

  /// Nearer to an edge than this share of the part is cut by it.
  private static let margin = 0.01
  /// A piece of which this share lies in another box of its class is a piece of that.
  private static let share = 0.5
  /// A piece of which this share lies in another adds nothing to it.
  private static let whole = 0.9

  /// A piece at `box` in a part of the region that is looked at.
  init(part number: Int, _ part: BoundingBox, of region: BoundingBox, at box: BoundingBox) {
    self.part = number
    let (x, y) = (Self.margin * part.width, Self.margin * part.height)
    isCut =
      (box.left < part.left + x && part.left > region.left + x)
      || (box.right > part.right - x && part.right < region.right - x)
      || (box.top < part.top + y && part.top > region.top + y)
      || (box.bottom > part.bottom - y && part.bottom < region.bottom - y)
  }

  /// Puts together what the edges of parts cut.
  ///
  /// A piece of an object that another part shows more of is dropped; two pieces of which each has something
  /// of its own become one box. Suppression cannot do it: a piece overlaps its object little.
  static func joined(_ candidates: [Candidate], recorder: LedgerRecorder?) -> [Candidate] {
    var kept = candidates.filter { $0.piece?.isCut != true }
    let cut = candidates.filter { $0.piece?.isCut == true }
    let order = cut.indices.sorted { (cut[$0].box.area, $1) > (cut[$1].box.area, $0) }
    for piece in order.map({ cut[$0] }) {
      let shares = kept.map { piece.share(in: $0) }
      guard let best = shares.indices.max(by: { (shares[$0], $1) < (shares[$1], $0) }),
        shares[best] >= share
      else {
        kept.append(piece)
        continue
      }
      if kept[best].piece?.isCut == true, shares[best] < whole {
        kept[best].box = kept[best].box.union(piece.box)
        kept[best].score = max(kept[best].score, piece.score)
        recorder?.drop(piece, .blended(into: kept[best].number ?? 0, overlap: shares[best]))
      } else {
        recorder?.drop(piece, .suppressed(by: kept[best].number ?? 0, overlap: shares[best]))
      }
    }
    return kept
  }
}

extension Candidate {
  /// How much of this one lies in another of its class that another part shows.
  fileprivate func share(in other: Candidate) -> Double {
    guard category == other.category, piece?.part != other.piece?.part, box.area > 0 else {
      return 0
    }
    return box.intersection(other.box).area / box.area
  }
}
