// Runs in a directory that contains nothing but a picture: with Ocellus' detector and labeler, and
// with the defaults of ML Kit and Firebase.
import Firebase
import MLKit
import Ocellus

// The path is no argument: Swift reads arguments from /proc, which an empty root does not have.
let picture = try Image(contentsOf: "/photo.jpg")
let objects = try Ocellus.ObjectDetector().detect(in: picture)
for object in objects {
  print(object.categories[0].label ?? "?", object.score)
}
let labels = try Ocellus.ImageLabeler(options: .init(maximumResults: 1)).labels(
  in: picture, region: objects.first?.box)
print(labels[0].label ?? "?", labels[0].score)

let options = ObjectDetectorOptions()
options.detectorMode = .singleImage
options.shouldEnableMultipleObjects = true
let image = VisionImage(image: picture)
image.orientation = picture.imageOrientation
let found = try ObjectDetector.objectDetector(options: options).results(in: image)
let prominent = try Vision.vision().objectDetector().results(in: image)
print("\(objects.count) objects; ML Kit's \(found.count), Firebase's \(prominent.count)")
guard !objects.isEmpty, found.count == min(objects.count, 5), prominent.count == 1 else {
  fatalError("nothing was found in the sample picture")
}
