"""Two functions from one template, executed in the module.

source: Jeevan-Gharate/python-runtime-function-creation, README.md (exec for functions at run time)
head_scale: right
score_variance: right
"""

TEMPLATE = """
def {name}(d_k, num_heads):
    width = d_k / num_heads
    return {formula}
"""

for name, formula in (("head_scale", "width ** -0.5"), ("score_variance", "width")):
    exec(TEMPLATE.format(name=name, formula=formula))
