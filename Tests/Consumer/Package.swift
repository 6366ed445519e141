// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Programs that depend on Ocellus as users' programs do. OCELLUS_REPOSITORY names a git repository
// with a tag 0.1.0, which `.ci/run` creates; without it they depend on this checkout.
let ocellus: Package.Dependency =
  if let repository = ProcessInfo.processInfo.environment["OCELLUS_REPOSITORY"] {
    .package(url: repository, from: "0.1.0")
  } else {
    .package(name: "ocellus", path: "../..")
  }

func program(_ name: String, uses products: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "ocellus") },
    swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
  name: "consumer",
  dependencies: [ocellus],
  targets: [
    program("consumer", uses: ["Ocellus", "TensorFlowLite"]),
    // `.ci/container` puts this program into an empty root directory.
    program("portable", uses: ["Ocellus", "MLKit", "Firebase"]),
  ])
