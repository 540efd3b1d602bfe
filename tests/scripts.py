"""Scripts that look at what surrounds them: none may notice that it is recorded."""

from __future__ import annotations

SCRIPTS = {
    "file and arguments": r"""
import argparse, os, sys
here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=2)
def read(name):
    with open(os.path.join(here, name)) as file:
        return file.read()
print(read("data.txt"), sys.argv[1:], parser.parse_args().steps, parser.prog, os.path.basename(__file__), __name__, __spec__, __package__)
print(sys.path[0] == here, sys.modules["__main__"].__file__ == __file__, type(__loader__).__name__, os.getcwd() == here)
""",
    "another folder": r"""
import os, tempfile
def change(path):
    os.chdir(path)
    return os.getcwd() == os.path.realpath(path)
with tempfile.TemporaryDirectory() as folder:
    print(change(folder))
    open("made", "w").close()
    print(os.listdir("."))
    os.chdir("/")
""",
    "a forked pool": r"""
import multiprocessing
def square(x):
    print("squares", x, flush=True) if x == 2 else None
    return x * x
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(square, range(5)))
""",
    "a spawned pool": r"""
import multiprocessing
def square(x):
    return x * x
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(square, range(5)))
""",
    "a fork": r"""
import os, sys
def work(x):
    return x + 1
pid = os.fork()
if not pid:
    print("child", work(1))
    sys.exit(5)
print("parent", work(2), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""",
    "threads": r"""
import threading
total = []
def work(x):
    total.append(x)
    return x
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
    thread.join()
late = threading.Thread(target=lambda: print("late", work(9)))
late.start()
late.join()
print(total)
threading.Timer(0.2, lambda: print("last", work(10))).start()
""",
    "exit handlers": r"""
import atexit
def bye(x):
    print("bye", x)
atexit.register(bye, 1)
atexit.register(bye, 2)
""",
    "exit code": r"""
import sys
def leave(code):
    sys.exit(code)
leave(3)
""",
    "exit zero": r"""
import sys
def leave(code):
    print("leaving")
    sys.exit(code)
leave(0)
""",
    "exit message": r"""
import sys
def leave(code):
    sys.exit("no " + code)
leave("way")
""",
    "uncaught": r"""
def fail(x):
    print("fails")
    raise ValueError(x)
fail(2)
""",
    "input": r"""
def ask():
    try:
        return input("name? ")
    except EOFError:
        return "nobody"
print(ask())
""",
    "logging": r"""
import logging, sys, warnings
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s %(funcName)s %(lineno)d")
def work(x):
    logging.info("works %s", x)
    logging.getLogger(__name__).warning("careful")
    warnings.warn("old")
    return x
work(1)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    work(2)
print([str(one.message) for one in caught], caught[0].filename == __file__, caught[0].lineno)
""",
    "a progress bar": r"""
import sys, time
def bar(n):
    for i in range(n):
        sys.stderr.write(f"\r{i}/{n} {time.time()}")
        sys.stdout.write(f"\r{i}/{n}")
    print(sys.stdout.encoding, sys.stdout.isatty(), sys.stderr.isatty(), sys.stdout.errors)
    sys.stdout.buffer.write(b"")
bar(3)
""",
    "main only": r"""
def work():
    return 1
if __name__ == "__main__":
    print(work())
""",
    "datasets": r"""
import tensorflow as tf
def prepare(x):
    return x * 2
def total(data):
    return tf.add_n([x for x in data])
data = tf.data.Dataset.range(6).map(prepare).batch(2)
print(total(data).numpy())
print(list(tf.data.Dataset.from_generator(lambda: iter(range(3)), tf.int32).as_numpy_iterator()))
""",
    "keras": r"""
import numpy as np
import tensorflow as tf
tf.keras.utils.set_random_seed(3)
class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)
        self.drop = tf.keras.layers.Dropout(0.5)
    def call(self, x, training=False):
        return self.drop(self.dense(x), training=training)
def loss(y, p):
    return tf.reduce_mean(tf.square(y - p))
model = Model()
model.compile("adam", loss)
x, y = np.random.rand(8, 3).astype("float32"), np.random.rand(8, 2).astype("float32")
history = model.fit(x, y, epochs=2, batch_size=4, verbose=0)
print(["%.5f" % one for one in history.history["loss"]])
""",
    "py_function": r"""
import tensorflow as tf
seen = []
def host(x):
    seen.append(float(x))
    return x + 1
@tf.function
def step(x):
    tf.print("step", x)
    return tf.py_function(host, [x], tf.float32) + tf.numpy_function(lambda a: a, [x], tf.float32)
print(step(tf.constant(1.0)).numpy(), step(tf.constant(2.0)).numpy(), seen)
""",
    "global state": r"""
import tensorflow as tf
count = 0
cache = {}
v = tf.Variable(1.0)
def bump(x):
    global count
    count += 1
    cache[x] = count
    v.assign_add(x)
    return v.read_value()
for i in range(3):
    bump(float(i))
print(count, cache, v.numpy())
""",
    "pickles": r"""
import copy, dataclasses, pickle, typing, enum
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: "typing.Optional[int]" = None
    def moved(self, d: int) -> "Point":
        return dataclasses.replace(self, x=self.x + d)
class Kind(enum.Enum):
    ONE = 1
class Pair(typing.NamedTuple):
    a: int
def copied(value):
    return pickle.loads(pickle.dumps(value))
print(copied(Point(1).moved(2)), copied(Kind.ONE), copied(Pair(2)), copied(copied) is copied, copy.deepcopy(Point(4)))
""",
    "type hints": r'''
from __future__ import annotations
import inspect, typing
import tensorflow as tf
def work(x: tf.Tensor, n: int = 2, *rest: float, key: str | None = None, **more: list[int]) -> tf.Tensor:
    """Works."""
    return x * n
print(sorted(typing.get_type_hints(work)), inspect.signature(work), work.__doc__, work.__name__, work.__module__)
print(inspect.getsource(work), work.__code__.co_varnames, work.__defaults__, work.__kwdefaults__)
work(tf.ones(2), 3, 1.0, key="k", more=[1])
''',
    "decorators": r"""
import functools, contextlib
def counted(times):
    calls = []
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            calls.append(args)
            return [function(*args, **kwargs) for _ in range(times)]
        wrapper.calls = calls
        return wrapper
    return decorate
@counted(2)
def work(x):
    return x
@functools.lru_cache
def cached(x):
    print("computes")
    return x
@functools.singledispatch
def kind(x):
    return "other"
@kind.register
def _(x: int):
    return "int"
@contextlib.contextmanager
def opened(x):
    print("opens")
    yield x
    print("closes")
with opened(3) as three:
    print(work(three), work.calls, work.__name__, cached(1), cached(1), kind(1), kind("a"))
""",
    "recursion": r"""
import sys
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)
print(fibonacci(12), deep(150))
""",
    "generators": r"""
def numbers(n):
    received = yield n
    while received:
        received = yield received * 2
    return "end"
def delegated(n):
    result = yield from numbers(n)
    print(result)
it = delegated(3)
print(next(it), it.send(4))
try:
    it.send(None)
except StopIteration:
    print("stopped")
print(list(x for x in numbers(1)))
""",
    "async": r"""
import asyncio
async def work(x):
    await asyncio.sleep(0)
    return x * 2
async def stream(n):
    for i in range(n):
        yield i
async def main():
    return await asyncio.gather(work(1), work(2)), [i async for i in stream(3)]
print(asyncio.run(main()))
""",
    "classes": r"""
import abc
class Base(abc.ABC):
    known = []
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.known.append(cls.__name__)
    def __init__(self, x):
        self.x = x
    @abc.abstractmethod
    def work(self, y): ...
    @property
    def double(self):
        return self.x * 2
    @double.setter
    def double(self, value):
        self.x = value // 2
    @staticmethod
    def plain(x):
        return x
    @classmethod
    def made(cls, x):
        return cls(x)
    def __repr__(self):
        return f"{type(self).__name__}({self.x})"
    def __eq__(self, other):
        return self.x == other.x
    __hash__ = None
class Child(Base):
    __slots__ = ("y",)
    def __init__(self, x):
        super().__init__(x)
        self.y = 1
        self.__secret = 2
    def work(self, y):
        def inner(z):
            return z + self.x + self.__secret
        return inner(y) + super().plain(1)
    def __call__(self, y):
        return self.work(y)
child = Child.made(3)
child.double = 10
print(child, child(4), child.double, Child.plain(2), Base.known, child == Child(5))
""",
    "nested": r"""
def outer(n):
    total = 0
    def inner(x):
        nonlocal total
        total += x
        return total
    class Local:
        def value(self):
            return total
    for i in range(n):
        inner(i)
    return inner, Local().value(), locals().keys() >= {"total", "n"}
print(outer(3)[1:], outer(3)[0](5))
""",
    "defined twice": r"""
import sys
def work(x):
    return x
def work(x):
    return x + 1
if sys.version_info > (3,):
    def other(x):
        return "new"
else:
    def other(x):
        return "old"
try:
    import nothing_of_this_name
except ImportError:
    def fallback():
        return "fallback"
square = lambda x: x * x
print(work(1), other(1), fallback(), square(3))
""",
    "stack looks": r"""
import inspect, sys, traceback
def caller():
    return sys._getframe(1).f_code.co_name, inspect.stack()[1].lineno
def work():
    return caller()
def fail():
    try:
        raise KeyError("k")
    except KeyError:
        return traceback.format_exc().replace(__file__, "F")
print(work(), fail())
print(sorted(name for name in globals() if not name.startswith("__")), sorted(vars(work)))
""",
    "random": r"""
import random
import numpy as np
import tensorflow as tf
def draw():
    return random.random(), np.random.rand(), tf.random.normal([2])
draw()
@tf.function
def drop(x):
    return tf.nn.dropout(x, 0.5)
drop(tf.ones(4)), drop(tf.ones(4))
""",
    "huge output": r"""
def shout(n):
    for i in range(n):
        print("x" * 100)
shout(20000)
""",
    "streams": r"""
import contextlib, io, os, subprocess, sys
def work(x):
    print("inside", x)
    os.write(1, b"")
    return x
with contextlib.redirect_stdout(io.StringIO()) as text:
    work(1)
print(repr(text.getvalue()), file=sys.stderr)
print(repr(text.getvalue()))
saved, sys.stdout = sys.stdout, io.StringIO()
work(2)
sys.stdout = saved
work(3)
sys.stdout.flush()
print(subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True).stdout)
""",
    "relative": r"""
from .helper import HELP
from . import helper
def work(x):
    return HELP + x
print(work("!"), __name__, __package__, helper.__name__)
""",
}
