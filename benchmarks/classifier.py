"""Train on synthetic records, test on real ones: how well income is predicted on the bundled Adult table.

    python benchmarks/classifier.py [--epsilon 1] [--seeds 5]

A gradient-boosted classifier of scikit-learn is trained on four fifths of the table, on a release made of
these, and on independent columns at the same budget; all are tested on the last fifth. Seeds are used so that
the figures can be repeated; the releases are not private.
"""

from __future__ import annotations

import argparse
import warnings
from importlib.resources import as_file, files

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import covloss_fast as cf

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


def main() -> None:
    """Print medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    table, schema = read()
    order = np.random.default_rng(0).permutation(len(table))
    cut = len(table) * 4 // 5
    train, test = table.iloc[order[:cut]], table.iloc[order[cut:]]
    share = max(test[TARGET].value_counts(normalize=True))
    print(f"the commonest answer  accuracy {share:.4f}  area 0.5")
    print("real records          accuracy {:.4f}  area {:.4f}".format(*score(train, test)))
    alone = {"one_way": 1.0, "scores": 0.0, "pairs": 0.0}
    for name, shares in (("release", None), ("independent columns", alone)):
        scores = []
        for seed in range(arguments.seeds):
            synth = cf.CovLossSynthesizer(
                schema, epsilon=arguments.epsilon, delta=arguments.delta, shares=shares, random_state=seed
            )
            made = synth.fit(train.reset_index(drop=True)).sample(as_="pandas")
            scores.append(score(made.astype({name: test[name].dtype for name in test.columns}), test))
        middle, spread = np.median(scores, axis=0), np.std(scores, axis=0)
        print(
            f"{name:20}  accuracy {middle[0]:.4f} +- {spread[0]:.4f}  area {middle[1]:.4f} +- {spread[1]:.4f}"
        )


if __name__ == "__main__":
    main()
