"""The call on which a student's `third_key()` is held against that student's own `attention`. Needs no NumPy."""

OWN_ATTENTION = "third_key/own"  # the student's attention, on the data of the third key
