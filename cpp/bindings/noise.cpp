#include "core/noise.hpp"

#include <pybind11/numpy.h>

#include <cstring>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "core/chacha20.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

std::string_view view_of(const py::bytes& bytes, std::size_t size, const char* what) {
    const std::string_view view = bytes;
    if (view.size() != size)
        throw std::invalid_argument(std::string(what) + " must have " + std::to_string(size) +
                                    " bytes, got " + std::to_string(view.size()));
    return view;
}

ChaChaKey key_of(const py::bytes& key) {
    return ChaChaKey::from_bytes(reinterpret_cast<const std::uint8_t*>(view_of(key, 32, "the key").data()));
}

using Sampler = void (*)(const ChaChaKey&, std::uint32_t, std::uint64_t, std::int64_t, Ratio, int,
                         std::int64_t*);

template <Sampler sample>
Int64Array draw(const py::bytes& key_bytes, std::uint32_t stream, std::int64_t n, std::int64_t numerator,
                std::int64_t denominator, int n_threads, std::uint64_t first_cell) {
    if (n < 0) throw std::invalid_argument("the number of cells must not be negative");
    const ChaChaKey key = key_of(key_bytes);
    Int64Array out(n);
    std::int64_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the key is a copy, the output is not known to anyone else yet
    sample(key, stream, first_cell, n, {numerator, denominator}, n_threads, data);
    return out;
}

py::bytes block(const py::bytes& key_bytes, std::uint32_t counter, const py::bytes& nonce_bytes) {
    const std::string_view nonce_view = view_of(nonce_bytes, 12, "the nonce");
    ChaChaNonce nonce{};
    for (std::size_t i = 0; i < 12; ++i)
        nonce[i / 4] |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(nonce_view[i])) << (8 * (i % 4));
    std::uint32_t words[kChaChaWords];
    chacha20_block(key_of(key_bytes), counter, nonce, words);
    std::string out;
    for (const std::uint32_t word : words)
        for (int byte = 0; byte < 4; ++byte) out.push_back(static_cast<char>(word >> (8 * byte)));
    return py::bytes(out);
}

}  // namespace

void register_noise(py::module_& parent) {
    auto m = parent.def_submodule("noise", "Exact discrete noise from a keyed counter generator.");
    m.def("discrete_laplace", &draw<&discrete_laplace>, py::arg("key"), py::arg("stream"), py::arg("n"),
          py::arg("numerator"), py::arg("denominator"), py::arg("n_threads"), py::arg("first_cell") = 0,
          "Discrete Laplace noise of scale numerator/denominator for n cells of a stream.");
    m.def("discrete_gaussian", &draw<&discrete_gaussian>, py::arg("key"), py::arg("stream"), py::arg("n"),
          py::arg("sigma2_numerator"), py::arg("sigma2_denominator"), py::arg("n_threads"),
          py::arg("first_cell") = 0, "Discrete Gaussian noise of variance parameter sigma^2 for n cells.");
    m.def("chacha20_block", &block, py::arg("key"), py::arg("counter"), py::arg("nonce"),
          "One 64-byte block of ChaCha20 (RFC 8439).");
}

}  // namespace covloss::bindings
