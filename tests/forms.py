"""How operations of `tfrewrite/ops/` are called in the tests that hold it to the truth, for those whose parameters don't tell.

`CALLS` are arguments of the names of `test_facts.py`, `{x}` and `{y}` each of them; `EXPRESSIONS` are calls of `F`, the function,
with the tensors of `compiled_function.py`.
"""

from __future__ import annotations

_SCATTERED = (
    "{x}, [[0]], {y}",
    "{x}, [[0]], {x}[:1]",
    "{x}, [[1], [0]], {x}",
    "{x}, [[1, 0]], [7]",
    "wide, indices=[[0, 1]], updates=[5.]",
    "tensor=wide, indices=[[1]], updates=wide[:1]",
    "list, [[0]], float64[0][:1]",
    "narrow, [[0]], float64[0][:1]",
    "large, [[0], [0]], large",
)
_SEGMENTS = ("{x}, [0, 1]", "{x}, [1, 1]", "{x}, [0, 0, 2]", "{x}, int32", "data=wide, segment_ids=[0, 0]", "wide, [0, 3]", "large, [0, 0]")
_UNSORTED = (
    "{x}, [1, 0], 2",
    "{x}, [1, -1], 3",
    "{x}, [[0, 0], [1, 1]], number",
    "{x}, int32, tf.constant(3)",
    "data=wide, segment_ids=[0, 0], num_segments=4",
    "scalar, 1, 3",
)

CALLS: dict[str, tuple[str, ...]] = {
    "rank": ("{x}", "input=wide", "tensor"),
    "gather_nd": (
        "{x}, [0]",
        "{x}, [[0]]",
        "{x}, [[1, 0]]",
        "{x}, [[[1, 0]], [[0, 1]]]",
        "{x}, int32",
        "{x}, int64",
        "{x}, {y}",
        "wide, [[0], [1]], 1",
        "wide, [[0], [1]], batch_dims=1",
        "wide, [[1]], batch_dims=number - 2",
        "params=wide, indices=[[0, 2]]",
        "cube, tf.zeros([3, 0], tf.int32)",
        "infinite, [[0]]",
    ),
    "pad": (
        "{x}, [[1, 2]]",
        "{x}, [[0, 1], [2, 0]]",
        "{x}, [[0, 0], (number, 1)]",
        "{x}, tf.constant([[1, 1]])",
        "{x}, [[1, 1]], constant_values=3",
        "{x}, paddings=[[0, 0], [1, 1], [0, 0]]",
        "{x}, [[1, 1], [1, 1]], 'REFLECT'",
        "{x}, [[1, 1]], 'SYMMETRIC'",
        "{x}, []",
        "tensor=wide, paddings=[[0, 1], [1, 0]], mode='CONSTANT'",
        "vector, [[1, 1]], constant_values=float('inf')",
        "vector, [(0, tf.constant(1))]",
        "vector, [tf.constant([1, 2])]",
        "[wide, wide], [[0, 0], [0, 0], [1, 0]]",
    ),
    "slice": (
        "{x}, [0], [1]",
        "{x}, [1], [-1]",
        "{x}, [0, 0], [-1, 1]",
        "{x}, [0, 1], [number, -1]",
        "{x}, begin=[1, 0], size=[1, 2]",
        "{x}, [0, 0, 0], [1, 1, -1]",
        "{x}, [tf.constant(0)], [tf.constant(1)]",
        "{x}, tf.constant([0, 1]), tf.constant([-1, 1])",
        "{x}, tf.constant([0, 1]), [-1, minus]",
        "{x}, [], []",
        "input_=wide, begin=(0, 0), size=(minus, 2)",
        "wide, [0, minus + 1], wide.shape",
        "wide, [0, 0], tf.shape(wide)",
        "wide, [0, 0], [-1, tf.shape(wide)[1]]",
    ),
    "boolean_mask": (
        "{x}, [True, False]",
        "{x}, [True, False, True]",
        "{x}, [[True, False], [False, True]]",
        "{x}, bool",
        "{x}, {x} == {x}",
        "{x}, [True, False], axis=0",
        "{x}, [True, False, True], 1",
        "{x}, [True, False, True], axis=-1",
        "{x}, mask=bool, axis=None",
        "tensor=cube, mask=[True], axis=1",
        "cube, [[True, True]], axis=1",
    ),
    "tensor_scatter_nd_update": _SCATTERED,
    **{f"tensor_scatter_nd_{name}": _SCATTERED for name in ("add", "sub", "max", "min")},
    "scatter_nd": (
        "[[0], [1]], {x}, [2]",
        "[[0]], {x}, [3]",
        "[[0], [0]], {x}, [3, 2]",
        "[[1]], {x}[:1], (2, 3)",
        "[[1, 0]], {x}[0], wide.shape",
        "[[0]], [5.], tf.constant([number])",
        "int32[:, None], vector, [number + 1]",
        "indices=[[1]], updates=[2], shape=[4]",
        "tf.constant([[0]]), [1.], tf.shape(vector)",
    ),
    "nn.top_k": (
        "{x}",
        "{x}, 2",
        "{x}, k=number",
        "{x}, 0",
        "{x}, tf.constant(1)",
        "{x}, 1, False",
        "input=wide, k=2, index_type=tf.int64",
        "wide, int32[0]",
        "wide, 1, True, tf.int16",
    ),
    "argsort": ("{x}", "{x}, 0", "{x}, axis=-1", "{x}, 1", "{x}, direction='DESCENDING'", "values=wide, axis=number - 2", "wide, 0, stable=True"),
    "searchsorted": (
        "{x}, {y}",
        "vector, {x}",
        "{x}, {x}, 'right'",
        "float64, float64, out_type=tf.int64",
        "sorted_sequence=vector, values=[1., 9.]",
        "vector, vector, side='left', out_type='int64'",
    ),
    "meshgrid": (
        "{x}, {y}",
        "{x}",
        "vector, {x}, vector",
        "vector, [1., 2.], indexing='ij'",
        "tf.range(3), tf.range(number)",
        "1, 2",
        "vector, 1.5, indexing='xy'",
        "*tensors",
        "vector, *tensors",
        *(", ".join(["vector[:2]"] * n) for n in (4, 5, 6, 7)),
    ),
    "linspace": (
        "{x}, {y}, 3",
        "{x}, 9, number",
        "0., 1., 5",
        "0, 10, 3",
        "scalar, 2., num=4",
        "start=0., stop=1., num=1",
        "0., 1., tf.constant(4)",
        "0., scalar, 0",
        "vector, vector, 3, axis=-1",
        "vector, vector, 3, 'n', 1",
        "float64[0, 0], 1., 3",
    ),
    "sequence_mask": (
        *(f"{x}{more}" for x in ("int32", "int64", "number", "integers", "nested", "counter", "vector") for more in ("", ", 4", ", None, tf.float32", ", number")),
        "lengths=[1, 2], maxlen=3",
        "3, tf.constant(5)",
        "3, -1",
        "int32, 3, dtype=int32.dtype",
    ),
    **{f"math.segment_{name}": _SEGMENTS for name in ("sum", "mean", "max", "min", "prod")},
    **{f"math.unsorted_segment_{name}": _UNSORTED for name in ("sum", "mean", "max", "min", "prod")},
    "math.count_nonzero": ("{x}", "{x}, 0", "{x}, axis=[-1]", "{x}, 0, True", "{x}, keepdims=True", "{x}, dtype=tf.int32", "input=wide, axis=1, keepdims=None", "wide, None, yes"),
    "unique": ("{x}", "{x}, tf.int64", "x=int32, out_idx='int64'"),
    "bitcast": ("{x}, tf.int32", "{x}, tf.float64", "{x}, 'uint8'", "{x}, type=tf.int64", "input=wide, type=tf.uint32", "tf.zeros([2, 2], tf.int32), tf.int64"),
    "complex": ("{x}, {y}", "real=wide, imag=vector", "scalar, 2.", "2., scalar", "1., 2."),
    **{f"math.{name}": ("{x}", "input=complex64") for name in ("real", "imag", "angle")},
}  # fmt: skip

CALLS |= {
    "linalg.matvec": ("{x}, {y}", "{x}, vector, True", "wide, vector[:2], transpose_a=True", "a=wide, b=vector", "wide, vector[:2], adjoint_a=yes", "tf.ones([5, 2, 3]), vector", "tf.ones([2, 3]), tf.ones([4, 3])", "wide, [1., 2., 3.]", "tf.ones([4, 1, 2, 3]), tf.ones([5, 3])"),
    "tensordot": ("{x}, {y}, 1", "{x}, {y}, 0", "{x}, {x}, [[0], [0]]", "{x}, {x}, [[-1], [1]]", "{x}, {x}, 2", "wide, wide, axes=[[0, 1], [0, 1]]", "wide, wide, axes=[0, 0]", "wide, wide, axes=(1, 1)", "wide, vector, [[1], [0]]", "wide, vector, number - 1", "a=wide, b=vector, axes=tf.constant(1)", "tf.ones([2, 3, 4]), wide, [[0, 1], [0, 1]]", "cube, 2., 0", "wide, wide, [[], []]"),
    "einsum": ("'ij,jk->ik', {x}, {y}", "'ij->i', {x}", "'i,i->', {x}, {y}", "'i->', {x}", "'ij,j', wide, vector", "'...j,j->...', wide, vector", "'i j, j -> i', wide, vector", "'ij,j->ji', wide, vector", "'ii->i', float32", "'ij,ij->', tf.ones([1, 3]), wide", "'i,j,k->ijk', vector, vector, [1., 2.]", "'abc,cd->abd', cube, tf.ones([2, 5], tf.float16)", "'i,i->i', [1., 2.], float64[0]", "'ij->ji', wide, name='n'", "'a,b,c,d,e,f->', *([vector] * 6)", "equation, wide"),
    **{f"linalg.{name}": ("{x}, {y}", "{x}, {x}", "{x}, tf.ones([2, 5])", "float64, [[1.], [2.]]", "[[1., 2.], [3., 5.]], float32", "np.eye(2), float32", "tf.eye(2, batch_shape=[3]), tf.ones([3, 2, 1])", "tf.eye(2), tf.ones([3, 2, 1])", "tf.eye(2, batch_shape=[3]), tf.ones([2, 1])", f"{key}=float64, rhs=float64") for name, key in (("solve", "matrix"), ("triangular_solve", "matrix"), ("cholesky_solve", "chol"))},
    "linalg.det": ("{x}", "input=float64", "tf.ones([5, 2, 2])"),
    "linalg.logdet": ("{x}", "matrix=float64", "tf.eye(2, batch_shape=[5])", "matrices @ tf.linalg.adjoint(matrices)"),
    "linalg.adjoint": ("{x}", "matrix=wide"),
    "linalg.eigh": ("{x}", "tensor=float64", "tf.eye(2, batch_shape=[5])"),
    "linalg.set_diag": ("{x}, {y}", "{x}, [5., 6.]", "{x}, {x}[0]", "input=wide, diagonal=vector[:2]", "wide, vector[:2], k=1", "list, vector", "nested, uint8", "np.ones([2, 2]), vector[:2]"),
    "norm": ("{x}", "{x}, 1", "{x}, axis=0", "{x}, axis=-1, keepdims=True", "{x}, 2, 0", "{x}, 'fro', [0, 1]", "{x}, axis=(-2, -1)", "tensor=wide, ord=np.inf, axis=None", "wide, keepdims=True", "wide, keepdims=None", "wide, 2, axis=[0, 1], keepdims=True"),
    "linalg.normalize": ("{x}", "{x}, 1", "{x}, axis=0", "{x}, axis=[-1]", "tensor=wide, ord=1, axis=1", "wide, 'euclidean', None"),
    "linalg.global_norm": ("[{x}]", "[{x}, {y}]", "[wide, None]", "tensors", "(wide, vector)", "t_list=[wide]", "[None]", "[]"),
    "clip_by_norm": ("{x}, 2.", "{x}, {y}", "{x}, 2., 0", "{x}, 2., axes=[-1]", "t=wide, clip_norm=1", "tf.IndexedSlices(wide, [0, 1]), 1.", "wide, tf.ones([2, 1]), [1]"),
    "clip_by_global_norm": ("[{x}], 2.", "[{x}, {y}], 2.", "[wide, None], 1.", "tensors, scalar", "(wide, vector), 1., scalar", "t_list=[wide], clip_norm=1.", "[None], 1.", "[tf.IndexedSlices(wide, [0, 1])], 1."),
    "nn.l2_loss": ("{x}", "t=wide"),
}  # fmt: skip


_IMAGE = "tf.ones([2, 5, 4, 3])"
_POOLS = (
    f"{_IMAGE}, 2, 2, 'SAME'",
    f"{_IMAGE}, 2, 1, 'VALID'",
    f"{_IMAGE}, [2, 3], [1, 2], padding='VALID'",
    f"{_IMAGE}, [1, 2, 2, 1], [1, 3, 3, 1], 'SAME'",
    f"{_IMAGE}, [1, 2, 2, 1], 1, 'VALID', 'NHWC'",
    f"{_IMAGE}, (3,), strides=number, padding='VALID'",
    f"{_IMAGE}, 1, 1, 'VALID'",
    f"{_IMAGE}, 9, 1, 'VALID'",
    f"input={_IMAGE}, ksize=2, strides=2, padding='SAME', data_format='NHWC'",
    "tf.ones([2, 5, 4, 3], tf.float16), 2, 3, 'VALID'",
    f"{_IMAGE}, 2, 2, [[0, 0], [1, 1], [0, 1], [0, 0]]",
    "{x}, 2, 2, 'SAME'",
)
CALLS |= {
    "nn.bias_add": ("{x}, {y}", "{x}, [1., 2.]", "value=wide, bias=vector", "tf.ones([2, 5, 4, 3]), vector", "tf.ones([2, 3, 4]), vector, 'NCHW'"),
    "nn.conv1d": ("tf.ones([2, 7, 3]), tf.ones([2, 3, 5]), 1, 'SAME'", "tf.ones([2, 7, 3]), tf.ones([2, 3, 5]), 2, 'VALID'", "tf.ones([2, 7, 3]), tf.ones([1, 3, 5]), stride=[1], padding='VALID'", "tf.ones([2, 7, 3]), tf.ones([2, 3, 5]), 3, 'SAME', 'NWC'", "tf.ones([2, 7, 3]), tf.ones([2, 3, 5]), 1, 'VALID', dilations=2", "tf.ones([1, 2, 7, 3]), tf.ones([2, 3, 5]), 1, 'SAME'", "input=tf.ones([2, 7, 3]), filters=tf.ones([2, 3, 5]), stride=number, padding='SAME'", "np.ones([2, 7, 3]), tf.ones([2, 3, 5]), 1, 'SAME'", "tf.ones([2, 3, 3]), tf.ones([5, 3, 2]), 1, 'VALID'", "tf.ones([2, 7, 4]), tf.ones([2, 2, 6]), 1, 'SAME'"),
    "nn.conv2d": (f"{_IMAGE}, tf.ones([2, 3, 3, 6]), 1, 'SAME'", f"{_IMAGE}, tf.ones([2, 3, 3, 6]), [2, 1], 'VALID'", f"{_IMAGE}, tf.ones([1, 1, 3, 6]), [1, 1, 1, 1], 'VALID'", f"{_IMAGE}, tf.ones([2, 3, 3, 6]), (1, 2, 3, 1), padding='SAME'", f"{_IMAGE}, tf.ones([2, 2, 3, 6]), 1, 'VALID', 'NHWC', 2", f"{_IMAGE}, tf.ones([2, 2, 3, 6]), 1, 'VALID', dilations=1", f"{_IMAGE}, tf.ones([2, 2, 3, 6]), 1, [[0, 0], [1, 1], [1, 0], [0, 0]]", f"input={_IMAGE}, filters=tf.ones([2, 2, 3, 6]), strides=number, padding='VALID', name='n'", "tf.ones([3, 2, 5, 4, 3]), tf.ones([2, 2, 3, 6]), 1, 'SAME'", "tf.ones([2, 5, 4, 3], tf.float64), np.ones([2, 2, 3, 6]), 1, 'SAME'", "np.ones([2, 5, 4, 3]), tf.ones([2, 2, 3, 6]), 1, 'SAME'", f"{_IMAGE}, tf.ones([2, 3, 3, 6]), strides=[[2]], padding='VALID'"),
    **{f"nn.{name}": _POOLS for name in ("max_pool", "max_pool2d", "avg_pool", "avg_pool2d")},
    "nn.softmax_cross_entropy_with_logits": ("{x}, {y}", "labels=wide, logits={x}", "labels={x}, logits=wide, axis=0", "wide, wide, 1", "cube, cube, axis=-2", "tf.ones([1, 3]), wide", "wide, vector"),
    "nn.sparse_softmax_cross_entropy_with_logits": ("{x}, {y}", "labels={x}, logits=wide", "labels=[1, 0], logits={x}", "0, vector", "[[0], [1]], cube", "uint8, wide"),
    "nn.sigmoid_cross_entropy_with_logits": ("{x}, {y}", "labels={x}, logits={x}", "logits=wide, labels=wide", "logits={x}, labels=wide"),
    "nn.moments": ("{x}, 0", "{x}, [0]", "{x}, axes=[-1]", "{x}, [0, 1], keepdims=True", "{x}, None", "wide, (0, 1), None, yes", "wide, [1], vector[:2, None]", "wide, [1], shift=None, keepdims=False", "cube, [0, 1, 2]"),
    "nn.batch_normalization": ("{x}, {y}, 1., None, None, 1e-3", "{x}, 0., 1., 0., 1., 1e-3", "wide, vector, vector, vector, vector, 1e-3", "wide, tf.ones([2, 1]), tf.ones([2, 1]), None, vector, 1e-3", "x=wide, mean=0., variance=vector, offset=None, scale=None, variance_epsilon=0.1", "vector, wide, wide, None, None, 0.", "wide, vector, vector, wide[None], None, 1e-3"),
    "nn.dropout": ("{x}, 0.5", "{x}, 0.", "x=wide, rate=scalar - 3.", "wide, 0.5, [2, 1]", "wide, rate=0.2, noise_shape=None, seed=1", "wide, 0.5, [4, 2, 3]"),
}  # fmt: skip


_SCATTER_EXPRESSIONS = (
    "F(x, [[0]], x[:1])",
    "F(x, [[1], [0]], x[:2])",
    "F(x, [[1], [1]], x[:2])",
    "F(x, [[1, 0]], x[0, :1])",
    "F(x, [[9]], x[:1])",
)
_SEGMENT_EXPRESSIONS = ("F(x, [0, 1])", "F(x, [0, 0, 0, 2, 2, 2])", "F(x, [1, 0])", "F(x, [-1, 0])")
_UNSORTED_EXPRESSIONS = ("F(x, [1, 0], 2)", "F(x, [0, 2, 0, 2, 0, -1], 3)", "F(x, [[0, 0, 0], [1, 1, 1]], 2)", "F(x, [0, 5], 2)")

EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "rank": ("F(x)",),
    "gather_nd": ("F(x, [[0]])", "F(x, [[1], [0]])", "F(x, [[1, 2]])", "F(x, [[0], [1]], 1)", "F(x, [[9]])", "F(x, [-1])"),
    "pad": ("F(x, [[1, 2]])", "F(x, [[0, 1], [2, 0]])", "F(x, [[0, 0], [1, 1]], 'REFLECT')", "F(x, [[1, 1]], 'SYMMETRIC')", "F(x, [[1, 1]], constant_values=3)", "F(x, [])"),
    "slice": ("F(x, [0], [2])", "F(x, [1], [-1])", "F(x, [0, 1], [-1, 2])", "F(x, [], [])", "F(x, [5], [3])"),
    "boolean_mask": ("F(x, [True, False])", "F(x, x > 0)", "F(x, [True, False, True], axis=1)"),
    "tensor_scatter_nd_update": _SCATTER_EXPRESSIONS,
    **{f"tensor_scatter_nd_{name}": _SCATTER_EXPRESSIONS for name in ("add", "sub", "max", "min")},
    "scatter_nd": ("F([[1]], x[:1], [3])", "F([[0], [0]], x[:2], [2])", "F([[1], [0]], x, [2, 3])", "F([[9]], x[:1], [3])"),
    "nn.top_k": ("F(x)", "F(x, 2)", "F(x, 3, False)", "F(x, 0)"),
    "argsort": ("F(x)", "F(x, 0)", "F(x, direction='DESCENDING')", "F(x, stable=True)"),
    "searchsorted": ("F(tf.sort(x), x)", "F(x, x)", "F(tf.sort(x), x, 'right')", "F(tf.sort(x), x, out_type=tf.int64)"),
    "meshgrid": ("F(x)", "F(x, x)", "F(x, 2 * x, indexing='ij')"),
    "linspace": ("F(0.0, 1.0, 5)", "F(0, 10, 4)", "F(x, x, 3)", "F(x, 2 * x, 4)", "F(x, x, 3, axis=-1)"),
    "sequence_mask": ("F([1, 3, 0])", "F([1, 3, 0], 5)", "F(x, 4)", "F([2, 1], 3, x.dtype)"),
    **{f"math.segment_{name}": _SEGMENT_EXPRESSIONS for name in ("sum", "mean", "max", "min", "prod")},
    **{f"math.unsorted_segment_{name}": _UNSORTED_EXPRESSIONS for name in ("sum", "mean", "max", "min", "prod")},
    "math.count_nonzero": ("F(x)", "F(x, 0)", "F(x, -1, True)", "F(x, dtype=tf.int32)"),
    "unique": ("F(x)", "F(x, tf.int64)"),
    "bitcast": ("F(x, tf.int32)", "F(x, tf.float64)", "F(x, tf.uint8)", "F(x, x.dtype)"),
    "complex": ("F(x, x)", "F(x, 2 * x)", "F(1.0, 2.0)"),
    "math.real": ("F(x)",),
    "math.imag": ("F(x)",),
    "math.angle": ("F(x)",),
}  # fmt: skip

_SOLUTIONS = ("F(x, x)", "F(x, x[..., :1])", "F(x, tf.linalg.adjoint(x))")
EXPRESSIONS |= {
    "linalg.matvec": ("F(x, x[0])", "F(x, x[:, 0], True)", "F(x, [1, 2, 3])"),
    "tensordot": ("F(x, x, 1)", "F(x, x, 0)", "F(x, x, [[0], [0]])", "F(x, x, [[0, 1], [0, 1]])", "F(x, x[0], [[-1], [0]])"),
    "einsum": ("F('ij,kj->ik', x, x)", "F('ij->i', x)", "F('i,i->', x, x)", "F('i,j->ij', x, x)", "F('ij->ji', x)", "F('...j,...j->...', x, x)"),
    **{f"linalg.{name}": _SOLUTIONS for name in ("solve", "triangular_solve", "cholesky_solve")},
    **{f"linalg.{name}": ("F(x)",) for name in ("det", "logdet", "adjoint", "eigh")},
    "linalg.set_diag": ("F(x, x[..., 0])", "F(x, x[..., 0, :])", "F(x, [1, 2, 3])"),
    # Another order is refused as it is written.
    "norm": ("F(x)", "F(x, axis=0)", "F(x, axis=-1, keepdims=True)", "F(x, axis=[0, 1])"),
    "linalg.normalize": ("F(x)", "F(x, axis=0)", "F(x, axis=-1)"),
    "linalg.global_norm": ("F([x])", "F([x, x, None])"),
    "clip_by_norm": ("F(x, 2.0)", "F(x, 0.1)", "F(x, 2.0, 0)", "F(x, 0.0)"),
    "clip_by_global_norm": ("F([x], 2.0)", "F([x, x], 0.1)", "F([x, None], 0.5)"),
    "nn.l2_loss": ("F(x)",),
}  # fmt: skip

_IMAGES = "tf.reshape(tf.range(90.0) - tf.cast(x[0], tf.float32), [2, 5, 3, 3])"
_FILTERS = "tf.reshape(tf.range(24.0) - 7.0, [2, 2, 3, 2])"
_POOLED = tuple(f"F({_IMAGES}, {more})" for more in ("2, 2, 'SAME'", "2, 1, 'VALID'", "[1, 3, 2, 1], 2, 'VALID'")) + (
    "F(x[None, None], [1, 2], 1, 'SAME')",
    "F(tf.reshape(x, [1, 2, 3, 1]), 2, 1, 'SAME')",
)
_CROSS = ("F(x, x)", "F(tf.ones_like(x), x)", "F(tf.nn.softmax(x), x)")
EXPRESSIONS |= {
    "nn.bias_add": ("F(x, x[0])", "F(x, x[:3])"),
    "nn.conv1d": ("F(tf.reshape(x, [1, 6, 1]), tf.reshape(x[:2], [2, 1, 1]), 1, 'SAME')", "F(tf.reshape(x, [1, 3, 2]), tf.reshape(x, [3, 2, 1]), 1, 'VALID')",
        "F(tf.reshape(x, [1, 6, 1]), tf.reshape(x, [6, 1, 1]), 1, 'SAME')"),
    "nn.conv2d": (f"F({_IMAGES}, {_FILTERS}, 1, 'SAME')", f"F({_IMAGES}, {_FILTERS}, 2, 'VALID')", f"F({_IMAGES}, {_FILTERS}, 1, 'VALID', dilations=2)", "F(tf.reshape(x, [1, 3, 2, 1]), tf.reshape(x, [2, 3, 1, 1]), 1, 'SAME')"),
    **{f"nn.{name}": _POOLED for name in ("max_pool", "max_pool2d", "avg_pool", "avg_pool2d")},
    "nn.softmax_cross_entropy_with_logits": (*_CROSS, "F(x, x, axis=0)"),
    "nn.sparse_softmax_cross_entropy_with_logits": ("F([0, 1], x)", "F([2], x[:1])", "F([7, 0], x)", "F(0, x)", "F([-1, 0], x)"),
    "nn.sigmoid_cross_entropy_with_logits": _CROSS,
    "nn.moments": ("F(x, 0)", "F(x, [-1])", "F(x, [0, 1], keepdims=True)", "F(x, None)"),
    "nn.batch_normalization": ("F(x, x, 1.0, None, None, 0.1)", "F(x, 0.0, 2.0, x, x, 0.1)", "F(x, x[0], x[0] * x[0], None, x[0], 0.1)"),
}  # fmt: skip
