"""The measured floors: `python -m tests.bench`.

Speed is promised in multiples of a floor that is measured beside it in the same run, because
machines differ. Times never fail a test run; five times a promise does.
"""
