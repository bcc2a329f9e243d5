# microaggregation
