"""
How a search went
=================

Two numbers improve while a search runs: the cost of the best set in hand, and the bound that no set can
beat. When they meet, the set in hand is proven to be the best. When the time limit comes first, what is
left between them is the gap.
"""

from sklearn.datasets import load_breast_cancer

from laconic import DecisionSetClassifier
from laconic.report.plots import plot_history

data = load_breast_cancer(as_frame=True)
clf = DecisionSetClassifier(objective="perfect", time_limit=3)
clf.fit(data.data, data.target_names[data.target])
ax = plot_history(clf)
ax.set_title(f"{clf.status_}: size {clf.cost_}, bound {clf.lower_bound_}")

# %%
# The points of the curve, as they were recorded.
for state in clf.history_[-5:]:
    print(f"{state.seconds:6.2f} s   cost {state.cost}   bound {state.lower_bound}")
