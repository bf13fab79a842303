"""
A report for people who do not program
======================================

:func:`laconic.report.write_report`, or ``laconic report`` on the command line, writes one HTML file that
needs nothing else: no network, no server. It can be mailed, printed and archived. Below is such a file,
as it is. Under *What if?* you can change values and see which rules fire.
"""

# sphinx_gallery_thumbnail_path = "images/report-top.png"
from html import escape

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from laconic import DecisionSetClassifier
from laconic.report import render_report
from laconic.report.plots import plot_coverage

data = load_iris(as_frame=True)
y = data.target.map(dict(enumerate(data.target_names))).rename("species")
clf = DecisionSetClassifier().fit(data.data, y)
page = render_report(clf, data.data, y, seconds=2)


class Shown:
    """The report inside this page."""

    def _repr_html_(self):
        style = "width:100%;height:45rem;border:1px solid #8884"
        return f'<iframe title="The report" style="{style}" srcdoc="{escape(page)}"></iframe>'


Shown()

# %%
# One of its pictures, drawn with matplotlib:
plot_coverage(clf, data.data, y)
plt.show()
