"""The claims of "Computing Optimal Decision Sets with SAT" (CP 2020), judged by records of `laconic bench`.

`claims` holds the numbers of its Section 4, `statements` its sentences, `figures` its figures, and
`reproduction` writes all of them into one page: ``python -m benchmarks.paper report RECORDS``.
"""
