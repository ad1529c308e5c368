"""The programs of the README run as they are written there, and the package installs as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from conftest import REPOSITORY, Demo

PACKAGE = REPOSITORY / "clients/python"
README = PACKAGE / "README.md"


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no block of {language}"
    return found


def run(program: str, demo: Demo, folder: Path, interpreter: str = sys.executable) -> str:
    """Runs a program as a script of its own, and returns what it prints."""
    script = folder / "program.py"
    script.write_text(program)
    ended = subprocess.run(
        [interpreter, str(script)],
        env={**os.environ, **demo.environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, f"{program}\n{ended.stderr}"
    return ended.stdout


@pytest.mark.parametrize("program", blocks(README, "python"))
def test_every_program_of_the_readme_runs(program: str, still: Demo, tmp_path: Path) -> None:
    run(program, still, tmp_path)


def test_the_readme_prints_what_it_says(still: Demo, tmp_path: Path) -> None:
    programs = blocks(README, "python")
    assert "SETTLED" in run(programs[0], still, tmp_path)
    watching = next(program for program in programs if "pause_contract" in program)
    assert "CONTRACT ACTIVE -> PAUSED looking at its prices" in run(watching, still, tmp_path)
    failing = next(program for program in programs if "error.request_id" in program)
    assert run(failing, still, tmp_path).splitlines()[:2] == ["not_found", "NOT_FOUND"]


def test_a_wheel_installs_into_a_new_environment_and_runs_the_first_program(still: Demo, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    pip = [str(environment / "bin/pip"), "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(PACKAGE)], check=True, timeout=120)
    (wheel,) = tmp_path.glob("tradepost-*.whl")
    subprocess.run([*pip, "install", str(wheel)], check=True, timeout=120)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    installed = subprocess.run(
        [str(environment / "bin/python"), "-c", "import tradepost; print(tradepost.__file__)"],
        env=clean,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(environment) in installed.stdout
    assert (Path(installed.stdout.strip()).parent / "py.typed").exists()
    printed = run(blocks(README, "python")[0], still, tmp_path, str(environment / "bin/python"))
    assert "SETTLED" in printed


def test_the_package_passes_a_strict_type_check() -> None:
    command = [sys.executable, "-m", "mypy"]
    checked = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_package_passes_its_lints() -> None:
    for arguments in (["check"], ["format", "--check"]):
        linted = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments, ".", "../../examples/python"],
            cwd=PACKAGE,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert linted.returncode == 0, linted.stdout
