"""A module about a river and those who fight along it."""

from umpire.kernel.book.points import Module

MODULE = Module("river")
