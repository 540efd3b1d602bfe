"""Pictures, files and texts: what tf.image, tf.io and tf.strings give."""

from __future__ import annotations

from tfrewrite.kinds import FLOATS, UNKNOWN, Dim, Kind, Sort, tensor
from tfrewrite.ops.call import Call, Rule, as_tensor
from tfrewrite.ops.row import Op


def _input(call: Call, name: str = "x") -> Kind:
    kind = call[name]
    return as_tensor(kind) if kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY) else UNKNOWN


def _decoded(call: Call) -> Kind:
    channels = call["channels"].value if call.given("channels") else 0
    return tensor(call.dtype("dtype", "uint8"), (None, None, channels if type(channels) is int and channels > 0 else None))


def _any_picture(call: Call) -> Kind:
    """Animations have an axis more."""
    if call["expand_animations"].value is not False:
        return tensor(call.dtype("dtype", "uint8"))
    return _decoded(call)


def _resized(call: Call) -> Kind:
    """Pictures that have the size already stay as they are, of whatever dtype."""
    x = _input(call)
    dtype = "float32" if x.dtype == "float32" else None
    if not isinstance(x.shape, tuple) or len(x.shape) not in (3, 4):
        return tensor(dtype)
    items = call["size"].items
    plain = items is not None and len(items) == 2 and not call.given("preserve_aspect_ratio")
    size: tuple[Dim, ...] = tuple(one.value if type(one.value) is int else None for one in items or ()) if plain else (None, None)
    sides = x.shape[-3:-1]
    if dtype is None and not call.given("method") and all(isinstance(one, int) for one in (*size, *sides)) and size != sides:
        dtype = "float32"
    if call.given("method") and x.dtype != "float32":
        dtype = None
    return tensor(dtype, (*x.shape[:-3], *size, x.shape[-1]))


def _same(call: Call) -> Kind:
    x = _input(call)
    return tensor(x.dtype, x.shape if isinstance(x.shape, tuple) else None) if x.is_tensor else tensor()


def _converted(call: Call) -> Kind:
    x = _input(call)
    return tensor(call.dtype("dtype"), x.shape if isinstance(x.shape, tuple) else None)


def _standardized(call: Call) -> Kind:
    x = _input(call)
    dtype = None if x.dtype is None else x.dtype if x.dtype in FLOATS else "float32"
    return tensor(dtype, x.shape if isinstance(x.shape, tuple) else None)


def _channels(count: int) -> Rule:
    def rule(call: Call) -> Kind:
        x = _input(call)
        return tensor(x.dtype, (*x.shape[:-1], count) if isinstance(x.shape, tuple) and x.shape else None)

    return rule


def _cropped(call: Call) -> Kind:
    x = _input(call, "value")
    items = call["size"].items
    return tensor(x.dtype, tuple(one.value if type(one.value) is int else None for one in items) if items is not None else None)


def _box(call: Call) -> Kind:
    x = _input(call)
    size = tuple(call[name].value if type(call[name].value) is int else None for name in ("height", "width"))
    if not isinstance(x.shape, tuple) or len(x.shape) not in (3, 4):
        return tensor(x.dtype)
    return tensor(x.dtype, (*x.shape[:-3], *(one if isinstance(one, int) else None for one in size), x.shape[-1]))


def _content(call: Call) -> Kind:
    return tensor("string", ())


def _texts(call: Call) -> Kind:
    x = call["x"]
    shape = () if x.sort is Sort.TEXT else _input(call).shape
    return tensor("string", shape if isinstance(shape, tuple) else None)


def _numbers(default: str) -> Rule:
    def rule(call: Call) -> Kind:
        shape = () if call["x"].sort is Sort.TEXT else _input(call).shape
        return tensor(call.dtype("out_type", default), shape if isinstance(shape, tuple) else None)

    return rule


def _opaque(call: Call) -> Kind:
    return UNKNOWN


_OUT = "is_outside"
_RANDOM = "is_outside is_random"

ROWS = (
    Op("image.adjust_brightness", "x=image delta", _same, _OUT),
    Op("image.adjust_contrast", "x=images contrast_factor", _same, _OUT),
    Op("image.central_crop", "x=image central_fraction", _opaque, _OUT),
    Op("image.convert_image_dtype", "x=image dtype saturate", _converted, _OUT),
    Op("image.crop_to_bounding_box", "x=image top=offset_height left=offset_width height=target_height width=target_width", _box, _OUT),
    Op("image.flip_left_right", "x=image", _same, _OUT),
    Op("image.flip_up_down", "x=image", _same, _OUT),
    Op("image.grayscale_to_rgb", "x=images", _channels(3), _OUT),
    Op("image.per_image_standardization", "x=image", _standardized, _OUT),
    Op("image.random_brightness", "x=image max_delta seed", _same, _RANDOM),
    Op("image.random_contrast", "x=image lower upper seed", _same, _RANDOM),
    Op("image.random_crop", "value size seed", _cropped, _RANDOM),
    Op("image.random_flip_left_right", "x=image seed", _same, _RANDOM),
    Op("image.random_flip_up_down", "x=image seed", _same, _RANDOM),
    Op("image.random_hue", "x=image max_delta seed", _same, _RANDOM),
    Op("image.random_saturation", "x=image lower upper seed", _same, _RANDOM),
    Op("image.resize", "x=images size method preserve_aspect_ratio antialias", _resized, _OUT),
    Op("image.resize_with_crop_or_pad", "x=image height=target_height width=target_width", _box, _OUT),
    Op("image.rgb_to_grayscale", "x=images", _channels(1), _OUT),
    Op("image.rot90", "x=image k", _opaque, _OUT),
    Op("io.FixedLenFeature", "shape dtype default_value", _opaque, f"{_OUT} is_no_tensor"),
    Op("io.VarLenFeature", "dtype", _opaque, f"{_OUT} is_no_tensor"),
    Op("io.decode_csv", "records record_defaults", _opaque, f"{_OUT} is_no_tensor"),
    Op("io.decode_image", "contents channels dtype name expand_animations", _any_picture, _OUT),
    Op("io.decode_jpeg", "contents channels", _decoded, _OUT),
    Op("io.decode_png", "contents channels dtype", _decoded, _OUT),
    Op("io.decode_raw", "input_bytes out_type", _opaque, _OUT),
    Op("io.parse_single_example", "serialized features", _opaque, f"{_OUT} is_no_tensor"),
    Op("io.read_file", "filename", _content, _OUT),
    Op("strings.join", "inputs separator", _opaque, _OUT),
    Op("strings.length", "x=input unit", _numbers("int32"), _OUT),
    Op("strings.lower", "x=input encoding", _texts, _OUT),
    Op("strings.reduce_join", "inputs axis", _opaque, _OUT),
    Op("strings.regex_replace", "x=input pattern rewrite", _texts, _OUT),
    Op("strings.split", "input sep", _opaque, f"{_OUT} is_no_tensor"),
    Op("strings.strip", "x=input", _texts, _OUT),
    Op("strings.substr", "x=input pos len", _opaque, _OUT),
    Op("strings.to_number", "x=input out_type", _numbers("float32"), _OUT),
    Op("strings.unicode_split", "input input_encoding", _opaque, f"{_OUT} is_no_tensor"),
    Op("strings.upper", "x=input encoding", _texts, _OUT),
)
