import OcellusEngine
import TensorFlowLite

// What a program sees of a file that is no model: a typed error that says what is wrong.
do {
  _ = try OcellusEngine.Model(bytes: Array("not a model".utf8))
} catch {
  print("\(error.kind): \(error)")
}
print(Runtime.version)
