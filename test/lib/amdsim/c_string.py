"""Text as a string of C."""


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
