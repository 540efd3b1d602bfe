"""One pass through the statements of a module or function, which gives every expression a kind.

Each part is a class made of the one above it, `statements` the last, which is the whole walk:
    state                 what a walk keeps while it goes
    operator_kinds        what operators give
    subscripts            what attributes and subscripts give
    assignments           what names are given
    called                what calls give
    learnt_sizes          what is known of sizes because the program goes on
    loops_and_joins       loops, and where branches meet
    expressions           expressions of every sort
    statements            statements of every sort
    observed_walk         the same, where a run has been seen
Used by all of them:
    environment           the kinds of names at one place, and at the ends of a loop
    taken_before          walks that were told the same before, which aren't taken again
    kept_kinds            what stays known of a kind elsewhere
    constants_and_dtypes  what constants are, and numbers in the place of tensors
"""
