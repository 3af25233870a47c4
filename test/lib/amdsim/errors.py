"""The errors of the simulator. Their texts are for people."""


class SimulatorError(Exception):
    """Something that the caller can put right; its text says what."""


class Unsupported(Exception):
    """An instruction (or a form of it) that the simulator does not know."""
