"""Drawing rows to be held out of training: the same share of every class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.runtime.errors import InputError


def held_out_rows(labels: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Return the mask of held-out rows: about the share of each class, and never all of its rows.

    The same labels in the same order, share and seed give the same rows.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,)
    share : float
        Between 0 and 1.
    seed : int

    Examples
    --------
    >>> labels = np.array(["no"] * 8 + ["yes"] * 4)
    >>> held_out_rows(labels, 0.25, seed=0).reshape(3, 4).sum(axis=1).tolist()
    [1, 1, 1]
    """
    classes = np.unique([repr(label) for label in labels.tolist()], return_inverse=True)[1]
    shuffled = np.random.default_rng(seed).permutation(labels.size)
    order = shuffled[np.argsort(classes[shuffled], kind="stable")]
    # The rounding error of one class is carried to the next: the total is off by less than a row.
    due = np.floor(share * np.arange(1, labels.size + 1) + 0.5)
    taken = np.diff(due, prepend=0.0) > 0
    first_of_class = np.flatnonzero(np.diff(classes[order], prepend=-1))
    for first, last in zip(first_of_class, [*first_of_class[1:], labels.size], strict=True):
        if taken[first:last].all():
            taken[first] = False
    out = np.zeros(labels.size, bool)
    out[order[taken]] = True
    if not out.any():
        raise InputError(
            f"a share of {share:g} of {labels.size} rows leaves no row to hold out; hold out more"
        )
    return out
