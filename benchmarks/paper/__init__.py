"""The claims of "Computing Optimal Decision Sets with SAT" (CP 2020) against records of `laconic bench`.

`claims` contains the numbers of its Section 4, `statements` its sentences and `figures` its figures;
`reproduction` writes all of them to one page: ``python -m benchmarks.paper report RECORDS``.
"""
