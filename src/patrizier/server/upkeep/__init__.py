"""What somebody does who runs a server: back up, restore, and check what is stored.

Nothing here serves anybody. It reads the store as any other program could.
"""
