"""A fusion report is what its schema says, and has so many remarks.

    check_report.py SCHEMA REPORT REMARKS
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "fusion"))

from schema import violations

schema, report, remarks = sys.argv[1:]
value = json.load(open(report, encoding="utf-8"))
wrong = violations(value, json.load(open(schema)))
if not wrong and len(value["remarks"]) != int(remarks):
    wrong.append(f"{len(value['remarks'])} remarks, not {remarks}")
sys.exit("\n".join(wrong) if wrong else 0)
