"""Which pieces an instruction's name may have, besides types. What is not listed may
change what the instruction does, so it is refused, not passed over."""

import re

from errors import Unsupported
from module import TYPE_BYTES

_SCOPES = "cta cluster gpu sys "
_SPACES = "global shared shared::cta shared::cluster local const param param::entry "
_COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
_CACHES = r"L[12]::\w+"
_ACCESS = _SPACES + _SCOPES + "weak volatile relaxed v2 v4 v8 "
_ATOMIC = (
    _SPACES + _SCOPES + "relaxed acquire release acq_rel noftz L2::cache_hint "
    "add min max and or xor exch cas inc dec"
)

# Words, and patterns that a piece may match instead. Names that are missing here are
# looked at as a whole where they are translated.
MODIFIERS = {
    "add": "rn ftz sat", "sub": "rn ftz sat", "mul": "rn ftz sat lo hi wide",
    "mad": "rn ftz sat lo hi wide", "fma": "rn ftz sat",
    "min": "ftz NaN xorsign abs", "max": "ftz NaN xorsign abs",
    "abs": "ftz", "neg": "ftz", "div": "rn approx full ftz", "rem": "",
    "and": "", "or": "", "xor": "", "not": "", "shl": "", "shr": "",
    "shf": "l r wrap clamp", "prmt": "", "lop3": "", "bfe": "", "bfi": "",
    "popc": "", "clz": "", "brev": "", "bfind": "",
    "rcp": "rn approx ftz", "sqrt": "rn approx ftz", "rsqrt": "approx ftz",
    "ex2": "approx ftz", "lg2": "approx ftz", "tanh": "approx ftz",
    "sin": "approx ftz", "cos": "approx ftz", "copysign": "", "selp": "",
    "setp": _COMPARISONS + "and or xor ftz", "set": _COMPARISONS + "and or xor ftz",
    "mov": "",
    "cvt": "rn rz rp rni rzi rmi rpi ftz sat satfinite e4m3x2 e5m2x2 e2m1x2 ue8m0x2",
    "ld": _ACCESS + "acquire ca cg cs lu cv nc " + _CACHES,
    "ldu": _ACCESS, "st": _ACCESS + "release wb cg cs wt " + _CACHES,
    "atom": _ATOMIC, "red": _ATOMIC, "cvta": _SPACES + "to",
    "mbarrier": "init inval expect_tx arrive try_wait test_wait parity shared "
    "shared::cta shared::cluster acquire release relaxed cta cluster",
    "membar": _SCOPES + "gl",
    "shfl": "sync up down bfly idx", "vote": "sync any all uni ballot",
    "redux": "sync add min max and or xor", "match": "sync any", "elect": "sync",
    "bar": "sync arrive red warp and or cta aligned",
    "barrier": "sync arrive red and or cta aligned",
    "ldmatrix": "sync aligned m8n8 x1 x2 x4 trans shared shared::cta",
    "stmatrix": "sync aligned m8n8 x1 x2 x4 trans shared shared::cta",
    "mma": "sync aligned m16n8k16 row col",
    "wgmma": r"fence mma_async commit_group wait_group sync aligned m64n\d+k16",
    "bra": "uni", "ret": "uni", "exit": "", "trap": "", "brkpt": "", "nanosleep": "",
    "griddepcontrol": "wait launch_dependents", "setmaxnreg": "inc dec sync aligned",
}  # fmt: skip
_NEEDS_SYNC = ("shfl", "vote", "redux", "match", "elect")
_PATTERNS = {
    name: re.compile("|".join(words.split()) or "$^")
    for name, words in MODIFIERS.items()
}


def check_modifiers(i):
    pattern = _PATTERNS.get(i.parts[0])
    if not pattern:
        return
    for part in i.parts[1:]:
        if part not in TYPE_BYTES and not pattern.fullmatch(part):
            raise Unsupported(f"{i.name} with .{part}")
    if i.parts[0] in _NEEDS_SYNC and not i.has("sync"):
        raise Unsupported(i.name)
