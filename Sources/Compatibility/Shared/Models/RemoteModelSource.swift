public import Foundation

/// The base class of sources of hosted models; the only subclass is `FirebaseModelSource`.
public class RemoteModelSource: NSObject {
  /// The name of the model at the source.
  package let name: String

  package init(name: String) {
    self.name = name
  }
}

/// A model in the configured store, by its published name.
public final class FirebaseModelSource: RemoteModelSource {
  /// Creates a source for the model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
