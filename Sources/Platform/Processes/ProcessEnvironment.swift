// The C library has the environment in a variable that anybody may change.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Android)
  @preconcurrency import Android
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// What the process was told in variables of its environment.
package enum ProcessEnvironment {
  /// The value of a variable that is there and not empty.
  package static func value(of name: String) -> String? {
    getenv(name).map { String(fileName: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All of them as the system's functions take them.
  static var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }
}
