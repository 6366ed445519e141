import OcellusEngine
import OcellusJSON
import OcellusProfile
import OcellusTestSupport
import Testing

/// The exported timeline follows the Trace Event Format.
///
/// Viewers drop events that break its rules, or draw them in wrong rows.
@Suite struct ChromeTraceTests {
  /// An event as a viewer reads it.
  private struct Event {
    let phase: String
    let name: String
    let process: Int
    let thread: Int
    /// The event's microseconds, for spans.
    var range: ClosedRange<Double>?
    let arguments: JSONObject

    init(_ json: JSONValue) throws {
      let fields = try #require(json.object)
      phase = try #require(fields["ph"]?.string)
      name = try #require(fields["name"]?.string)
      process = try #require(fields["pid"]?.integer)
      thread = try #require(fields["tid"]?.integer)
      arguments = try #require(fields["args"]?.object)
      #expect(!name.isEmpty)
      guard phase == "X" else { return }
      let start = try #require(fields["ts"]?.number)
      let duration = try #require(fields["dur"]?.number)
      #expect(start >= 0 && duration >= 0 && fields["cat"]?.string?.isEmpty == false)
      range = start...start + max(duration, 0)
    }
  }

  /// The tolerance for sums of decimal fractions of nanoseconds.
  private static let rounding = 1e-6

  private func profile(_ path: String, threads: Int) throws -> Profile {
    let interpreter = try Interpreter(Model(path: path), options: .init(threads: threads))
    try interpreter.fillInputs()
    return try Profile(of: interpreter, options: .init(runs: 2, measuresLimits: false))
  }

  private func events(of profile: Profile) throws -> [Event] {
    let trace = try #require(try JSONParser.parse(Array(profile.chromeTrace.text.utf8)).object)
    #expect(trace["displayTimeUnit"] == "ns")
    #expect(trace["otherData"]?.object?["run"]?.string?.contains("median of") == true)
    return try #require(trace["traceEvents"]?.array).map { try Event($0) }
  }

  /// Spans are sorted by their beginnings, lie within the run, and on each thread are nested or
  /// disjoint.
  @Test(
    arguments: PackageFiles.models + [
      "WHILE/float32_nested.tflite", "WHILE/float32_5_times.tflite",
    ], [1, 2])
  func spansAreNestedAndInOrder(model: String, threads: Int) throws {
    let folder = try TemporaryDirectory()
    let path =
      model.hasPrefix("WHILE") ? try ConformanceCorpus().unpack(model, into: folder) : model
    let profile = try profile(path, threads: threads)
    let spans = try events(of: profile).filter { $0.phase == "X" }
    #expect(!spans.isEmpty && spans.count == profile.timeline.spans.count)
    var beginning = 0.0
    var open: [Int: [ClosedRange<Double>]] = [:]
    for span in spans {
      let range = try #require(span.range)
      #expect(range.lowerBound >= beginning, "\(span.name) comes too late in the file")
      beginning = range.lowerBound
      #expect(range.upperBound <= Double(profile.timeline.nanoseconds) / 1e3 + Self.rounding)
      var outer = open[span.thread, default: []]
      while let last = outer.last, last.upperBound <= range.lowerBound + Self.rounding {
        outer.removeLast()
      }
      if let last = outer.last {
        #expect(range.upperBound <= last.upperBound + Self.rounding, "\(span.name) ends outside")
      }
      open[span.thread] = outer + [range]
    }
  }

  /// Every row has one name, there is one process, and arguments name the node.
  @Test(arguments: [1, 2])
  func threadsHaveNames(threads: Int) throws {
    let events = try events(of: profile(PackageFiles.models[0], threads: threads))
    #expect(Set(events.map(\.phase)) == ["M", "X"] && Set(events.map(\.process)) == [1])
    let named = events.filter { $0.phase == "M" }
    #expect(named.allSatisfy { $0.name == "thread_name" })
    #expect(named.allSatisfy { $0.arguments["name"]?.string?.isEmpty == false })
    let spans = events.filter { $0.phase == "X" }
    #expect(Set(named.map(\.thread)).count == named.count)
    #expect(Set(named.map(\.thread)).isSuperset(of: spans.map(\.thread)))
    #expect(spans.allSatisfy { $0.arguments["node"]?.integer != nil })
  }
}
