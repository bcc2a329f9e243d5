"""Rooms that may see records: tables, their encoding, exact statistics, partitions."""

from covloss_fast.records.dictionaries import draft_from_dictionary
from covloss_fast.records.drafting import draft_schema
from covloss_fast.records.encoding import validate
from covloss_fast.schema import Schema

Schema._validate_table = validate
Schema._draft_from_table = draft_schema
Schema._draft_from_dictionary = draft_from_dictionary
