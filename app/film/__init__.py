"""Pictures of motions for people without the program, drawn by the processor without a display."""
