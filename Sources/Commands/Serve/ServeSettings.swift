package import OcellusEngine
package import OcellusJSON

/// What a command line says about a server, for the program that is one.
package struct ServeSettings: Sendable {
  /// The models, as the command line names them; empty for the default model.
  package let models: [String]
  /// The address to listen at.
  package let address: String
  /// The number of pictures that each model looks at at the same time; `nil`: one per processor.
  package let viewers: Int?
  /// The file with the secret that clients must know.
  package let tokenPath: String?
  /// Whether clients may load and unload models.
  package let allowsControl: Bool
  /// The form of the access log: `text` or `json`; `nil`: none.
  package let log: String?
  package let budget: RunBudget
  package let limits: Limits

  /// The limits on what clients may take.
  package struct Limits: Sendable {
    package let bodyMebibytes: Int
    package let megapixels: Int
    package let waitingRequests: Int
    package let requestSeconds: Int
    package let connections: Int
    package let drainSeconds: Int
  }

  /// Returns the path of the model that a file name, or a name in the store, means.
  package func path(of model: String) throws -> String {
    try StoredModelNames.path(ofModel: model)
  }

  /// Describes the model at a path as members of a document.
  package func description(of path: String) -> JSONObject { JSONObject(modelAt: path) }

  /// Returns the members that the documents of a command begin with.
  package func signature(of command: String) -> JSONObject { Program.signature(of: command) }

  /// The version of the program.
  package var version: String { Program.version }
}

/// An error in the command line, which only the server itself can find.
package struct ServeUsageError: Error {
  let message: String

  package init(_ message: String) { self.message = message }
}

/// Runs a server until it is stopped; `tell` writes lines to the stream of errors.
package typealias ServerRun =
  @Sendable (_ settings: ServeSettings, _ tell: (String) -> Void) throws -> Void
