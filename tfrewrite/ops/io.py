"""Datasets."""

from __future__ import annotations

from tfrewrite.kinds import Kind, Sort, tensor
from tfrewrite.ops.call import Call
from tfrewrite.ops.row import Op
from tfrewrite.ops.rules import component, row_of


def _dataset_range(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=tensor("int64", ()))


def _dataset_slices(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=row_of(call["x"]))


def _dataset_whole(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=component(call["x"]))


ROWS = (
    Op("data.Dataset.from_tensor_slices", "x=tensors", _dataset_slices, "may_share is_no_tensor"),
    Op("data.Dataset.from_tensors", "x=tensors", _dataset_whole, "may_share is_no_tensor"),
    Op("data.Dataset.range", "start", _dataset_range, "may_share is_no_tensor"),
)
