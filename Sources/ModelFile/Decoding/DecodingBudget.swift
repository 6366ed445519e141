/// The limits on what a file may expand to while it is decoded.
///
/// References may share their targets, so a small hostile file can describe a huge model: a million
/// operators that are the same bytes, with the same million inputs. A file without sharing has far
/// fewer tables and elements than the limits, which grow with its size.
struct DecodingBudget {
  private var tablesLeft: Int
  private var elementsLeft: Int

  init(byteCount: Int) {
    // Unshared, a table takes at least 8 bytes. The official verifier's limit is a million too.
    tablesLeft = min(1_000_000, 1000 + byteCount / 4)
    // Unshared, an element takes at least a byte.
    elementsLeft = 1_000_000 + byteCount
  }

  mutating func chargeTable(at byteOffset: Int) throws(ModelFileError) {
    guard tablesLeft > 0 else { throw .tooLarge("too many tables", at: byteOffset) }
    tablesLeft -= 1
  }

  mutating func chargeElements(_ count: Int, at byteOffset: Int) throws(ModelFileError) {
    guard count <= elementsLeft else { throw .tooLarge("too many elements", at: byteOffset) }
    elementsLeft -= count
  }
}
