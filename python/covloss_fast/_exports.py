"""The public names of the package, in one place. `covloss_fast` imports them when the first is asked for."""

from covloss_fast import adapters, plots, reference
from covloss_fast._config import __version__, show_config
from covloss_fast._files import VersionError
from covloss_fast.convex_sets import Box, Product, Projection, Simplex, UnitBall
from covloss_fast.estimates import MarginalEstimate
from covloss_fast.estimator import NotFittedError
from covloss_fast.metrics import (
    CovarianceLoss,
    MarginalError,
    attribute_tv,
    covariance_loss,
    marginal_error,
)
from covloss_fast.microaggregation import Microaggregator
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.certificate import Certificate
from covloss_fast.privacy.ledger import BudgetExceededError, PrivacyLedger
from covloss_fast.privacy.ledger_file import LedgerFile
from covloss_fast.privacy.mechanisms import NotPrivateWarning
from covloss_fast.records import partition, statistics
from covloss_fast.records.batches import Batches
from covloss_fast.records.encoding import EncodingError
from covloss_fast.records.partition import equipartition
from covloss_fast.records.queries import TableChangedError
from covloss_fast.schema import Binary, Categorical, Numeric, OneHot, Schema
from covloss_fast.schema_fields import SchemaError
from covloss_fast.synthesizer import CovLossSynthesizer, load
from covloss_fast.vector_synthesizer import VectorSynthesizer

__all__ = [
    "Batches",
    "Binary",
    "Box",
    "Budget",
    "BudgetExceededError",
    "Categorical",
    "Certificate",
    "CovLossSynthesizer",
    "CovarianceLoss",
    "EncodingError",
    "LedgerFile",
    "MarginalError",
    "MarginalEstimate",
    "Microaggregator",
    "NotFittedError",
    "NotPrivateWarning",
    "Numeric",
    "OneHot",
    "PrivacyLedger",
    "Product",
    "Projection",
    "Schema",
    "SchemaError",
    "Simplex",
    "TableChangedError",
    "UnitBall",
    "VectorSynthesizer",
    "VersionError",
    "__version__",
    "adapters",
    "attribute_tv",
    "covariance_loss",
    "equipartition",
    "load",
    "marginal_error",
    "partition",
    "plots",
    "reference",
    "show_config",
    "statistics",
]
