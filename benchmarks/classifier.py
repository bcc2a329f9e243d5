"""Train on synthetic records, test on real ones: how well income is predicted on the bundled Adult table.

    python benchmarks/classifier.py [--epsilon 1] [--seeds 5] [--peer mst] [--peer aim]

A gradient-boosted classifier of scikit-learn is trained on four fifths of the table, on a release made of
these, and on independent columns at the same budget; all are tested on the last fifth. Seeds are used so that
the figures can be repeated; the releases are not private. --peer adds a mechanism of smartnoise-synth (see
accuracy.py), which is given the same levels and bins; its numbers too are drawn uniformly from their bins.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from contextlib import redirect_stdout
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import pandas as pd
from accuracy import SMARTNOISE, fit_smartnoise
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import covloss_fast as cf
from covloss_fast.records.encoding import decode, encode

TARGET = "income"


def read() -> tuple[pd.DataFrame, cf.Schema]:
    """The bundled table and its schema."""
    folder = files("covloss_fast") / "data"
    with as_file(folder / "adult.csv.gz") as table, as_file(folder / "adult-schema.json") as schema:
        return pd.read_csv(table, keep_default_na=False, na_values=[""]), cf.Schema.load(schema)


def score(train: pd.DataFrame, test: pd.DataFrame) -> tuple[float, float]:
    """Accuracy and area under the ROC curve on the test records."""
    texts = [
        name for name in test.columns if not pd.api.types.is_numeric_dtype(test[name]) and name != TARGET
    ]
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    model = make_pipeline(
        make_column_transformer((encoder, texts), remainder="passthrough"),
        HistGradientBoostingClassifier(random_state=0),
    )
    richer = sorted(test[TARGET].unique())[-1]
    model.fit(train.drop(columns=TARGET), train[TARGET] == richer)
    chance = model.predict_proba(test.drop(columns=TARGET))[:, 1]
    truth = test[TARGET] == richer
    return accuracy_score(truth, chance > 0.5), roc_auc_score(truth, chance)


def release(train: pd.DataFrame, schema: cf.Schema, name: str, seed: int, budget: dict[str, float]) -> Any:
    """Synthetic records by a mechanism."""
    if name in SMARTNOISE:
        encoded = encode(train, schema)
        codes = np.stack([encoded.column_codes(j) for j in range(len(schema))], axis=1).astype(np.int64)
        with redirect_stdout(sys.stderr):
            made = fit_smartnoise(name, codes, **budget)
        return decode(made.T, schema, "pandas", np.random.default_rng(seed))
    shares = {"one_way": 1.0, "scores": 0.0, "pairs": 0.0} if name == "independent columns" else None
    synth = cf.CovLossSynthesizer(schema, **budget, shares=shares, random_state=seed)
    return synth.fit(train).sample(as_="pandas")


def main() -> None:
    """Print medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--peer", action="append", choices=SMARTNOISE, default=[])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    table, schema = read()
    order = np.random.default_rng(0).permutation(len(table))
    cut = len(table) * 4 // 5
    train, test = table.iloc[order[:cut]].reset_index(drop=True), table.iloc[order[cut:]]
    share = max(test[TARGET].value_counts(normalize=True))
    print(f"the commonest answer  accuracy {share:.4f}  area 0.5")
    print("real records          accuracy {:.4f}  area {:.4f}".format(*score(train, test)))
    budget = {"epsilon": arguments.epsilon, "delta": arguments.delta}
    for name in ("release", "independent columns", *arguments.peer):
        scores = []
        for seed in range(arguments.seeds):
            made = release(train, schema, name, seed, budget)
            scores.append(score(made.astype({name: test[name].dtype for name in test.columns}), test))
        middle, spread = np.median(scores, axis=0), np.std(scores, axis=0)
        figures = [f"{value:.4f} +- {deviation:.4f}" for value, deviation in zip(middle, spread)]
        print(f"{name:20}  accuracy {figures[0]}  area {figures[1]}", flush=True)


if __name__ == "__main__":
    main()
