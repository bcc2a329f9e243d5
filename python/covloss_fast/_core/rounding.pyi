# rounding
