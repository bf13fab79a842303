"""
Which rules cover which rows
============================

One line per rule, one thin column per row of the table. Rows are sorted by class, so a good rule is a
solid block under the name of its own class. A grey mark, half as high, is a row of another class: an
error of that rule. A column without any mark is a row that no rule covers; it gets the default class.
"""

from sklearn.datasets import load_wine

from laconic import DecisionSetClassifier
from laconic.report.plots import plot_coverage

data = load_wine(as_frame=True)
y = data.target_names[data.target]
clf = DecisionSetClassifier(regularization=0.02, time_limit=10).fit(data.data, y)
print(clf.decision_set_)

# %%
# The same rules as a picture. ``ax=`` draws on axes of your own.
ax = plot_coverage(clf, data.data, y)
ax.set_title("Rules for the three wines", pad=24)

# %%
# On rows that were not part of the training, give those instead; the rules stay the same.
plot_coverage(clf, data.data.iloc[::3], y[::3])
