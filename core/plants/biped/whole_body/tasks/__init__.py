"""The tasks of the whole-body controller: each file is one term of the QP's cost.

To add a task, write a file here and a table in the profile:

- `Settings`, a `TaskSettings`, is the form of the table `[biped.tasks.NAME]`; NAME is the name of
  the file. The profile's reader refuses a table that does not fit.
- `TASK` is a `Task` or, with a separate cost for each foot, a `FootTask`. It is built once from
  its settings and a `TaskContext`; `write` adds its cost to the problem at every tick. A task that
  is linear in the acceleration fills a record of `task_rows` in a kernel and calls `add_rows`.

The profile lists the tasks that the robot uses. They add to the cost in the order of the profile,
on which the rounding of the sums depends.
"""
