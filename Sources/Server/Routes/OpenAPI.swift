import OcellusJSON

/// The description of the server in the OpenAPI format.
enum OpenAPI {
  static func document(version: String) -> JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Ocellus", "version": .string(version),
        "description":
          "Finds, classifies and follows what is in pictures. Answers are those of the commands.",
      ],
      "security": [[:], ["token": []]],
      "paths": .object(JSONObject(paths.members)),
      "components": [
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "schemas": [
          "Error": [
            "type": "object", "required": ["error", "status"],
            "properties": [
              "error": ["type": "string", "description": "What went wrong, and what to do."],
              "status": ["type": "integer"],
            ],
          ]
        ],
      ],
    ]
  }

  private static var paths: JSONObject {
    var paths: JSONObject = [
      "/": path("get", "A page to try the server.", type: "text/html"),
      "/health": path("get", "Whether requests are answered; 503 if not."),
      "/metrics": path("get", "Numbers for Prometheus.", type: "text/plain"),
      "/openapi.json": path("get", "This document."),
    ]
    for (task, summary) in tasks {
      let draws = task != "label" && task != "embed"
      paths.append("/\(task)", picturePath(summary, draws: draws, parameters: [model, region]))
    }
    let stream = parameter("stream", "path", "The name of the stream.")
    paths.append(
      "/track/{stream}",
      picturePath(
        "Finds objects in the next frame of a stream, with identities.", draws: false,
        parameters: [
          stream, model, region,
          parameter("time", "query", "The time of the frame in seconds; by default now."),
        ]))
    paths.append(
      "/track/{stream}/events",
      path(
        "get", "Sends the answer to each frame of a stream as an event.",
        type: "text/event-stream", parameters: [stream]))
    for (name, method, summary) in otherProtocols {
      let body = name.hasPrefix("/v1/vision") && name != "/v1/vision/custom/list" ? form : nil
      paths.append(
        name, path(method, summary, parameters: name.contains("{model}") ? [modelInPath] : [], body)
      )
    }
    return paths
  }

  private static let tasks = [
    ("detect", "Finds objects in a picture."), ("label", "Says what a picture shows."),
    ("segment", "Says what every pixel belongs to, by the share of each class."),
    ("pose", "Finds the points of bodies, hands and faces."),
    ("embed", "Describes a picture by numbers."),
  ]

  private static let otherProtocols = [
    ("/v1/vision/detection", "post", "DeepStack: finds objects in the file 'image' of a form."),
    ("/v1/vision/custom/{model}", "post", "DeepStack: the same with one of several models."),
    ("/v1/vision/custom/list", "post", "DeepStack: the names of the models."),
    ("/v1/vision/scene", "post", "DeepStack: classifies the file 'image' of a form."),
    ("/v1/status/ping", "get", "CodeProject.AI: says that the server is there."),
    ("/v2", "get", "Open Inference Protocol: the server."),
    ("/v2/health/live", "get", "Open Inference Protocol: whether the server runs."),
    ("/v2/health/ready", "get", "Open Inference Protocol: whether requests are answered."),
    ("/v2/models/{model}", "get", "Open Inference Protocol: a model's tensors."),
    ("/v2/models/stats", "get", "Triton: the numbers and times of the models' requests."),
    ("/v2/models/{model}/stats", "get", "Triton: those of one model."),
    ("/v2/models/{model}/ready", "get", "Open Inference Protocol: whether a model is there."),
    ("/v2/models/{model}/config", "get", "Triton: the configuration of a model."),
    ("/v2/models/{model}/infer", "post", "Open Inference Protocol: runs a model on tensors."),
    ("/v2/repository/index", "post", "Triton: the models."),
    ("/v2/repository/models/{model}/load", "post", "Triton: loads a model, if that is allowed."),
    (
      "/v2/repository/models/{model}/unload", "post", "Triton: unloads a model, if that is allowed."
    ),
  ]

  private static let model = parameter("model", "query", "The name of one of several models.")
  private static let modelInPath = parameter("model", "path", "The name of a model.")
  private static let region = parameter(
    "roi", "query", "The part of the picture to look at: LEFT,TOP,WIDTH,HEIGHT in pixels.")

  private static func parameter(
    _ name: String, _ place: String, _ description: String
  ) -> JSONValue {
    [
      "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
      "description": .string(description), "schema": ["type": "string"],
    ]
  }

  private static let errors: JSONObject = [
    "default": [
      "description": "What went wrong.",
      "content": [
        "application/json": ["schema": ["$ref": "#/components/schemas/Error"]]
      ],
    ]
  ]

  /// The form of DeepStack's requests.
  private static let form: JSONValue = [
    "required": true,
    "content": [
      "multipart/form-data": [
        "schema": [
          "type": "object", "required": ["image"],
          "properties": [
            "image": ["type": "string", "format": "binary"],
            "min_confidence": ["type": "number", "minimum": 0, "maximum": 1],
            "api_key": ["type": "string", "description": "The token, if the server wants one."],
          ],
        ]
      ]
    ],
  ]

  private static func path(
    _ method: String, _ summary: String, type: String = "application/json",
    parameters: [JSONValue] = [], _ body: JSONValue? = nil
  ) -> JSONValue {
    let success: JSONObject = [
      "200": [
        "description": "The answer.",
        "content": .object(JSONObject([.init(name: type, value: [:])])),
      ]
    ]
    var operation: JSONObject = ["summary": .string(summary)]
    if !parameters.isEmpty { operation.append("parameters", .array(parameters)) }
    if let body { operation.append("requestBody", body) }
    operation.append("responses", .object(success + errors))
    return .object(JSONObject([.init(name: method, value: .object(operation))]))
  }

  private static func picturePath(
    _ summary: String, draws: Bool, parameters: [JSONValue]
  ) -> JSONValue {
    var types: JSONObject = ["application/json": [:]]
    if draws {
      types.append("image/jpeg", [:])
      types.append("image/png", [:])
    }
    let success: JSONObject = ["200": ["description": "The answer.", "content": .object(types)]]
    let picture: JSONObject = [
      "image/jpeg": [:], "image/png": [:], "application/octet-stream": [:],
      "multipart/form-data": [:],
    ]
    let operation: JSONObject = [
      "summary": .string(summary), "parameters": .array(parameters),
      "requestBody": ["required": true, "content": .object(picture)],
      "responses": .object(success + errors),
    ]
    return ["post": .object(operation)]
  }
}
