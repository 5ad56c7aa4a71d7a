"""Two modules for tests, each a folder as the module books will be."""
