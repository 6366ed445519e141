import OcellusEngine

extension Option where Value == RunBudget {
  /// What a model may use: not much more than machines have, since models come from strangers.
  static var memory: Self {
    let memory = Option<Int>.integer(
      "memory", "MIB", in: 1...1 << 30, default: 1024,
      help: "What the model may take beside its file, in MiB.")
    return Option(definition: memory.definition) { texts throws(UsageError) in
      RunBudget(mebibytes: try memory.read(texts))
    }
  }
}

extension RunBudget {
  /// The budget of a command: so much memory beside the model's file, and no endless planning.
  init(mebibytes: Int = 1024) {
    self.init(bytes: mebibytes << 20)
    planningTime = .seconds(60)
  }
}
