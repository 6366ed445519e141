// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A program that depends on a tagged version of Ocellus, as users do. OCELLUS_REPOSITORY names a
// git repository with a tag 0.1.0; `.ci/run` makes one.
let repository = ProcessInfo.processInfo.environment["OCELLUS_REPOSITORY"] ?? "../.."

let package = Package(
  name: "consumer",
  dependencies: [.package(url: repository, from: "0.1.0")],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [
        .product(name: "Ocellus", package: "ocellus"),
        .product(name: "TensorFlowLite", package: "ocellus"),
      ])
  ])
