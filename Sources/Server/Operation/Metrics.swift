import OcellusPlatform
import OcellusVision
import Synchronization

/// The numbers of requests and the distributions of their times, for Prometheus.
final class Metrics: Sendable {
  /// A histogram with the bounds of all of them.
  struct Histogram {
    static let bounds = [
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var count = 0
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      count += 1
      sum += seconds
      if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts[index] += 1 }
    }

    /// Returns the lines of the histogram; `labels` are `name="value"` or empty.
    func lines(_ name: String, _ labels: String) -> String {
      let start = labels.isEmpty ? "" : labels + ","
      let braced = labels.isEmpty ? "" : "{\(labels)}"
      var (text, below) = ("", 0)
      for (bound, count) in zip(Self.bounds, counts) {
        below += count
        text += "\(name)_bucket{\(start)le=\"\(bound)\"} \(below)\n"
      }
      return text + "\(name)_bucket{\(start)le=\"+Inf\"} \(count)\n\(name)_sum\(braced) \(sum)\n"
        + "\(name)_count\(braced) \(count)\n"
    }
  }

  private struct Place: Hashable {
    let route: String
    let status: Int
  }

  private struct State {
    var requests: [Place: Int] = [:]
    var times: [String: Histogram] = [:]
    var stages: [String: Histogram] = [:]
  }

  private let start = MonotonicTime.now.nanoseconds
  private let state = Mutex(State())

  /// Counts an answered request.
  func note(_ record: HTTPRecord) {
    let route = Route.label(of: record.path)
    state.withLock { state in
      state.requests[Place(route: route, status: record.status), default: 0] += 1
      state.times[route, default: Histogram()].add(record.seconds)
    }
  }

  /// Counts the times of a network's stages.
  func note(_ stages: VisionEvent.Stages) {
    state.withLock { state in
      for (name, time) in [
        ("preparing", stages.preparing), ("running", stages.running), ("reading", stages.reading),
      ] {
        state.stages[name, default: Histogram()].add(time / .seconds(1))
      }
    }
  }

  /// Makes this the observer of all events in the process.
  func observeStages() {
    VisionEvent.observer = { [weak self] event in
      if case .pictureSeen(let stages) = event { self?.note(stages) }
    }
  }

  /// The numbers in Prometheus's text format.
  func text(_ gauges: [(name: String, help: String, value: Double)]) -> String {
    let state = state.withLock { $0 }
    var text = Self.head("ocellus_requests_total", "counter", "Requests by place and status.")
    let places = state.requests.sorted {
      ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
    }
    for (place, count) in places {
      text +=
        "ocellus_requests_total{route=\"\(place.route)\",status=\"\(place.status)\"} \(count)\n"
    }
    text += Self.head(
      "ocellus_request_seconds", "histogram",
      "The time of a request, from the end of its headers to the end of its answer.")
    for (route, histogram) in state.times.sorted(by: { $0.key < $1.key }) {
      text += histogram.lines("ocellus_request_seconds", "route=\"\(route)\"")
    }
    text += Self.head(
      "ocellus_stage_seconds", "histogram", "The time of a stage of looking at a picture.")
    for (stage, histogram) in state.stages.sorted(by: { $0.key < $1.key }) {
      text += histogram.lines("ocellus_stage_seconds", "stage=\"\(stage)\"")
    }
    let up = Double(MonotonicTime.now.nanoseconds - start) / 1e9
    let all = gauges + [("ocellus_up_seconds", "The time since the start.", up)]
    for gauge in all {
      text += Self.head(gauge.name, "gauge", gauge.help) + "\(gauge.name) \(gauge.value)\n"
    }
    return text
  }

  private static func head(_ name: String, _ type: String, _ help: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }
}

extension Service {
  /// The numbers of this service in Prometheus's text format.
  var metricsText: String {
    var gauges: [(name: String, help: String, value: Double)] = [
      (
        "ocellus_waiting_requests", "Requests that wait for a model.",
        Double(registry.models.reduce(0) { $0 + $1.waitingCount })
      ),
      ("ocellus_models", "Models that are loaded.", Double(registry.models.count)),
      ("ocellus_streams", "Streams whose objects are followed.", Double(trackers.streamCount)),
      ("ocellus_ready", "1 if requests are answered.", isReady ? 1 : 0),
      ("ocellus_resident_bytes", "The memory that the process has.", Self.residentBytes),
    ]
    if let state = serverState {
      gauges += [
        ("ocellus_connections", "Open connections.", Double(state.connections)),
        (
          "ocellus_active_requests", "Requests between their first and last byte.",
          Double(state.requests)
        ),
        ("ocellus_body_bytes", "Bytes of bodies in memory.", Double(state.bodyBytes)),
      ]
    }
    return metrics.text(gauges)
  }

  private static var residentBytes: Double {
    let fields = (try? FileSystem.read("/proc/self/statm", limit: 256)).map {
      String(decoding: $0, as: UTF8.self).split(separator: " ")
    }
    guard let pages = fields?.dropFirst().first.flatMap({ Double($0) }) else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }
}
