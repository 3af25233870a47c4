"""Runs the tool under test; seeds and failures."""

import os
import subprocess
import sys
import time


def seed():
    """MLAFUSE_FUZZ_SEED, else the clock; printed, so that a failure comes again."""
    value = int(os.environ.get("MLAFUSE_FUZZ_SEED") or time.time_ns() % 2**32)
    print("seed", value, flush=True)
    return value


def fail(reason, *texts):
    print("FAILED:", reason)
    for text in texts:
        print(text)
    sys.exit(1)


def fuse(opt, text, *options):
    """Standard output and error of `opt --mlafuse-fuse`."""
    done = subprocess.run([opt, "--mlafuse-fuse", *options, "-"], input=text,
                          capture_output=True, text=True)
    if done.returncode:
        fail("mlafuse-opt failed", text, done.stderr)
    return done.stdout, done.stderr
