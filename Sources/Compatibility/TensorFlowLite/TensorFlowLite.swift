/// Information about the runtime.
public enum Runtime {
  /// The version of the official runtime that this module reproduces.
  public static var version: String { "2.3.0+ocellus" }
}
