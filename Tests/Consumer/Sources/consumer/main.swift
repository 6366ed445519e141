import Ocellus
import TensorFlowLite

// A file that is not a model gives a typed error that explains the reason.
do {
  _ = try Ocellus.Model(bytes: Array("not a model".utf8))
} catch {
  print("\(error.kind): \(error)")
}
print(Runtime.version)

// The models and sample pictures are in the checkout that the package manager created.
let model = try EmbeddedModel.detector.path
let detector = try ObjectDetector(path: model)
let folder = model.split(separator: "/").dropLast().joined(separator: "/")
let picture = try Image(contentsOf: "/" + folder + "/samples/strawberry.jpg")
let objects = try detector.detect(in: picture)
for object in objects {
  print(object.categories[0].label ?? "?", object.score, object.box)
}
guard !objects.isEmpty else { fatalError("nothing was found in the sample picture") }
