from . import bits as bits
from . import config as config
from . import microaggregation as microaggregation
from . import noise as noise
from . import partition as partition
from . import restoration as restoration
from . import rounding as rounding
from . import vectors as vectors
