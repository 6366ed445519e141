import OcellusImaging
import Synchronization

/// The bytes of the picture files that the calls of a pool hold.
///
/// Files of similar size share a lane with room of its own, so that small files need not wait for
/// large ones.
struct FileRoom: Sendable {
  /// The room for files of more than an eighth of the limit, of more than an eighth of that, and of
  /// others.
  private let lanes: [ByteBudget]

  init(limit: Int) {
    let limit = max(limit, 0)
    lanes = [limit, limit / 4, limit / 4].map { ByteBudget(limit: $0) }
  }

  private var limit: Int { lanes[0].limit }

  /// Whether a file of this size is one of the largest.
  func isLarge(_ byteCount: Int) -> Bool { lane(of: byteCount) == 0 }

  private func lane(of byteCount: Int) -> Int {
    byteCount > limit / 8 ? 0 : byteCount > limit / 64 ? 1 : 2
  }

  /// Takes room for a file, and receives it if it is not there yet.
  ///
  /// - Throws: `VisionError.busy` when there is no room for a file that is there already, `ImageError`
  ///   of kind `tooLarge` for a file that exceeds the limit or its announced size, and the errors of
  ///   receiving it.
  func file(of source: PictureSource) async throws -> PictureFile {
    let byteCount = source.byteCount
    guard byteCount <= limit else {
      throw ImageError(
        .tooLarge,
        "the file has \(byteCount) bytes; the limit of the pool is \(limit) bytes (waitingBytes)")
    }
    let lane = lanes[lane(of: byteCount)]
    switch source {
    case .bytes(let bytes):
      guard let room = lane.takeNow(byteCount) else { throw noRoom(for: byteCount) }
      return PictureFile(bytes, room: room, isKeptByCaller: true)
    case .announced(_, let receive):
      let room = try await lane.take(byteCount)
      let bytes = try await receive()
      guard bytes.count <= byteCount else {
        throw ImageError(
          .tooLarge, "the file has \(bytes.count) bytes, more than the announced \(byteCount)")
      }
      return PictureFile(bytes, room: room)
    }
  }

  /// Moves the small file of a giant picture to the room of larger files, if there is some.
  ///
  /// Giants are held for long; those with small files must not keep other small files waiting.
  /// - Throws: `VisionError.busy` when the file is one of the smallest and there is no room.
  func moveGiant(_ file: PictureFile) throws(VisionError) {
    let byteCount = file.bytes.count
    let lane = lane(of: byteCount)
    for larger in lanes[..<lane] {
      if let room = larger.takeNow(byteCount) { return file.move(to: room) }
    }
    guard lane < 2 else { throw noRoom(for: byteCount) }
  }

  private func noRoom(for byteCount: Int) -> VisionError {
    .busy(
      "calls with \(lanes.reduce(0) { $0 + $1.used }) bytes of pictures wait for the pool, and there "
        + "is no room for one with \(byteCount): the limit is \(limit) bytes (waitingBytes)")
  }
}

/// A picture file that a pool gets, now or when it has room for it.
package enum PictureSource: Sendable {
  /// The file.
  case bytes([UInt8])
  /// The size of the file, and what receives it.
  case announced(Int, @Sendable () async throws -> [UInt8])

  /// The size of the file.
  var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .announced(let byteCount, _): max(byteCount, 0)
    }
  }

  /// The file, if it is there already.
  var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }
}

/// A picture file, with the room that it takes.
final class PictureFile: Sendable {
  private let contents: Mutex<(bytes: [UInt8], room: ByteBudget.Part)?>
  private let isKeptByCaller: Bool

  init(_ bytes: [UInt8], room: ByteBudget.Part, isKeptByCaller: Bool = false) {
    contents = Mutex((bytes, room))
    self.isKeptByCaller = isKeptByCaller
  }

  /// The file; empty once it was dropped.
  var bytes: [UInt8] { contents.withLock { $0?.bytes ?? [] } }

  func move(to room: ByteBudget.Part) { contents.withLock { $0?.room = room } }

  /// Frees the file and its room, unless it takes memory until the end of the call in any case.
  func drop() { if !isKeptByCaller { contents.withLock { $0 = nil } } }
}
