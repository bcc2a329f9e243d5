"""Private synthetic tables and anonymous tables whose low-dimensional marginals stay close to the true ones."""

from covloss_fast._config import __version__, show_config

__all__ = ["__version__", "show_config"]
