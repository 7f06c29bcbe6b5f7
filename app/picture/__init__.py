"""The process that draws the 3-D view, so that the console's GUI thread never waits for it.

The console sends shots and receives frames in shared memory (`protocol`, `frames`). The process
has no link to the core: it draws what a shot holds, live, recorded or in preview.
"""
