# noise
