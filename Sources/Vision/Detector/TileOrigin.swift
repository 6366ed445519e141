import OcellusImaging

/// The tile that a candidate was found in.
struct TileOrigin: Hashable {
  /// The index of the tile.
  let tile: Int
  /// Whether the tile's edge may cut the object: there may be more of it outside.
  let isCut: Bool

  /// A box that is nearer to the tile's edge than this share of the tile's side counts as cut.
  private static let margin = 0.01
  /// A cut box of which this share lies in another box of its class shows the same object.
  private static let share = 0.5
  /// A cut box of which this share lies in another cut box does not extend it.
  private static let whole = 0.9

  /// Creates the origin of a candidate at `box` in a tile of the searched region.
  init(tile number: Int, _ tile: BoundingBox, of region: BoundingBox, at box: BoundingBox) {
    self.tile = number
    let (x, y) = (Self.margin * tile.width, Self.margin * tile.height)
    isCut =
      (box.left < tile.left + x && tile.left > region.left + x)
      || (box.right > tile.right - x && tile.right < region.right - x)
      || (box.top < tile.top + y && tile.top > region.top + y)
      || (box.bottom > tile.bottom - y && tile.bottom < region.bottom - y)
  }

  /// Merges the boxes of objects that are cut by the edges of tiles.
  ///
  /// A cut box that lies mostly in another tile's box of its class is dropped; two cut boxes that
  /// each show something of their own become one. Suppression cannot do this, as the box of a part
  /// of an object overlaps the whole object's box only a little.
  static func joined(_ candidates: [Candidate], recorder: LedgerRecorder?) -> [Candidate] {
    var kept = candidates.filter { $0.tileOrigin?.isCut != true }
    let cut = candidates.filter { $0.tileOrigin?.isCut == true }
    let order = cut.indices.sorted { (cut[$0].box.area, $1) > (cut[$1].box.area, $0) }
    for tileOrigin in order.map({ cut[$0] }) {
      let shares = kept.map { tileOrigin.share(in: $0) }
      guard let best = shares.indices.max(by: { (shares[$0], $1) < (shares[$1], $0) }),
        shares[best] >= share
      else {
        kept.append(tileOrigin)
        continue
      }
      if kept[best].tileOrigin?.isCut == true, shares[best] < whole {
        kept[best].box = kept[best].box.union(tileOrigin.box)
        kept[best].score = max(kept[best].score, tileOrigin.score)
        recorder?.drop(tileOrigin, .blended(into: kept[best].number ?? 0, overlap: shares[best]))
      } else {
        recorder?.drop(tileOrigin, .suppressed(by: kept[best].number ?? 0, overlap: shares[best]))
      }
    }
    return kept
  }
}

extension Candidate {
  /// Returns the share of the box that lies in another tile's box of the same class.
  fileprivate func share(in other: Candidate) -> Double {
    guard category == other.category, tileOrigin?.tile != other.tileOrigin?.tile, box.area > 0
    else {
      return 0
    }
    return box.intersection(other.box).area / box.area
  }
}
