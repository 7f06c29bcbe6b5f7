"""The twin: one process that speaks every device's bytes on ptys, with MuJoCo behind them."""
