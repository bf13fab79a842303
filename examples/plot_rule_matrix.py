"""
Rules as a matrix
=================

One line per rule, one column per column of the data that some rule uses. Read along a line to see what a
rule asks for, and down a column to see how the classes share it. Columns that no rule uses are absent:
prediction does not need them.
"""

from sklearn.datasets import load_wine

from laconic import DecisionSetClassifier
from laconic.report.plots import plot_rule_matrix

data = load_wine(as_frame=True)
clf = DecisionSetClassifier(regularization=0.02, time_limit=10)
clf.fit(data.data, data.target_names[data.target])
plot_rule_matrix(clf)

# %%
# What prediction needs, out of the thirteen columns:
print(clf.decision_set_.used_columns)
