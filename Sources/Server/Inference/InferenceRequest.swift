import OcellusEngine
import OcellusJSON

/// A request for inference, with the values of all inputs.
struct InferenceRequest {
  /// An output that the client wants.
  struct Output: Sendable {
    var index: Int
    var name: String
    var type: TensorType
    /// Whether the values follow the JSON as bytes.
    var isBinary: Bool
  }

  /// The most numbers in JSON, each of which takes some 40 bytes of memory.
  private static let maximumNumbers = 4 << 20

  /// The values of the inputs, in the model's order.
  let values: [TensorValue]
  let outputs: [Output]
  let identifier: String?

  /// Reads a request for a model.
  ///
  /// - Throws: `HTTPError` that names what is wrong.
  init(_ request: HTTPRequest, of model: ServedModel) throws(HTTPError) {
    let jsonCount = try Self.jsonCount(of: request)
    let body = try Self.json(request.body, jsonCount)
    if let text = body["id"]?.string { identifier = text } else { identifier = nil }
    var binary = request.body[jsonCount...]
    values = try Self.values(body, &binary, model.inputs)
    guard binary.isEmpty else {
      throw HTTPError(
        400,
        "\(binary.count) bytes follow the last input: the sums of binary_data_size and of the "
          + "body differ")
    }
    outputs = try Self.outputs(body, model.outputs)
  }

  /// Returns the length of the JSON; the rest of the body is binary data.
  private static func jsonCount(of request: HTTPRequest) throws(HTTPError) -> Int {
    guard let text = request.header("inference-header-content-length") else {
      return request.body.count
    }
    guard let count = Int(text), (0...request.body.count).contains(count) else {
      throw HTTPError(
        400,
        "Inference-Header-Content-Length is '\(text.prefix(60))', and the body has "
          + "\(request.body.count) bytes")
    }
    return count
  }

  private static func json(_ body: [UInt8], _ count: Int) throws(HTTPError) -> JSONObject {
    let text = Array(body.prefix(count))
    let commas = text.reduce(0) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
    guard commas <= maximumNumbers else {
      throw HTTPError(
        413, "the JSON has more than \(maximumNumbers) values; send the tensors as binary data")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONParser.parse(text) } catch {
      throw HTTPError(400, "the request is \(error)")
    }
    guard let object = value.object else { throw HTTPError(400, "the request is no JSON object") }
    return object
  }

  // MARK: Inputs

  private static func values(
    _ body: JSONObject, _ binary: inout ArraySlice<UInt8>, _ tensors: [TensorDescription]
  ) throws(HTTPError) -> [TensorValue] {
    guard let inputs = body["inputs"]?.array else {
      throw HTTPError(400, "the request has no list 'inputs'")
    }
    var values = [TensorValue?](repeating: nil, count: tensors.count)
    for input in inputs {
      guard let input = input.object, let name = input["name"]?.string else {
        throw HTTPError(400, "an input of the request has no name")
      }
      guard let index = tensors.firstIndex(where: { $0.name == name }) else {
        throw HTTPError(
          400, "there is no input '\(name.prefix(100))'; the model has \(Self.names(tensors))")
      }
      guard values[index] == nil else { throw HTTPError(400, "the input '\(name)' is given twice") }
      values[index] = try value(input, name, &binary, tensors[index])
    }
    return try zip(values, tensors).map { value, tensor throws(HTTPError) in
      guard let value else {
        throw HTTPError(
          400, "the input '\(tensor.name)' is missing; the model has \(names(tensors))")
      }
      return value
    }
  }

  private static func names(_ tensors: [TensorDescription]) -> String {
    tensors.map { "'\($0.name)'" }.joined(separator: ", ")
  }

  private static func value(
    _ input: JSONObject, _ name: String, _ binary: inout ArraySlice<UInt8>,
    _ tensor: TensorDescription
  ) throws(HTTPError) -> TensorValue {
    guard let type = TensorType(tensor.type) else {
      throw HTTPError(
        400, "the input '\(name)' is of type \(tensor.type.name), which the protocol lacks")
    }
    let given = input["datatype"]?.string
    guard given == type.rawValue else {
      throw HTTPError(
        400,
        "the input '\(name)' is of type \(type.rawValue), not \(given.map { "\($0.prefix(60))" } ?? "none")"
      )
    }
    let (shape, count) = try shape(input, name, tensor)
    let parameters = input["parameters"]?.object
    guard parameters?["shared_memory_region"] == nil else {
      throw HTTPError(
        400, "the server shares no memory with clients; send '\(name)' as binary data")
    }
    guard let size = parameters?["binary_data_size"] else {
      guard let data = input["data"] else {
        throw HTTPError(400, "the input '\(name)' has no data")
      }
      let bytes = try TensorCoding.bytes(of: data, type, count: count, name)
      return TensorValue(type: tensor.type, shape: shape, bytes: bytes)
    }
    guard let size = size.integer, (0...binary.count).contains(size) else {
      throw HTTPError(
        400,
        "binary_data_size of '\(name)' is \(size.text.prefix(60)), and \(binary.count) bytes are there"
      )
    }
    let data = binary.prefix(size)
    binary = binary.dropFirst(size)
    guard let width = type.width else {
      let strings = try TensorCoding.strings(in: data, count: count, name)
      return TensorValue(type: tensor.type, shape: shape, bytes: TensorCoding.packed(strings))
    }
    guard size == width * count else {
      throw HTTPError(
        400, "the input '\(name)' has \(size) bytes, and its shape \(shape) takes \(width * count)")
    }
    return TensorValue(type: tensor.type, shape: shape, bytes: Array(data))
  }

  /// Returns the shape of an input and the number of its elements.
  ///
  /// The shape may differ from the model's, where the model allows it: planning finds out.
  private static func shape(
    _ input: JSONObject, _ name: String, _ tensor: TensorDescription
  ) throws(HTTPError) -> (Shape, count: Int) {
    let extents = input["shape"]?.array.map { $0.map { $0.integer ?? -1 } }
    guard let extents, extents.count <= 8, extents.allSatisfy({ (0...1 << 31).contains($0) }) else {
      throw HTTPError(400, "the input '\(name)' has no shape: a list of at most 8 whole numbers")
    }
    var count = 1
    for extent in extents {
      let (product, overflows) = count.multipliedReportingOverflow(by: extent)
      guard !overflows, product <= 1 << 31 else {
        throw HTTPError(413, "the input '\(name)' has too many elements: \(extents)")
      }
      count = product
    }
    let expected = tensor.shapeSignature ?? tensor.shape.dimensions
    guard expected.count == extents.count,
      zip(expected, extents).allSatisfy({ $0 == $1 || $0 < 0 })
    else {
      throw HTTPError(
        400, "the input '\(name)' has the shape \(extents); the model takes \(expected)")
    }
    return (Shape(extents), count)
  }

  // MARK: Outputs

  private static func outputs(
    _ body: JSONObject, _ tensors: [TensorDescription]
  ) throws(HTTPError) -> [Output] {
    let allBinary = isTrue(body["parameters"]?.object?["binary_data_output"]) ?? false
    guard let list = body["outputs"]?.array, !list.isEmpty else {
      return try tensors.indices.map { index throws(HTTPError) in
        try output(index, tensors, isBinary: allBinary)
      }
    }
    guard list.count <= 2 * tensors.count else {
      throw HTTPError(400, "an output is asked for twice")
    }
    return try list.map { wanted throws(HTTPError) in
      guard let name = wanted.object?["name"]?.string,
        let index = tensors.firstIndex(where: { $0.name == name })
      else {
        throw HTTPError(
          400,
          "there is no output '\(wanted.object?["name"]?.string?.prefix(100) ?? "")'; the model has "
            + names(tensors))
      }
      let parameters = wanted.object?["parameters"]?.object
      guard parameters?["classification"] == nil, parameters?["shared_memory_region"] == nil else {
        throw HTTPError(
          400,
          "the output '\(name)' can be given as it is only, without classification and shared memory"
        )
      }
      return try output(
        index, tensors, isBinary: isTrue(parameters?["binary_data"]) ?? allBinary)
    }
  }

  private static func output(
    _ index: Int, _ tensors: [TensorDescription], isBinary: Bool
  ) throws(HTTPError) -> Output {
    let tensor = tensors[index]
    guard let type = TensorType(tensor.type) else {
      throw HTTPError(
        400, "the output '\(tensor.name)' is of type \(tensor.type.name), which the protocol lacks")
    }
    guard isBinary || type.hasJSON else {
      throw HTTPError(
        400,
        "the output '\(tensor.name)' is of type \(type.rawValue), which JSON lacks: ask for binary_data"
      )
    }
    return Output(index: index, name: tensor.name, type: type, isBinary: isBinary)
  }

  private static func isTrue(_ value: JSONValue?) -> Bool? {
    if case .bool(let truth) = value { truth } else { nil }
  }
}
