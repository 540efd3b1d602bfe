"""Questions about a program that one or two rules ask, each answered by one file from the facts.

Questions about a Python loop that is to become one of a graph stand in `loops/`.

appended_lists         what is appended to a list, and who reads it
array_changes          may an array be changed in place after a statement?
blocks_of_rows         what a block of rows of a value takes to compute
call_places            where a call stands, and what its arguments are there
elementwise_formulas   is a function nothing but a formula on all elements?
graph_differences      what a graph and XLA make otherwise of an operation
held_memory            what a function holds in memory while it runs
keras_models           is it a Keras model that predicts as Keras' own do?
lost_sums              sums that a loop of a graph loses
moves_into_graphs      may an operation, as it is written, move into a graph?
numbers_into_tensors   may a Python number become a tensor where a function reads it?
rows_by_indices        the function that picks rows of arrays for a dataset of indices
shape_errors           does a function work with all the sizes that it is given?
trace_effects          what tracing a function does beside building its graph
value_ranges           between which numbers the elements of a value lie
"""
