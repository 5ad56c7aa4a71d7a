"""The module books, a folder each: what `umpire.kernel.book.shipped` says of a module's folder. None knows another."""
