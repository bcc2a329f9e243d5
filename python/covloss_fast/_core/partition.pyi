# partition
