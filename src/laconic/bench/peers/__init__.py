"""Peers: rival packages, each in a virtual environment of its own.

Their dependencies conflict with ours and with each other's, so no peer is imported here. A peer is installed
on request (``laconic bench peers install``) and called through files by a script that runs in its environment
and imports nothing of Laconic.
"""
