"""Files as memlens may touch them: real paths, bounded reads of regular files, atomic replacement.

Everything below the panes reads through a `Files` object, so that the same rules hold for the
disk (`DISK`) and for other trees of files, such as a commit. Paths are absolute `str`; bytes that
are no UTF-8 in a name are kept as surrogate escapes.
"""

from __future__ import annotations

import errno
import os
import stat
from itertools import islice

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Literal, NamedTuple, Protocol

    ProblemKind = Literal[
        "missing", "folder", "special", "unreadable", "too-large", "loop", "name-too-long"
    ]
    Kind = Literal["file", "link", "folder", "special", "missing", "unknown"]
    """What stands at a path; `unknown` where the system does not tell."""
else:
    from memlens.engine.named import NamedTuple

    Protocol = object
    ProblemKind = Kind = str

MEMORY_FILE_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of a memory file that are read at most (spec A26); a larger one is left out."""

# O_NONBLOCK: should a FIFO take the place of a file between look and open, nothing hangs.
_OPEN_FLAGS = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip
_CHUNK = 1 << 20


class FileProblem(Exception):
    """Why a file cannot be read: `kind` for programs, the message for people."""

    def __init__(self, kind: ProblemKind, path: str, detail: str = "") -> None:
        super().__init__(detail or _SENTENCES[kind])
        self.kind: ProblemKind = kind
        self.path = path


_SENTENCES: dict[str, str] = {
    "missing": "there is no such file",
    "folder": "it is a folder",
    "special": "it is no regular file",
    "unreadable": "it cannot be read",
    "too-large": "it is too large",
    "loop": "its links form a loop",
    "name-too-long": "its name is too long",
}


class Stamp(NamedTuple):
    """What tells one state of a file from another without reading it."""

    size: int
    """Bytes."""
    mtime_ns: int
    inode: int
    device: int


class Files(Protocol):
    """A tree of files to read from. All methods but `is_link` follow links."""

    def real_path(self, path: str) -> str:
        """The absolute path with every link resolved; parts that do not exist are kept."""

    def look(self, path: str) -> Stamp:
        """The stamp of a regular file.

        Raises `FileProblem`: it is missing, no regular file, or out of reach.
        """

    def read(self, path: str, limit: int) -> tuple[bytes, Stamp]:
        """All bytes of a regular file and the stamp they belong to.

        Raises `FileProblem`, also when the file has more than `limit` bytes.
        """

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted. Raises `FileProblem`."""

    def is_link(self, path: str) -> bool:
        """Whether the last part of `path` is itself a link; False where nothing is."""


class Disk:
    """The files of this machine."""

    def real_path(self, path: str) -> str:
        return os.path.realpath(path)

    def look(self, path: str) -> Stamp:
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            raise problem_of(error, path) from None
        _check_kind(status.st_mode, path)
        return _stamp(status)

    def read(self, path: str, limit: int) -> tuple[bytes, Stamp]:
        try:  # the type is checked before opening: opening a device can have effects
            _check_kind(os.stat(path).st_mode, path)
        except (OSError, ValueError) as error:
            raise problem_of(error, path) from None
        return self.read_regular(path, limit)

    def read_regular(self, path: str, limit: int) -> tuple[bytes, Stamp]:
        """Like `read`, for a path that was just seen to be a regular file."""
        try:
            handle = os.open(path, _OPEN_FLAGS)
        except (OSError, ValueError) as error:
            raise problem_of(error, path) from None
        try:
            status = os.fstat(handle)
            size = status.st_size
            if status.st_mode & _KIND_BITS != stat.S_IFREG:
                _check_kind(status.st_mode, path)
            if size > limit:
                raise FileProblem("too-large", path, f"it has more than {limit:,} bytes")
            data = os.read(handle, size + 1)
            if len(data) != size:  # it grew, or the kernel gave less at once
                data = _rest(handle, data, limit, path)
        except OSError as error:
            raise problem_of(error, path) from None
        finally:
            os.close(handle)
        return data, _stamp(status)

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(folder))
        except (OSError, ValueError) as error:
            raise problem_of(error, folder) from None

    def is_link(self, path: str) -> bool:
        return os.path.islink(path)

    def kind(self, path: str) -> Kind:
        """What the last part of `path` itself is; a link is not followed. Never raises."""
        try:
            kind = os.lstat(path).st_mode & _KIND_BITS
        except FileNotFoundError:  # most of what looks like an import leads nowhere
            return "missing"
        except (OSError, ValueError) as error:
            return "missing" if problem_of(error, path).kind == "missing" else "unknown"
        return _MODES.get(kind, "special")


_KIND_BITS: Final = 0o170000
_MODES: Final[dict[int, Kind]] = {
    stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFDIR: "folder",
}  # fmt: skip
DISK: Final = Disk()


def kind_of(files: Files, path: str) -> Kind:
    """What the last part of `path` itself is in any tree of files. Never raises."""
    if isinstance(files, Disk):
        return files.kind(path)
    if files.is_link(path):
        return "link"
    try:
        files.look(path)
    except FileProblem as problem:
        return _KINDS.get(problem.kind, "unknown")
    return "file"


def entries_of(files: Files, folder: str) -> list[tuple[str, Kind]]:
    """The names in a folder, sorted, and what stands there. Raises `FileProblem`."""
    if not isinstance(files, Disk):
        base = folder.rstrip("/")
        return [(name, kind_of(files, f"{base}/{name}")) for name in files.names(folder)]
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, _entry_kind(entry)) for entry in entries)
    except (OSError, ValueError) as error:
        raise problem_of(error, folder) from None


def regular_names(folder: str, limit: int) -> frozenset[str]:
    """The names of the regular files in a folder of this machine, links left out; none where it
    has more than `limit` entries. Never raises: none where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            some = list(islice(entries, limit + 1))
            if len(some) > limit:
                return frozenset()
            return frozenset([entry.name for entry in some if entry.is_file(follow_symlinks=False)])
    except (OSError, ValueError):
        return frozenset()


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "special"


_KINDS: dict[str, Kind] = {"folder": "folder", "special": "special", "missing": "missing"}


def _rest(handle: int, data: bytes, limit: int, path: str) -> bytes:
    parts = [data]
    total = len(data)
    while part := os.read(handle, _CHUNK):
        total += len(part)
        if total > limit:
            raise FileProblem("too-large", path, f"it has more than {limit:,} bytes")
        parts.append(part)
    return b"".join(parts)


def _check_kind(mode: int, path: str) -> None:
    if not stat.S_ISREG(mode):
        raise FileProblem("folder" if stat.S_ISDIR(mode) else "special", path)


def _stamp(status: os.stat_result) -> Stamp:
    # Made the short way: there is one for each file of a prompt.
    return tuple.__new__(Stamp, (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev))


def problem_of(error: Exception, path: str) -> FileProblem:
    """The `FileProblem` that an `OSError` or `ValueError` of the operating system stands for."""
    code = error.errno if isinstance(error, OSError) else None
    if isinstance(error, ValueError) or code in (errno.ENOENT, errno.ENOTDIR, errno.EILSEQ):
        return FileProblem("missing", path)
    if code == errno.ELOOP:
        return FileProblem("loop", path)
    if code == errno.ENAMETOOLONG:
        return FileProblem("name-too-long", path)
    if code == errno.EISDIR:
        return FileProblem("folder", path)
    if code in (errno.ENXIO, errno.ENODEV):
        return FileProblem("special", path)
    reason = os.strerror(code) if code is not None else str(error)
    return FileProblem("unreadable", path, f"it cannot be read: {reason}")


def replace_file(
    path: str,
    data: bytes,
    *,
    new_mode: int = 0o600,
    create: bool = False,
    check: Callable[[], None] | None = None,
) -> None:
    """Puts `data` at `path` so that, at any moment, either the old or the new file is there whole.

    The bytes go to a temporary file in the same folder, to the disk, and are then renamed over. An
    existing file's mode is kept; a new one gets `new_mode`. The folder must exist. A link at
    `path` is never written through: that, and anything but a regular file, is a `FileProblem`.
    With `create` nothing may be there: `FileExistsError` if something is, whoever was first.
    `check` runs when all bytes are on the disk, right before the old file goes; what it raises
    leaves the old file. Raises `OSError` when the disk refuses; the old file stands unchanged.
    """
    mode = new_mode
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        pass
    else:
        if not stat.S_ISREG(status.st_mode):
            link = stat.S_ISLNK(status.st_mode)
            raise FileProblem("special", path, "it is a link" if link else "it is no regular file")
        mode = stat.S_IMODE(status.st_mode)
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:80]}.{os.urandom(6).hex()}.tmp")
    handle = os.open(
        temporary,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0),
        0o600,
    )  # fmt: skip
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            if hasattr(os, "fchmod"):
                os.fchmod(handle, mode)
            os.fsync(handle)
        finally:
            os.close(handle)
        if check is not None:
            check()
        if create:
            _move_to_free(temporary, path)
        else:
            os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
    sync_folder(folder)


def _move_to_free(temporary: str, path: str) -> None:
    """Renames, but never over anything."""
    try:
        os.link(temporary, path, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # no hard links here: the best there is
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
        os.rename(temporary, path)
    else:
        os.unlink(temporary)


def make_folders(path: str, mode: int = 0o700) -> None:
    """Makes a folder and those above it that are missing, each with `mode`. Raises `OSError`."""
    if not path or os.path.isdir(path):
        return
    make_folders(os.path.dirname(path), mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def sync_folder(folder: str) -> None:
    """Makes a rename or removal in `folder` last over a power cut, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
