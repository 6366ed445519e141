import OcellusEngine

extension Option where Value == Interpreter.Backend? {
  /// Who multiplies matrices of floats.
  static var backend: Self {
    .choice(
      "backend", "NAME", of: Interpreter.Backend.allCases.map { ($0.rawValue, $0) },
      help: """
        Who multiplies matrices of floats: 'ocellus', or 'blas' for OpenBLAS where it is \
        installed. Default: ocellus.
        """)
  }
}
