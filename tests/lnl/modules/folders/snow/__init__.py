"""A module about a winter."""

from umpire.kernel.book.points import Module

MODULE = Module("snow")
