"""Jobs beside the tables: results and ratings, analyses of games, deleting what has expired.

Each has a `run` or a loop that works until cancelled; `startup` begins them. No job holds up a
table: a command that waits for its answer belongs in `runtime`.
"""
