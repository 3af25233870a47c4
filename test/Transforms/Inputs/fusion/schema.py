"""Checks a value against the part of JSON Schema that the report's schema uses."""

import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "enum",
         "pattern", "minimum", "items", "properties", "required",
         "additionalProperties", "oneOf", "dependentRequired"}


def violations(value, schema, root=None, path="$"):
    """What is wrong with `value`, in words; empty if nothing is."""
    root = root or schema
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"the schema has {unknown}, which this checker has not")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return violations(value, root["$defs"][name], root, path)
    found = []
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or
                             isinstance(value, bool)):
        return [f"{path}: {value!r} is no {schema['type']}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is none of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{path}: {value!r} does not match {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{path}: {value} is below {schema['minimum']}")
    for index, item in enumerate(value if "items" in schema else []):
        found += violations(item, schema["items"], root, f"{path}[{index}]")
    for name in schema.get("required", []):
        if name not in value:
            found.append(f"{path}: {name} is missing")
    for name, others in schema.get("dependentRequired", {}).items():
        if name in value:
            found += [f"{path}: {name} without {o}" for o in others if o not in value]
    properties = schema.get("properties", {})
    for name, part in properties.items():
        if name in value:
            found += violations(value[name], part, root, f"{path}.{name}")
    if schema.get("additionalProperties") is False:
        found += [f"{path}: {name} is unknown" for name in value
                  if name not in properties]
    if "oneOf" in schema:
        tried = [violations(value, part, root, path) for part in schema["oneOf"]]
        if sum(not t for t in tried) != 1:
            found += [f"{path}: is not exactly one of {len(tried)} forms"]
            found += min(tried, key=len)
    return found
