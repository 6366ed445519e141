/// What a model may use: the guard against files and inputs from strangers.
public struct RunBudget: Sendable {
  /// The bytes that tensors, working memory, folded constants and packed weights may take together,
  /// beside as many as the model's file has.
  ///
  /// A run may add half of them to what planning took.
  public var bytes: Int
  /// The multiply-adds that one run may take.
  public var multiplyAdds: Int
  /// The time that planning or one run may take; `nil` for no limit.
  ///
  /// Asked for in the middle of long steps too: a run goes on for some milliseconds at most.
  public var time: Duration?
  /// The time that planning may take, where it differs from `time`.
  public var planningTime: Duration?

  /// A budget that real models stay far below: 8 GiB, 10¹³ multiply-adds, no time limit.
  public init(bytes: Int = 8 << 30, multiplyAdds: Int = 10_000_000_000_000, time: Duration? = nil) {
    self.bytes = bytes
    self.multiplyAdds = multiplyAdds
    self.time = time
  }
}
