"""Validates each example of an OpenAPI document against its schema: JSON Schema, draft 2020-12.

Reads the document that its argument names, and prints each mismatch. It knows nothing of the generator of the document.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

# References of the document resolve inside of it under this name.
DOCUMENT = "urn:tradepost:openapi"


def examples(node: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yields each example with the place of its schema, as a JSON pointer."""
    if isinstance(node, list):
        for number, item in enumerate(node):
            yield from examples(item, f"{at}/{number}")
    elif isinstance(node, dict):
        if "schema" in node and "example" in node:
            yield f"{at}/schema", node["example"]
        if isinstance(node.get("examples"), list):
            yield from ((at, example) for example in node["examples"])
        for name, item in node.items():
            if name not in ("example", "examples"):
                yield from examples(item, f"{at}/{name.replace('~', '~0').replace('/', '~1')}")


def main(file: str) -> int:
    with open(file, encoding="utf-8") as opened:
        document = json.load(opened)
    registry = Registry().with_resource(DOCUMENT, Resource(document, DRAFT202012))
    formats = Draft202012Validator.FORMAT_CHECKER
    found = mismatches = 0
    for place, example in examples(document):
        found += 1
        validator = Draft202012Validator({"$ref": f"{DOCUMENT}#{place}"}, registry=registry, format_checker=formats)
        for error in validator.iter_errors(example):
            mismatches += 1
            print(f"{place}: {error.json_path}: {error.message}")
    print(f"{file}: {found} examples, {mismatches} mismatches")
    return 0 if found and not mismatches else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
