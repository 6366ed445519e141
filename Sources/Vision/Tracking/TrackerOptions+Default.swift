extension TrackerOptions {
  /// The default.
  public static let `default` = byteTrack
}
