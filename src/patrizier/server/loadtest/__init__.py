"""The load test: plays games over sockets against a server on this machine.

It uses only the public protocol, like any other client.
"""
