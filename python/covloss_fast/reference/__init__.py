"""The same functions in plain numpy: slow, obvious, oracle of the tests and baseline of the benchmarks."""
