import OcellusPlatform

/// e to the power of `value`.
func exponential(_ value: Double) -> Double { OcellusPlatform.exp(value) }

/// e to the power of `value`.
func exponential(_ value: Float) -> Float { expf(value) }

/// Returns the logistic function, 1 ÷ (1 + e^−value), which turns a logit into a probability.
func sigmoid(_ value: Float) -> Float { 1 / (1 + expf(-value)) }

/// Returns the inverse of `sigmoid`; comparing logits with it saves the exponentials.
func logit(_ probability: Float) -> Float {
  probability <= 0
    ? -.infinity : probability >= 1 ? .infinity : logf(probability / (1 - probability))
}

/// Returns the natural logarithm.
func logarithm(_ value: Float) -> Float { logf(value) }
