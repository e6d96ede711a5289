"""The load test: plays games over sockets against a server on this machine."""
