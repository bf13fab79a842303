"""
The card that notebooks show
============================

A fitted classifier or a decision set at the end of a notebook cell is shown as cards: one per rule, with
a bar for the share of all training rows that it covers (the rows of other classes in grey), and a badge
that says what is proved. This page shows the same HTML.
"""

# sphinx_gallery_thumbnail_path = "images/notebook-card.png"
from sklearn.datasets import load_iris

from laconic import DecisionSetClassifier

data = load_iris(as_frame=True)
clf = DecisionSetClassifier().fit(data.data, data.target_names[data.target])
clf.decision_set_

# %%
# The same facts for a program: one line per rule.
clf.decision_set_.to_frame()
