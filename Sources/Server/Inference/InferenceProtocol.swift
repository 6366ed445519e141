import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The Open Inference Protocol, version 2, over HTTP, with Triton's extension for binary data.
struct InferenceProtocol {
  /// Models have one version: a file that is replaced is loaded in place of the old one.
  private static let version = "1"

  private let service: Service

  init(_ service: Service) { self.service = service }

  func answer(to request: HTTPRequest, _ call: Call) async throws -> HTTPResponse {
    switch call {
    case .server: return .json(server)
    case .live: return .empty()
    case .ready: return .empty(service.isReady ? 200 : 503)
    case .model(let name, let version): return .json(description(of: try model(name, version)))
    case .modelReady(let name, let version):
      _ = try model(name, version)
      return .empty()
    case .modelConfiguration(let name, let version):
      return .json(configuration(of: try model(name, version)))
    case .infer(let name, let version):
      return try await infer(request, by: try model(name, version))
    case .repositoryIndex: return .json(index)
    case .load(let name):
      try await control { try $0.load(name) }
      return .json([:])
    case .unload(let name):
      try await control { try $0.unload(name) }
      return .json([:])
    case .statistics(let name, let version):
      let models = try name.map { name throws(HTTPError) in [try model(name, version)] }
      return .json(statistics(of: models ?? service.registry.models))
    case .sharedMemoryStatus: return .json([])
    case .lacking(let reason): throw HTTPError(501, "the server \(reason)")
    }
  }

  private func model(_ name: String, _ version: String?) throws(HTTPError) -> ServedModel {
    let model = try service.registry.model(name)
    guard version ?? Self.version == Self.version else {
      throw HTTPError(
        404, "the model '\(name)' has no version '\(version ?? "")': it has version \(Self.version)"
      )
    }
    return model
  }

  // MARK: Descriptions

  private var server: JSONValue {
    [
      "name": "ocellus", "version": .string(service.configuration.version),
      "extensions": [
        "binary_tensor_data", "model_repository", "model_configuration", "statistics",
      ],
    ]
  }

  private func description(of model: ServedModel) -> JSONValue {
    [
      "name": .string(model.name), "versions": [.string(Self.version)],
      "platform": "tensorflow_lite",
      "inputs": .array(model.inputs.map(Self.description)),
      "outputs": .array(model.outputs.map(Self.description)),
    ]
  }

  private static func description(of tensor: TensorDescription) -> JSONValue {
    [
      "name": .string(tensor.name), "datatype": .string(TensorType.name(of: tensor.type)),
      "shape": .integers(tensor.shapeSignature ?? tensor.shape.dimensions),
    ]
  }

  /// The configuration as Triton describes it, as far as it applies.
  private func configuration(of model: ServedModel) -> JSONValue {
    func tensor(_ tensor: TensorDescription) -> JSONValue {
      let type = TensorType.name(of: tensor.type)
      return [
        "name": .string(tensor.name),
        "data_type": .string("TYPE_" + (type == TensorType.bytes.rawValue ? "STRING" : type)),
        "dims": .integers(tensor.shapeSignature ?? tensor.shape.dimensions),
      ]
    }
    return [
      "name": .string(model.name), "platform": "tensorflow_lite", "backend": "ocellus",
      "max_batch_size": 0, "input": .array(model.inputs.map(tensor)),
      "output": .array(model.outputs.map(tensor)),
    ]
  }

  private var index: JSONValue {
    .array(
      service.registry.index.map { name, isLoaded, reason in
        [
          "name": .string(name), "version": .string(Self.version),
          "state": isLoaded ? "READY" : "UNAVAILABLE", "reason": .string(reason),
        ]
      })
  }

  /// What models have done for this protocol, as Triton describes it.
  private func statistics(of models: [ServedModel]) -> JSONValue {
    [
      "model_stats": .array(
        models.map { model in
          .object(
            ["name": .string(model.name), "version": .string(Self.version)]
              + model.statistics.document)
        })
    ]
  }

  /// Changes what is loaded, on a thread of its own, since that can take seconds.
  private func control(
    _ change: @escaping @Sendable (ModelRegistry) throws -> Void
  ) async throws {
    guard service.configuration.allowsControl else {
      throw HTTPError(
        403,
        "clients may not load and unload models here; the server allows it if it is started with "
          + "--allow-control")
    }
    let registry = service.registry
    try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
      SystemThread.run { caller.resume(with: Result { try change(registry) }) }
    }
  }

  // MARK: Inference

  private func infer(_ request: HTTPRequest, by model: ServedModel) async throws -> HTTPResponse {
    var times = InferenceTimes()
    do {
      let (values, wanted, identifier) = try {
        let parsed = try InferenceRequest(request, of: model)
        return (parsed.values, parsed.outputs, parsed.identifier)
      }()
      times.end(.input)
      let limit = service.configuration.limits.requestTime
      let indices = wanted.map(\.index)
      let (results, began) = try await model.tensors.withViewer(within: limit) { runner in
        let start = MonotonicTime.now
        return (try runner.run(values, wanted: indices), start)
      }
      times.end(.queue, at: began)
      times.end(.run)
      let answer = response(model, identifier, zip(wanted, results).map { ($0, $1) })
      times.end(.output)
      model.statistics.note(times)
      return answer
    } catch {
      model.statistics.noteFailure(times)
      throw error
    }
  }

  private func response(
    _ model: ServedModel, _ identifier: String?,
    _ results: [(wanted: InferenceRequest.Output, value: TensorValue)]
  ) -> HTTPResponse {
    var binary: [UInt8] = []
    var outputs: [JSONValue] = []
    for (wanted, value) in results {
      var output: JSONObject = [
        "name": .string(wanted.name), "datatype": .string(wanted.type.rawValue),
        "shape": .integers(value.shape.dimensions),
      ]
      if wanted.isBinary {
        let data = TensorCoding.data(of: value, wanted.type)
        output.append("parameters", ["binary_data_size": .integer(data.count)])
        binary += data
      } else {
        output.append("data", TensorCoding.json(of: value, wanted.type))
      }
      outputs.append(.object(output))
    }
    var answer: JSONObject = [
      "model_name": .string(model.name), "model_version": .string(Self.version),
    ]
    if let identifier { answer.append("id", .string(identifier)) }
    answer.append("outputs", .array(outputs))
    guard results.contains(where: \.wanted.isBinary) else { return .json(.object(answer)) }
    let text = Array(JSONValue.object(answer).text.utf8)
    return HTTPResponse(
      200, type: "application/octet-stream", text + binary,
      headers: [("Inference-Header-Content-Length", "\(text.count)")])
  }
}
