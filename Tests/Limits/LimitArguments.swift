/// The options of the command line.
struct LimitArguments {
  private var casesOfOperator = 1
  private var operators: Set<String>?
  /// One of this many runs is executed.
  private(set) var step = 1
  /// The number of the first run.
  private(set) var first = 0

  init(_ arguments: ArraySlice<String>) {
    var rest = Array(arguments.reversed())
    while let option = rest.popLast() {
      switch (option, rest.popLast()) {
      case ("--cases", let value?): casesOfOperator = Int(value) ?? casesOfOperator
      case ("--every", let value?): step = max(Int(value) ?? step, 1)
      case ("--first", let value?): first = Int(value) ?? first
      case ("--operators", let value?):
        operators = Set(value.split(separator: ",").map { String($0) })
      default:
        fatalError("usage: limit-check [--cases N] [--every N] [--first N] [--operators A,B,…]")
      }
    }
  }

  /// Returns some models of each operator, spread evenly over all of them.
  func chosen(from names: [String]) -> [String] {
    let good = names.filter { !$0.contains("/err_") }
    let groups = Dictionary(grouping: good) { String($0.prefix { $0 != "/" }) }
    return groups.keys.sorted().flatMap { group -> [String] in
      guard operators?.contains(group) ?? true, let cases = groups[group] else { return [] }
      let count = min(casesOfOperator, cases.count)
      return (0..<count).map { cases[$0 * cases.count / count] }
    }
  }
}
