"""A show as one zip file: unpacked with bounds into a cache folder, packed reproducibly."""

import hashlib
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from shows.errors import ShowError
from shows.repertoire_files import MEMBER

MAX_ZIP_BYTES = 512 * 2**20
MAX_UNPACKED_BYTES = 1024 * 2**20
MAX_MEMBERS = 4000
KEPT_SHOWS = 8
"""Unpacked shows that stay in the cache; older ones make room."""

_MEMBER = re.compile(
    r"show\.json|(?:motions|poses)/[a-z][a-z0-9_]{0,63}\.json"
    r"|audio/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(?:flac|wav)"
    rf"|{MEMBER}"
)
_CLUTTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
_CHUNK = 2**20


def unpack(source: Path, label: str, cache: Path) -> Path:
    """Return a folder with a zip's show in it, unpacked unless it already is.

    Nothing is written outside a folder of the cache that is named by the zip's digest; sizes
    are counted while unpacking, so that a zip bomb stops at the bound.

    Args:
        source: the zip file.
        label: what errors call it.
        cache: where unpacked shows live; made when missing.

    Raises:
        ShowError: no zip, damaged, too large, or with members that no show has.
    """
    with _readable(label):
        if source.stat().st_size > MAX_ZIP_BYTES:
            limit = f"is larger than {MAX_ZIP_BYTES / 2**20:.0f} MiB"
            raise ShowError(label, "", limit, "split the show")
        with source.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()[:32]
            with zipfile.ZipFile(stream) as archive:
                members = _members(archive, label)
                cache.mkdir(parents=True, exist_ok=True, mode=0o700)
                folder = cache / digest
                if _is_whole(folder, members):
                    os.utime(folder)
                    return folder
                fresh = Path(tempfile.mkdtemp(prefix=".unpacking.", dir=cache))
                try:
                    _extract(archive, members, fresh, label)
                    if folder.exists():
                        shutil.rmtree(folder)
                    os.replace(fresh, folder)
                finally:
                    shutil.rmtree(fresh, ignore_errors=True)
    _forget_old(cache)
    return folder


def pack(files: dict[str, bytes]) -> bytes:
    """Return a zip of the files; equal files give equal bytes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.external_attr = 0o644 << 16
            method = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
            archive.writestr(member, files[name], compress_type=method)
    return buffer.getvalue()


@contextmanager
def _readable(label: str) -> Iterator[None]:
    """Turn all that reading a damaged zip may raise into one ShowError."""
    try:
        yield
    except (
        OSError,
        EOFError,
        ValueError,
        RuntimeError,  # encrypted members; NotImplementedError is one, too
        LookupError,
        OverflowError,
        MemoryError,
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
    ) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ShowError(
            label, "", f"cannot be unpacked ({why})", "copy it anew or export it again"
        ) from error


def _members(archive: zipfile.ZipFile, label: str) -> dict[str, zipfile.ZipInfo]:
    """Return a show's files by their name inside the show; refuse anything else."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise ShowError(label, "", f"holds more than {MAX_MEMBERS} files", "this is no show")
    files = [i for i in infos if not i.is_dir() and not _CLUTTER.search(i.filename)]
    prefix = _prefix(files)
    members: dict[str, zipfile.ZipInfo] = {}
    total = 0
    for info in files:
        name = info.filename.removeprefix(prefix)
        reason = None
        if not _MEMBER.fullmatch(name):
            reason = "is no file of a show"
        elif name in members:
            reason = "is there twice"
        elif info.flag_bits & 1:
            reason = "is encrypted"
        elif stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            reason = "is a link or a device, not a file"
        elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            reason = "is compressed in a way that is not read"
        if reason:
            advice = (
                "keep only show.json, motions/*.json, poses/*.json, audio/*.flac or *.wav and "
                "repertoires, plainly zipped"
            )
            raise ShowError(label, repr(info.filename), reason, advice)
        members[name] = info
        total += info.file_size
    if total > MAX_UNPACKED_BYTES:
        raise _bomb(label)
    if "show.json" not in members:
        raise ShowError(label, "", "holds no show.json", "zip the show's folder itself")
    return members


def _prefix(files: list[zipfile.ZipInfo]) -> str:
    """Return the one folder that a file manager put around the show, or ""."""
    tops = {info.filename.partition("/")[0] + "/" for info in files if "/" in info.filename}
    whole = len(tops) == 1 and all("/" in info.filename for info in files)
    whole = whole and tops.isdisjoint({"motions/", "poses/", "audio/", "repertoires/"})
    return tops.pop() if whole else ""


def _extract(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], folder: Path, label: str
) -> None:
    total = 0
    for name, info in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as packed, path.open("wb") as unpacked:
            while chunk := packed.read(_CHUNK):
                total += len(chunk)
                if total > MAX_UNPACKED_BYTES:
                    raise _bomb(label)
                unpacked.write(chunk)


def _is_whole(folder: Path, members: dict[str, zipfile.ZipInfo]) -> bool:
    """Return whether an unpacked folder still has exactly the contents of the zip."""
    for name, info in members.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != info.file_size:
            return False
        crc = 0
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                crc = zlib.crc32(chunk, crc)
        if crc != info.CRC:
            return False
    return sum(path.is_file() for path in folder.rglob("*")) == len(members)


def _forget_old(cache: Path) -> None:
    """Keep the KEPT_SHOWS most recently used folders."""
    folders = [path for path in cache.iterdir() if re.fullmatch(r"[0-9a-f]{32}", path.name)]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in folders[KEPT_SHOWS:]:
        shutil.rmtree(path, ignore_errors=True)


def _bomb(label: str) -> ShowError:
    limit = f"unpacks to more than {MAX_UNPACKED_BYTES / 2**20:.0f} MiB"
    return ShowError(label, "", limit, "this is no show, or it must be split")
