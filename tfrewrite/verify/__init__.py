"""The equivalence harness: runs two versions of a program, compares what they do, and measures what they cost.

The judge (`judge.py`) works in the process of the command line and never imports TensorFlow. It starts runs of the two
versions in processes of their own (`processes.py`), which carry the agent (`agent/`): that records the calls of the
program's functions, repeats them on other inputs, evaluates them in higher precision and measures them. What the agents
saw comes back as portraits of values (`portrait.py`), which are compared (`compare.py`) and judged.

Asking for a comparison:
    api, in_process      `tfrewrite.compare` of two texts, and of two functions in this process
    recording            `tfrewrite record`: a command as it is, and what its processes have shown
    file_verification    `--verify`: what is tried for each file, and what is taken back
    verification_result  how that ended for one file
    combinations         which rewrites together need the least time below a limit of memory
    spread, helpers      many files at once, by processes of this machine or of a cluster, which take `turns` where they are measured
Deciding what to run:
    harness              which runs to make, and what to conclude from all of them
    case, program        two versions that are compared, and what their texts hold
    plan, clues          what a run is asked to do, and which inputs are worth trying
    loop_lengths         fewer and more iterations of a loop
    function_trials      functions on their own
Running:
    processes            processes that carry the agent (`agent/`, started by `site/`)
    warm                 the process that has TensorFlow imported, from which programs are forked
    runs                 what came back from one
Measuring:
    costs                memory and time of calls
    footprint            memory of the whole process
    profile              which lines hold most memory at a program's peak
Judging:
    portrait             values as they come back
    compare              what makes two of them equal, with `counters` and `keras_state` for what may differ
    batches              functions that are handed rows in batches: together they give what they gave
    training             two trainings, by what their optimizers are given
    whole_programs       how programs end, what they print (`output`), what they leave behind (`final_globals`)
    judge, verdict       what a trial shows, and what all of them amount to
Saying it, for the sentences of `--verify` and for all reports:
    quantities           figures of both versions, and how they stand to each other
    wording              what was compared, and where it differs

A new kind of value, as `RaggedTensor` is one: `agent/values.py` takes it apart, `agent/rebuild.py` makes it again,
`agent/guessed_arguments.py` makes it up, and a pair in `corpus/equivalence/` shows when two are the same.
"""
