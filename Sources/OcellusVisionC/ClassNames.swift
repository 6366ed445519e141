import OcellusHandles
import Synchronization

/// The names of classes that a program was told, each made once: it may read them for as long as this lives.
final class ClassNames: Sendable {
  private let made = Mutex<[String: CStrings]>([:])

  func text(_ name: String) -> UnsafePointer<CChar> {
    let strings = made.withLock { made in
      let strings = made[name] ?? CStrings([name])
      made[name] = strings
      return strings
    }
    return strings.pointers[0]
  }
}
