// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Programs that depend on Ocellus as users do. OCELLUS_REPOSITORY names a git repository with a tag
// 0.1.0, which `.ci/run` makes; without it they depend on the checkout two folders up.
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
    // A program that is put into an empty root by `.ci/container`.
    program("portable", uses: ["Ocellus", "MLKit", "Firebase"]),
    // The snippets of the documentation: `.ci/snippets` adds them to a copy of this package.
    program(
      "snippets",
      uses: [
        "Ocellus", "OcellusAudit", "OcellusModelFile", "OcellusProfile", "OcellusStore",
        "TensorFlowLite", "MLKit", "Firebase",
      ]),
  ])
