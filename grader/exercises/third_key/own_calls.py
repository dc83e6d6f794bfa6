"""The calls on which a student's `third_key()` is held against that student's own `attention`. Needs no NumPy."""

OWN_ATTENTION = "third_key/own/page"  # the student's attention, on the data of the third key
OWN_SEVERAL = "third_key/own/several"  # the same keys and values, three queries; then either of them turned round
OWN_QUERIES = "third_key/own/queries"
OWN_KEYS = "third_key/own/keys"
