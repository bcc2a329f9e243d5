// Records as rows of coordinates, held no larger than they are.
//
// A number is a coordinate already. A level stands for a few coordinates, the same for all records that have
// it: a byte for each record and a table of coordinates say as much as a row of doubles, in an eighth of the
// memory for bits and far less for larger attributes. Rows are written out where they are needed, a few at a
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/squared_distance.hpp"

namespace covloss {

// Codes of attributes, and the coordinates of their levels one after the other.
struct LevelTable {
    const std::uint8_t* codes;  // (n, n_attributes), each below the attribute's number of levels
    std::int64_t n_attributes;
    const std::int32_t* n_levels;  // (n_attributes,)
    const std::int32_t* widths;    // (n_attributes,) coordinates of each level
    const double* coordinates;
};

class RowTable {
  public:
    // Rows of doubles, (n, width), used where they lie.
    RowTable(const double* rows, std::int64_t width) : numbers_(rows), n_numbers_(width), width_(width) {}

    // Rows of `n_numbers` doubles, followed by the coordinates of levels and by zeros up to a padded width.
    RowTable(const double* numbers, std::int64_t n_numbers, const LevelTable& levels)
        : numbers_(numbers),
          n_numbers_(n_numbers),
          width_(n_numbers),
          codes_(levels.codes),
          n_attributes_(levels.n_attributes) {
        const double* coordinates = levels.coordinates;
        for (std::int64_t f = 0; f < n_attributes_; ++f) {
            attributes_.push_back({coordinates, levels.widths[f]});
            coordinates += static_cast<std::int64_t>(levels.n_levels[f]) * levels.widths[f];
            width_ += levels.widths[f];
        }
        width_ = padded_width(width_);
    }

    std::int64_t width() const { return width_; }

    // The row of one record, if need be written to `space`, which holds a row.
    const double* row(std::int32_t id, double* space) const {
        const double* numbers = numbers_ + id * n_numbers_;
        if (n_numbers_ == width_) return numbers;
        double* out = std::copy_n(numbers, n_numbers_, space);
        const std::uint8_t* codes = codes_ + id * n_attributes_;
        for (std::int64_t f = 0; f < n_attributes_; ++f) {
            const auto& [coordinates, width] = attributes_[static_cast<std::size_t>(f)];
            if (width == 1) {
                *out++ = coordinates[codes[f]];
            } else {
                out = std::copy_n(coordinates + codes[f] * width, width, out);
            }
        }
        std::fill(out, space + width_, 0.0);
        return space;
    }

    // Says that a row is wanted soon: rows of a super-block lie far from each other.
    void prefetch(std::int32_t id) const {
#if defined(__GNUC__) || defined(__clang__)
        if (n_numbers_ > 0) {
            const double* numbers = numbers_ + id * n_numbers_;
            __builtin_prefetch(numbers);
            __builtin_prefetch(numbers + n_numbers_ - 1);
        }
        if (n_attributes_ > 0) __builtin_prefetch(codes_ + id * n_attributes_);
#endif
    }

    void copy_row(std::int32_t id, double* out) const {
        const double* x = row(id, out);
        if (x != out) std::copy_n(x, width_, out);
    }

  private:
    struct Attribute {
        const double* coordinates;
        std::int64_t width;
    };

    const double* numbers_;
    std::int64_t n_numbers_;
    std::int64_t width_;
    const std::uint8_t* codes_ = nullptr;
    std::int64_t n_attributes_ = 0;
    std::vector<Attribute> attributes_;
};

}  // namespace covloss
