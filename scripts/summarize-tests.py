"""Adds up a ctest report (JUnit XML) and lit reports (JSON).

Prints the tests that failed (unit tests with their output, which lit has printed
of its own), the reasons of those that were skipped and, as the last line, "N
passed, N failed" (", N skipped" if some were). The exit status is 0 if tests ran
and none failed.
"""

import collections
import json
import sys
import xml.etree.ElementTree

# lit's result codes that are as they should be.
LIT_PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
LIT_SKIPPED = {"UNSUPPORTED"}


def read_lit(path):
    """Yields (name, "passed" | "failed" | "skipped", reason) of each test."""
    with open(path) as report:
        for test in json.load(report)["tests"]:
            if test["code"] in LIT_PASSED:
                yield test["name"], "passed", ""
            elif test["code"] in LIT_SKIPPED:
                yield test["name"], "skipped", test["output"].strip()
            else:
                yield test["name"], "failed", test["code"]


def read_ctest(path):
    """The same for ctest; a test that could not be run has failed."""
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        skipped = case.find("skipped")
        reason = skipped.get("message", "") if skipped is not None else ""
        if status == "run":
            yield name, "passed", ""
        elif skipped is not None and reason.startswith("SKIP_"):
            yield name, "skipped", skip_reason(case) or reason
        elif status == "disabled":
            yield name, "skipped", "disabled"
        else:
            print(case.findtext("system-out") or "")
            yield name, "failed", reason or status


def skip_reason(case):
    """The text of a GTEST_SKIP: the line after the place where it stands."""
    lines = (case.findtext("system-out") or "").splitlines()
    for place, text in zip(lines, lines[1:]):
        if place.endswith(": Skipped"):
            return text.strip()
    return ""


def main(ctest_report, *lit_reports):
    count = collections.Counter()
    skipped = collections.Counter()
    complete = True
    reports = [(read_lit, path) for path in lit_reports] + [(read_ctest, ctest_report)]
    for read, path in reports:
        try:
            results = list(read(path))
        except (OSError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
            print(f"no whole report: {path}: {error}")
            complete = False
            continue
        if not results:
            print(f"no test ran: {path}")
            complete = False
        for name, result, reason in results:
            count[result] += 1
            if result == "failed":
                print(f"failed: {name} ({reason})")
            elif result == "skipped":
                skipped[reason] += 1
    for reason, number in sorted(skipped.items()):
        print(f"skipped: {number} ({reason})")
    summary = f"{count['passed']} passed, {count['failed']} failed"
    if count["skipped"]:
        summary += f", {count['skipped']} skipped"
    print(summary)
    return 0 if complete and count["passed"] and not count["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
