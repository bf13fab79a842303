"""What the measurements share: the paper's training sets, results that can be resumed, generated tables."""
