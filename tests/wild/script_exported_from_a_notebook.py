#!/usr/bin/env python
# coding: utf-8
"""A notebook saved as a script: magics became calls of get_ipython(), cells became comments.

source: cgpotts/cs224u, issue 64 (hw_colors.ipynb converted by an autograder); chengstone/movie_recommender, issue 7
softmax: right
attention: right
"""

# In[1]:


import numpy as np

get_ipython().run_line_magic("matplotlib", "inline")
get_ipython().run_line_magic("load_ext", "autoreload")
get_ipython().system("ls data")


# ## Weights from scores

# In[2]:


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


# In[3]:


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


get_ipython().run_cell_magic("time", "", "attention(np.eye(3), np.eye(3), np.eye(3))")
