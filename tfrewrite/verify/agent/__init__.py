"""What runs beside the user's program, in its process.

Starting:
    main                the way into the process
    hook                puts the version under test in the place of a file
    installed           which modules are no code of the program's
Recording what the program does:
    instrument          makes its functions tell when they are called
    recorder            records these calls
    training            what its optimizers are given
    short_trainings     ends trainings after some batches
    written_files       keeps what it changes on disk, so that this can be put back
    observing_run       a run that only watches, with `observer` for eager code and `graph_hooks` for graphs
    recording           what expressions are in a process that somebody else has started
    stretches           measures what stands in no function
    line_profile        which lines hold memory at its peak
    digits              lets it print its floats with all their digits
Calling its functions:
    probe               one function on its own: measured, and called with one kind of arguments after the other
    inputs, specs       recorded and made-up arguments, and what a function takes, in words
    guessed_arguments   what its signature, its body and its names suggest
    variations          what is changed in them, with `provoked` for what the texts suggest
    body_walk           reads a body without running it, with `stand_in_values`, `row_calls`, `operand_rules`, `unknown_sizes`
    function_sources    where a function is defined
    effects             what it does beside computing its result
    pieces              what it gives piece by piece
    gradients           its derivatives
Values:
    values              what they consist of
    photographer        takes portraits of them
    rebuild             makes them again from portraits
    state               what the calls of a program share
    captured_state      what a function holds on to from call to call
Precision:
    shadow, references  the program in float64 beside it, and what that says of its results
    noise               how far results move when all numbers move a little
Measuring:
    meters              memory, time and graph nodes of calls
    staircase           memray's record as bytes in use, step by step
"""
