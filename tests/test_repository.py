"""Nothing in the repository names a package registry, a path of one machine or a secret."""

import re

import pytest

from tests.tracked import REPOSITORY, tracked_files

FORBIDDEN = {
    "host of a package registry": re.compile(
        r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|crates\.io|anaconda\.(?:org|com)"
        r"|proxy\.golang\.org|deb\.debian\.org|--(?:extra-)?index-url[ =]\S*:|file:/{3}"
    ),
    "path of one machine": re.compile(
        r"(?<![\w.~$}-])/(?:work|tmp|root|Users|home/[a-z_]\w*|opt/(?:pypi|wheels))/[\w.-]"
    ),
    "secret": re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}"
        r"|\bxox[abprs]-[\w-]{10,}|\bsk-[\w-]{20,}|://[^/\s:@\"'{}]+:[^/\s:@\"'{}]+@"
        r"|(?i:\b(?:password|api_key|secret|token)\s*[=:]\s*[\"'][^\"'\s]{8,}[\"'])"
    ),
}
MEBIBYTE = 1 << 20


def _findings(text: str) -> list[str]:
    return [
        f"line {number}: {kind}: {found.group()}"
        for number, line in enumerate(text.splitlines(), start=1)
        for kind, pattern in FORBIDDEN.items()
        if (found := pattern.search(line))
    ]


def test_tracked_files_are_clean() -> None:
    found = []
    for path in tracked_files():
        content = (REPOSITORY / path).read_bytes()
        if b"\0" not in content:
            found += [f"{path}, {finding}" for finding in _findings(content.decode())]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "see https://" + "pypi" + ".org/simple",
        "file:" + "///packages/simple",
        "--index-url " + "http://10.0.0.1/simple",
        "load('/" + "work/main/show.json')",
        "log = /" + "tmp/run.mcap",
        "/" + "home/anna/footlight",
        "-----BEGIN " + "RSA PRIVATE KEY-----",
        "gh" + "p_" + "a" * 36,
        "pass" + 'word = "hunter2hunter2"',
        "https://" + "anna:geheim@example.com/",
    ],
)
def test_the_scan_finds_what_it_should(line: str) -> None:
    assert _findings(line)


@pytest.mark.parametrize("line", ["frameworks/x", "tests use tmp_path", "token: str", "a/b"])
def test_the_scan_leaves_the_rest_alone(line: str) -> None:
    assert not _findings(line)


def test_no_tracked_file_is_large() -> None:
    sizes = {path: (REPOSITORY / path).stat().st_size for path in tracked_files()}
    large = sorted(str(path) for path, size in sizes.items() if size > 8 * MEBIBYTE)
    assert not large, f"over 8 MiB: {large}"
