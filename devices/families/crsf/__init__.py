"""The radio receiver of a CRSF handset."""
