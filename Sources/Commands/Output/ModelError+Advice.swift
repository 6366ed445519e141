import OcellusEngine

extension ModelError {
  /// Custom operators that hold a program for one processor, with the processor's name.
  private static let compilations = [
    "edgetpu-custom-op": "Google's Edge TPU", "ethos-u": "Arm's Ethos-U",
    "NeutronGraph": "NXP's Neutron", "DISPATCH_OP": "a vendor's accelerator",
  ]

  /// Advice on operators that no program but one can run, as further lines of the message.
  var adviceOnOperators: String {
    let names = Set(problems.map(\.operatorName))
    let processors = names.compactMap { Self.compilations[$0] }.sorted()
    var advice = processors.map {
      "\n  the model was compiled for \($0): take the file that it was compiled from"
    }
    if names.contains(where: { $0.hasPrefix("Flex") }) {
      advice.append(
        "\n  operators that begin with 'Flex' are those of TensorFlow itself: convert the model "
          + "with TFLITE_BUILTINS only")
    }
    return advice.joined()
  }
}
