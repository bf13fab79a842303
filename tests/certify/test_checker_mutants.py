"""Errors in the checker that the other tests do not notice, each with the table that shows it."""
