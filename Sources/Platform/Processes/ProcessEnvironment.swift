// The C library keeps the environment in a mutable global variable.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Android)
  @preconcurrency import Android
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// The environment variables of the process.
package enum ProcessEnvironment {
  /// Returns the value of a variable; `nil` if it is missing or empty.
  package static func value(of name: String) -> String? {
    getenv(name).map { String(fileName: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All variables, in the form that the system's functions take.
  static var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }
}
