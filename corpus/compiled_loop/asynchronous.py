import asyncio

import tensorflow as tf


async def settle():
    x = tf.ones([2])
    for _ in range(60):  # refused: compiled_loop: the loop is in a class or in a coroutine
        x = tf.tanh(x)
        await asyncio.sleep(0)
    return x


def gathered(x):
    async def turn(x):
        for _ in range(60):  # refused: compiled_loop: the loop is in a class or in a coroutine
            x = tf.tanh(x)
        return x

    return asyncio.run(turn(x))


result = asyncio.run(settle()), gathered(tf.ones([2]))
