/// Facts about the runtime.
public enum Runtime {
  /// The version of the official runtime whose results this module gives.
  public static var version: String { "2.3.0+ocellus" }
}
