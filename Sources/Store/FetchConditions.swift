/// Under which conditions a store uses the network, and how long it waits.
public struct FetchConditions: Sendable {
  /// The most bytes that a version of a model may have, its labels among them.
  public var maximumBytes = 2 << 30
  /// Whether models may be downloaded now, asked in front of every download; a network that is paid for
  /// by the byte is what the program takes for one.
  ///
  /// Manifests are asked for all the same: they are small.
  public var allowsDownload: @Sendable (_ bytes: Int?) -> Bool = { _ in true }
  /// The longest that a connection may take to be there.
  public var connectionTimeout = Duration.seconds(15)
  /// The longest that a server may say nothing, and that the lines in front of an answer may take.
  public var idleTimeout = Duration.seconds(30)
  /// The fewest bytes a second that a server may send, on an average over each `idleTimeout`: one that sends a
  /// byte now and then would otherwise keep everybody waiting until `totalTimeout`.
  public var minimumRate = 512
  /// The longest that one file may take, all attempts together.
  public var totalTimeout = Duration.seconds(1800)
  /// How often something is asked for until it is given up; what a server will not say otherwise, such as
  /// that there is no such file, is asked for once.
  public var attempts = 4
  /// The pause behind the first attempt, twice as long behind each further one; a server may ask for
  /// another one, up to a minute.
  public var firstPause = Duration.milliseconds(500)
  /// The longest to wait for somebody else who updates the same model.
  public var lockTimeout = Duration.seconds(1800)

  /// Conditions that suit a server in a data centre: any size up to 2 GiB, at any time.
  public init() {}
}
