"""What bounds the waves that a compute unit of AMD's holds at once."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Chip:
    """Figures of one unit that shares LDS: a compute unit of CDNA; of RDNA the two
    that make up a workgroup processor. From LLVM's AMDGPU backend and AMD's ISA
    documents."""

    wave_size: int
    registers: int  # vector registers of a SIMD, in all of its waves
    register_unit: int  # a wave gets a multiple of this
    most_waves: int  # of a SIMD
    lds: int  # bytes of the unit
    workgroup_lds: int  # bytes that one workgroup can have
    simds: int = 4
    # (scalar registers of a wave at most, waves of a SIMD)
    scalar_limits: tuple = ()

    def waves_by_registers(self, vector, scalar):
        """Waves that a SIMD has registers for."""
        taken = max(1, -(-vector // self.register_unit)) * self.register_unit
        waves = min(self.most_waves, self.registers // taken)
        for most, limit in self.scalar_limits:
            if scalar <= most:
                return min(waves, limit)
        return waves

    def occupancy(self, vector, scalar, lds, workgroup):
        """Part of the unit's waves that can be at work, with workgroups of
        `workgroup` threads."""
        waves = -(-workgroup // self.wave_size)
        groups = self.waves_by_registers(vector, scalar) * self.simds // waves
        if lds:
            groups = min(groups, self.lds // lds)
        return groups * waves / (self.most_waves * self.simds)


GFX9_SCALAR = ((80, 10), (88, 9), (100, 8), (128, 7))

CHIPS = {
    "gfx942": Chip(64, 512, 8, 8, 64 * 1024, 64 * 1024, scalar_limits=GFX9_SCALAR),
    "gfx950": Chip(64, 512, 8, 8, 160 * 1024, 160 * 1024, scalar_limits=GFX9_SCALAR),
    "gfx1201": Chip(32, 1536, 24, 16, 128 * 1024, 64 * 1024),
}
