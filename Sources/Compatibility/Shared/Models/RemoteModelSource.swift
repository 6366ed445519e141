public import Foundation

/// Where hosted models come from; `FirebaseModelSource` is the only place.
public class RemoteModelSource: NSObject {
  /// The name of the model there.
  package let name: String

  package init(name: String) {
    self.name = name
  }
}

/// A model of the store that the program configured, by the name that it was published under.
public final class FirebaseModelSource: RemoteModelSource {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
