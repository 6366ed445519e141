public import Foundation

/// A model that is hosted elsewhere, by its name.
///
/// Only this package has subclasses: the initializer is not public. Unchecked for that reason alone:
/// nothing in a model or in one of them changes.
open class RemoteModel: NSObject, @unchecked Sendable {
  /// The name under which the model is hosted.
  public let name: String

  package init(name: String) {
    self.name = name
  }
}
