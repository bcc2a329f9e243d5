"""The same functions in plain numpy: slow, obvious, the oracle of the tests and the baseline of the benchmarks."""
