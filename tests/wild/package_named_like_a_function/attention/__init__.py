"""A package called attention, beside one called utils; both are found from the folder above.

source: MarvelDL/numpy-transformer, attention/mha.py and attention/scaled_dot_product.py
attention: right
multi_head_attention: right
"""
