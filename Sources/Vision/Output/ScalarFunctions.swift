import OcellusPlatform

/// e to the power of `value`.
func exponential(_ value: Double) -> Double { OcellusPlatform.exp(value) }

/// e to the power of `value`.
func exponential(_ value: Float) -> Float { expf(value) }

/// 1 ÷ (1 + e^−value): what turns a network's raw answer into a probability.
func sigmoid(_ value: Float) -> Float { 1 / (1 + expf(-value)) }

/// The raw answer that `sigmoid` turns into `probability`: comparing it costs no exponential.
func logit(_ probability: Float) -> Float {
  probability <= 0
    ? -.infinity : probability >= 1 ? .infinity : logf(probability / (1 - probability))
}

/// The natural logarithm.
func logarithm(_ value: Float) -> Float { logf(value) }
