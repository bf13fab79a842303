"""
Size against errors
===================

λ is the price of one unit of size, as a share of all rows. A high price gives few, short rules; a low
price gives more rules and fewer errors. Each point is the best set at its price; a filled mark says that
this is proven, a hollow one that the time limit came first.
"""

import pandas as pd
from sklearn.datasets import load_breast_cancer

from laconic import Binarizer, DecisionSetClassifier
from laconic.report.plots import plot_trade_off

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
points = []
for price in (0.2, 0.1, 0.05, 0.02):
    clf = DecisionSetClassifier(regularization=price, binarizer=Binarizer(bins=3), time_limit=2)
    clf.fit(data.data, y)
    points.append(
        {"λ": price, "size": clf.size_, "errors": clf.errors_, "proved": clf.optimal_, "gap": clf.gap_}
    )
ax = plot_trade_off(points)
ax.set_title("Breast cancer, three bins per column")

# %%
# Errors are those of the objective: with ``counting="per_class"``, a row may count once per class that gets
# it wrong, so with two classes there can be more errors than wrong predictions.
pd.DataFrame(points)
