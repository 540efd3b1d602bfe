"""Questions about a program that some rules ask, each answered by one file from the facts.

What a value is, wherever it stands, is a fact: `Kind` and `facts/`. Questions about a Python loop that is to become one of a graph stand
in `loops/`.

Arrays and numbers:
    array_changes          may an array be changed in place after a statement?
    array_holders          which expressions keep an array alive, and which only read it
    array_memory           has an array memory of its own, or is it a view?
    memory_order           do the elements of an array lie in memory in the order of its axes?
    float32_readers        does everything that reads an array read it as float32?
    narrowing_casts        casts of floats to small integers, where these can't hold the number
    scaling                which numbers an array is computed with, one after the other
    value_ranges           between which numbers the elements of a value lie
    numbers_into_tensors   may a Python number become a tensor where a function reads it?
Tensors and functions:
    appended_lists         what is appended to a list, and who reads it
    blocks_of_rows         what a block of rows of a value takes to compute
    call_places            where a call stands, and what its arguments are there
    elementwise_formulas   is a function nothing but a formula on all elements?
    helper_functions       functions that a rewrite adds to a file
    imported_texts         do files of the project that are imported read the names of this one, or change Keras?
    name_readers           what reads names that the text doesn't write, such as a console
    held_memory            what a function holds in memory while it runs
    shape_errors           does a function work with all the sizes that it is given?
Datasets:
    dataset_operations     what depends on the operations that a dataset is made of, and how two change places
    mapped_batches         does a function that is mapped make the same of a batch, to the bit?
    mapped_functions       does a function that is mapped over a dataset only compute its results?
    rows_by_indices        the function that picks rows of arrays for a dataset of indices
Models and training:
    compiled_steps         what of a training step a graph would do otherwise
    forward_rows           is each row of a result computed from the same row of what is given?
    functional_cuts        where loops that build a functional model pass a single tensor on
    gradient_paths         which names a gradient flows through
    keras_layers_alone     layers that do nothing but to compute
    keras_models           is it a Keras model whose methods are Keras' own?
    layers_run_again       what it would mean to run a layer a second time, for its gradient
    losses_of_rows         losses that are the mean of what each row alone gives
    model_sizes            how many bytes the weights of a model take, and what its layers give
    one_hot_labels         labels that `to_categorical` makes for a model alone, which its sparse loss takes as they are
    training_steps         a tape, the gradients that it is asked for, and the optimizers that apply them
Graphs:
    graph_differences      what a graph and XLA make otherwise of an operation
    lost_sums              sums that a loop of a graph loses
    moves_into_graphs      may an operation, as it is written, move into a graph?
    trace_effects          what tracing a function does beside building its graph
"""
