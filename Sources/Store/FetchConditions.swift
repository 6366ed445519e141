/// The limits on a store's use of the network: sizes, timeouts and retries.
public struct FetchConditions: Sendable {
  /// The most bytes of a version, including its labels.
  public var maximumBytes = 2 << 30
  /// Decides whether a download may start now; called before every download.
  ///
  /// The argument is the size, if known. Use this to save metered connections. Manifests are
  /// fetched in any case, because they are small.
  public var allowsDownload: @Sendable (_ bytes: Int?) -> Bool = { _ in true }
  /// The longest time for establishing a connection.
  public var connectionTimeout = Duration.seconds(15)
  /// The longest time without data from the server, and for receiving the header of a response.
  public var idleTimeout = Duration.seconds(30)
  /// The minimum transfer rate in bytes per second, averaged over each `idleTimeout`.
  ///
  /// It ends transfers that trickle, which would otherwise last until `totalTimeout`.
  public var minimumRate = 512
  /// The longest time for one file, all attempts together.
  public var totalTimeout = Duration.seconds(1800)
  /// The maximum number of attempts for a request.
  ///
  /// Permanent failures, such as a file that does not exist, are not retried.
  public var attempts = 4
  /// The pause after the first attempt; it doubles after each further one.
  ///
  /// A server may ask for another pause, of up to a minute.
  public var firstPause = Duration.milliseconds(500)
  /// The longest time to wait for another process or task that updates the same model.
  public var lockTimeout = Duration.seconds(1800)

  /// Creates conditions for a server in a data centre: sizes up to 2 GiB, at any time.
  public init() {}
}
