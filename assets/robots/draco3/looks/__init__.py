"""The looks of DRACO 3, drawn part by part."""
