import OcellusHandles
import Synchronization

/// The C strings of class names, each made once and valid for as long as this object lives.
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
