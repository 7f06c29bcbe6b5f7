"""Checksums that several protocols share."""

import binascii

import numpy as np

CRC16_START = 0xFFFF
CRC16_TABLE = np.array([binascii.crc_hqx(bytes((i,)), 0) for i in range(256)])  # for kernels


def bear_sum(data: bytes | bytearray | memoryview) -> int:
    """Return the checksum of a BEAR packet from the bytes between its header and that byte.

    The bytes after the header, this one included, add up to 0xFF modulo 256.
    """
    return 0xFF - (sum(data) & 0xFF)


def crc16(data: bytes | bytearray | memoryview) -> int:
    """Return the CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected."""
    return binascii.crc_hqx(data, CRC16_START)
