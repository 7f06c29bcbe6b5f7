"""The panel Poses: a library of poses, sliders for every joint, and handles on the ghost."""
