"""Twins of the noise: the same bits through the same decisions, in Python's unbounded integers.

The twins follow ``cpp/core/noise.hpp`` decision by decision and agree bit for bit. The probability functions
state the distributions themselves, as numbers that do not come from a sampler.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_WORD = 0xFFFFFFFF


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """Return one 64-byte block of ChaCha20 (RFC 8439, section 2.3).

    Parameters
    ----------
    key : bytes
        32 bytes.
    counter : int
        In [0, 2^32).
    nonce : bytes
        12 bytes.
    """
    start = [
        *struct.unpack("<4I", b"expand 32-byte k"),
        *struct.unpack("<8I", key),
        counter,
        *struct.unpack("<3I", nonce),
    ]
    x = list(start)

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for first, second, third, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[first] = (x[first] + x[second]) & _WORD
            mixed = x[third] ^ x[first]
            x[third] = ((mixed << shift) | (mixed >> (32 - shift))) & _WORD

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *((a + b) & _WORD for a, b in zip(x, start)))


class BitStream:
    """The random bits of one cell of a stream: the keystream's bits, the low bit of each byte first.

    The nonce is the stream (4 bytes) and the cell (8 bytes), little endian.
    """

    def __init__(self, key: bytes, stream: int, cell: int) -> None:
        self._key = key
        self._nonce = struct.pack("<IQ", stream, cell)
        self._counter = 0
        self._pool = 0
        self._pooled = 0

    def bits(self, count: int) -> int:
        """Return the next `count` bits as an integer."""
        while self._pooled < count:
            block = chacha20_block(self._key, self._counter, self._nonce)
            self._pool |= int.from_bytes(block, "little") << self._pooled
            self._pooled += 512
            self._counter += 1
        result = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._pooled -= count
        return result


def uniform(random: BitStream, bound: int) -> int:
    """Return an integer uniform on [0, bound): multiply and reject (Lemire 2019)."""
    if bound == 1:
        return 0
    width = min(64, (bound - 1).bit_length() + 8)
    while True:
        value, rest = divmod(random.bits(width) * bound, 1 << width)
        if rest >= (1 << width) % bound:
            return value


def bernoulli(random: BitStream, probability: Fraction) -> bool:
    """Return True with the given probability: reveal a uniform real number, eight bits at a time."""
    while True:
        probability = probability * 256 - random.bits(8)
        if probability <= 0:
            return False
        if probability >= 1:
            return True


def bernoulli_exp(random: BitStream, exponent: Fraction) -> bool:
    """Return True with probability exp(-exponent) (Canonne, Kamath and Steinke 2020, algorithm 1)."""
    while exponent >= 1:
        if not bernoulli_exp_fraction(random, Fraction(1)):
            return False
        exponent -= 1
    return bernoulli_exp_fraction(random, exponent)


def bernoulli_exp_fraction(random: BitStream, exponent: Fraction) -> bool:
    """Return True with probability exp(-exponent), exponent at most 1: the parity of von Neumann's run."""
    k = 1
    while bernoulli(random, exponent / k):
        k += 1
    return k % 2 == 1


def _laplace(random: BitStream, t: int, s: int) -> int:
    """Draw from P(y) ~ exp(-|y| s/t) (algorithm 2)."""
    while True:
        u = uniform(random, t)
        if not bernoulli_exp_fraction(random, Fraction(u, t)):
            continue
        v = 0
        while bernoulli_exp_fraction(random, Fraction(1)):
            v += 1
        y = (u + t * v) // s
        negative = random.bits(1) == 1
        if not (negative and y == 0):
            return -y if negative else y


def _gaussian(random: BitStream, a: int, b: int) -> int:
    """Draw from P(y) ~ exp(-y^2 b/(2a)) (algorithm 3, with the proposal of scale 2a/(b(2h+1)))."""
    h = math.isqrt(a // b)
    while True:
        y = _laplace(random, 2 * a, b * (2 * h + 1))
        if bernoulli_exp(random, Fraction((abs(y) - h) * (abs(y) - h - 1) * b, 2 * a)):
            return y


def discrete_laplace(
    key: bytes, stream: int, n: int, numerator: int, denominator: int, first_cell: int = 0
) -> NDArray[np.int64]:
    """Twin of ``_core.noise.discrete_laplace``: scale numerator/denominator, a cell for each entry."""
    cells = [BitStream(key, stream, first_cell + i) for i in range(n)]
    return np.array([_laplace(cell, numerator, denominator) for cell in cells], dtype=np.int64)


def discrete_gaussian(
    key: bytes, stream: int, n: int, sigma2_numerator: int, sigma2_denominator: int, first_cell: int = 0
) -> NDArray[np.int64]:
    """Twin of ``_core.noise.discrete_gaussian``: sigma^2 = numerator/denominator, a cell for each entry."""
    cells = [BitStream(key, stream, first_cell + i) for i in range(n)]
    return np.array([_gaussian(cell, sigma2_numerator, sigma2_denominator) for cell in cells], dtype=np.int64)


def discrete_laplace_pmf(values: NDArray[np.int64], scale: Fraction) -> NDArray[np.float64]:
    """Return the probabilities (1 - r)/(1 + r) r^|y| with r = exp(-1/scale)."""
    slope = float(1 / scale)
    return np.asarray(math.tanh(slope / 2) * np.exp(-slope * np.abs(values)), dtype=np.float64)


def discrete_gaussian_pmf(values: NDArray[np.int64], sigma2: Fraction) -> NDArray[np.float64]:
    """Return the probabilities exp(-y^2/(2 sigma^2)) / sum.

    The sum over the integers is taken term by term, or for a large sigma as sqrt(2 pi) sigma, from which it
    differs by a factor below 1 + 3 exp(-2 pi^2 sigma^2) (Poisson summation).
    """
    variance = float(sigma2)
    if variance >= 4:
        total = math.sqrt(2 * math.pi * variance)
    else:
        total = math.fsum(math.exp(-y * y / (2 * variance)) for y in range(-80, 81))
    return np.asarray(np.exp(-(values.astype(np.float64) ** 2) / (2 * variance)) / total, dtype=np.float64)
