"""Every trade-off of size and errors at once, the choice among them, and the sets that are as good."""
