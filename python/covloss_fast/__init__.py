"""Private synthetic tables and anonymous tables whose low-dimensional marginals stay close to the true."""

from covloss_fast._config import __version__, show_config
from covloss_fast.privacy.ledger import PrivacyLedger
from covloss_fast.privacy.mechanisms import NotPrivateWarning
from covloss_fast.records import partition
from covloss_fast.records.encoding import EncodingError
from covloss_fast.records.partition import equipartition
from covloss_fast.schema import Binary, Categorical, Numeric, Schema

__all__ = [
    "Binary",
    "Categorical",
    "EncodingError",
    "NotPrivateWarning",
    "Numeric",
    "PrivacyLedger",
    "Schema",
    "__version__",
    "equipartition",
    "partition",
    "show_config",
]
