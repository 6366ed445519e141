/// What a model may use: the guard against files and inputs from strangers.
public struct RunBudget: Sendable {
  /// The bytes that tensors, working memory and folded constants may take together.
  public var bytes: Int
  /// The multiply-adds that one run may take.
  public var multiplyAdds: Int
  /// The time that loading the plan or one run may take; `nil` for no limit.
  public var time: Duration?

  /// A budget that real models stay far below: 8 GiB, 10¹³ multiply-adds, no time limit.
  public init(bytes: Int = 8 << 30, multiplyAdds: Int = 10_000_000_000_000, time: Duration? = nil) {
    self.bytes = bytes
    self.multiplyAdds = multiplyAdds
    self.time = time
  }
}
