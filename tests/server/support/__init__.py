"""Helpers of the server's tests.

- `disks`: full and read-only disks.
- `fault_injection`: servers, `faults` (kill, pause, cut, …) and `fault_clients` that play on.
- `fuzzing`, `fuzz_clients`: malformed messages, and clients that send them.
- `hidden_cards`: other deals that a viewer cannot tell from the real one.
- `mailing`: a mailer with a real mail server.
- `players`: players of a `TableService`, without HTTP.
- `postgres`: a PostgreSQL server of the tests' own.
- `serving`: the application on a real port, and guests with cookies and sockets.
- `shifted_clock`: starts a server whose clock can be shifted.
- `statements`: collects SQL statements.
- `table_driver`: a table without store and clock.
- `twin_servers`, `secret_games`: the same game twice, with other hidden cards, and a comparison of
  all that a client receives.
"""
