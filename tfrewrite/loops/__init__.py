"""What a Python loop over tensors is, and the `tf.while_loop` that does the same.

`headers` reads what a loop runs over, `bodies` what a turn does, `numbers` finds what was a Python number and becomes a
tensor, `lists` what is appended to, `carried` says what passes from turn to turn, and `writing` makes the new text. The
rules that decide where such a loop is worth having stand in `transforms/`.
"""
