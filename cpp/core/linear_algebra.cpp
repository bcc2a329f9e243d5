#include "core/linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>

namespace covloss {

void symmetric_eigen(const double* matrix, std::int64_t p, double* values, double* vectors) {
    if (p == 0) return;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const RowMajor> a(matrix, p, p);
    if (!a.allFinite()) throw std::invalid_argument("the matrix has entries that are not finite");
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
    if (solver.info() != Eigen::Success)
        throw std::runtime_error("the eigenvalue iteration did not converge");
    for (Eigen::Index j = 0; j < p; ++j) {
        const Eigen::Index from = p - 1 - j;  // Eigen sorts ascending
        values[j] = solver.eigenvalues()[from];
        const auto vector = solver.eigenvectors().col(from);
        Eigen::Index largest = 0;
        for (Eigen::Index i = 1; i < p; ++i)
            if (std::abs(vector[i]) > std::abs(vector[largest])) largest = i;
        const double sign = vector[largest] < 0 ? -1.0 : 1.0;
        for (Eigen::Index i = 0; i < p; ++i) vectors[i * p + j] = sign * vector[i];
    }
}

}  // namespace covloss
