"""The kernel: pure Python that knows no game system, no Django and no Celery."""
