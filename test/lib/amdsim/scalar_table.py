"""Scalar instructions that are one expression, and those that do nothing here."""

import table

TABLE = table.read(
    """
s_mov_b{32; 64} = u$1 (u$1): a
s_not_b{32; 64} = u$1 (u$1): ~a => r!=0
s_cselect_b{32; 64} = u$1 (u$1 u$1): w->scc?a:b
s_cmov_b{32; 64} = u$1 (u$1): w->scc?a:d
s_{and: a&b; or: a|b; xor: a^b; nand: ~(a&b); nor: ~(a|b); xnor: ~(a^b)}_b{32; 64} = u$2 (u$2 u$2): $e => r!=0
s_{andn2: a&~b; orn2: a|~b; and_not1: a&~b; or_not1: a|~b}_b{32; 64} = u$2 (u$2 u$2): $e => r!=0
s_{lshl_b32: a<<(b&31); lshr_b32: a>>(b&31)} = u32 (u32 u32): $e => r!=0
s_{lshl_b64: a<<(b&63); lshr_b64: a>>(b&63)} = u64 (u64 u32): $e => r!=0
s_ashr_i{32; 64} = u$1 (i$1 u32): a>>(b&($1-1)) => r!=0
s_brev_b{32; 64} = u$1 (u$1): __builtin_bitreverse$1(a)
s_bcnt1_i32_b{32; 64} = u32 (u$1): __builtin_popcountll(a) => r!=0
s_bcnt0_i32_b{32; 64} = u32 (u$1): __builtin_popcountll((u$1)~a) => r!=0
s_ff1_i32_b{32; 64} = u32 (u$1): a?(u32)__builtin_ctzll(a):~0u
s_ctz_i32_b{32; 64} = u32 (u$1): a?(u32)__builtin_ctzll(a):~0u
s_flbit_i32_b{32; 64} = u32 (u$1): a?(u32)__builtin_clzll(a)-(64-$1):~0u
s_clz_i32_u{32; 64} = u32 (u$1): a?(u32)__builtin_clzll(a)-(64-$1):~0u
s_flbit_i32 s_cls_i32 = u32 (i32): sign_bits(a)
s_bfe_u{32; 64} = u$1 (u$1 u32): (u$1)bit_field(a,b&($1-1),b>>16&127) => r!=0
s_bfe_i{32; 64} = u$1 (i$1 u32): (u$1)signed_bit_field(a,b&($1-1),b>>16&127,$1) => r!=0
s_bfm_b{32; 64} = u$1 (u32 u32): (((u$1)1<<(a&($1-1)))-1)<<(b&($1-1))
s_bitset1_b{32; 64} = u$1 (u32): d|((u$1)1<<(a&($1-1)))
s_bitset0_b{32; 64} = u$1 (u32): d&~((u$1)1<<(a&($1-1)))
s_add_u32 s_add_co_u32 = u32 (u32 u32): a+b => r<a
s_sub_u32 s_sub_co_u32 = u32 (u32 u32): a-b => a<b
s_add_i32 s_add_co_i32 = u32 (u32 u32): a+b => (~(a^b)&(a^r))>>31
s_sub_i32 s_sub_co_i32 = u32 (u32 u32): a-b => ((a^b)&(a^r))>>31
s_addc_u32 s_add_co_ci_u32 = u32 (u32 u32): a+b+carry => ((u64)a+b+carry)>>32
s_subb_u32 s_sub_co_ci_u32 = u32 (u32 u32): a-b-carry => (u64)a<(u64)b+carry
s_mul_i32 = u32 (u32 u32): a*b
s_mul_hi_u32 = u32 (u32 u32): (u32)((u64)a*b>>32)
s_mul_hi_i32 = u32 (i32 i32): (u32)((i64)a*b>>32)
s_add_nc_u64 s_add_u64 = u64 (u64 u64): a+b
s_sub_nc_u64 s_sub_u64 = u64 (u64 u64): a-b
s_mul_u64 = u64 (u64 u64): a*b
s_min_{u32; i32} = u32 ($1 $1): a<b?a:b => a<b
s_max_{u32; i32} = u32 ($1 $1): a>b?a:b => a>b
s_lshl{1; 2; 3; 4}_add_u32 = u32 (u32 u32): (a<<$1)+b => (((u64)a<<$1)+b)>>32!=0
s_abs_i32 = u32 (i32): a<0?0u-(u32)a:(u32)a => r!=0
s_absdiff_i32 = u32 (i32 i32): a>b?(u32)a-(u32)b:(u32)b-(u32)a => r!=0
s_sext_i32_i{8; 16} = u32 (u32): (u32)(i32)(i$1)a
s_pack_ll_b32_b16 = u32 (u32 u32): (a&0xffff)|b<<16
s_pack_lh_b32_b16 = u32 (u32 u32): (a&0xffff)|(b&0xffff0000)
s_pack_hh_b32_b16 = u32 (u32 u32): a>>16|(b&0xffff0000)
s_pack_hl_b32_b16 = u32 (u32 u32): a>>16|b<<16
s_{add: a+b; sub: a-b; mul: a*b}_f32 = u32 (f32 f32): U($e)
s_{max: maxnum(a,b); min: minnum(a,b); max_num: maxnum(a,b); min_num: minnum(a,b); maximum: maximum(a,b); minimum: minimum(a,b)}_f32 = u32 (f32 f32): U($e)
s_fmac_f32 = u32 (f32 f32): U(fma32(a,b,F(d)))
s_fmaak_f32 s_fmamk_f32 = u32 (f32 f32 f32): U(fma32(a,b,c))
s_{floor; ceil; trunc}_f32 = u32 (f32): U($1f(a))
s_rndne_f32 = u32 (f32): U(rintf(a))
s_cvt_f32_i32 = u32 (i32): U((f32)a)
s_cvt_f32_u32 = u32 (u32): U((f32)a)
s_cvt_i32_f32 = u32 (f32): (u32)to_i32(a)
s_cvt_u32_f32 = u32 (f32): to_u32(a)
s_cvt_f16_f32 = u32 (f32): UH((f16)a)
s_cvt_f32_f16 = u32 (f16): U((f32)a)
s_cvt_hi_f32_f16 = u32 (u32): U((f32)H(a>>16))
s_cvt_pk_rtz_f16_f32 = u32 (f32 f32): truncate_f16(a)|truncate_f16(b)<<16
"""
)

FLOAT_COMPARISONS = {
    "lt": "a<b", "eq": "a==b", "le": "a<=b", "gt": "a>b", "lg": "(a<b||a>b)",
    "ge": "a>=b", "o": "(a==a&&b==b)", "u": "(a!=a||b!=b)", "nge": "!(a>=b)",
    "nlg": "!(a<b||a>b)", "ngt": "!(a>b)", "nle": "!(a<=b)", "neq": "a!=b",
    "nlt": "!(a<b)", "tru": "1", "t": "1", "f": "0",
}  # fmt: skip
INTEGER_COMPARISONS = {
    "lt": "a<b", "eq": "a==b", "le": "a<=b", "gt": "a>b", "ne": "a!=b",
    "lg": "a!=b", "ge": "a>=b", "t": "1", "f": "0",
}  # fmt: skip
# What is written to EXEC, of the operand a and the old EXEC x.
EXEC_OPERATIONS = {
    "and": "a&x", "or": "a|x", "xor": "a^x", "nand": "~(a&x)", "nor": "~(a|x)",
    "xnor": "~(a^x)", "andn2": "a&~x", "orn2": "a|~x", "andn1": "~a&x",
    "orn1": "~a|x", "and_not0": "~a&x", "and_not1": "a&~x", "or_not0": "~a|x",
    "or_not1": "a|~x",
}  # fmt: skip

# Waits, hints and caches: instructions take effect in order here, and memory has
# no cache.
NO_EFFECT = set(
    """
s_nop s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_lgkmcnt s_waitcnt_expcnt
s_waitcnt_depctr s_wait_loadcnt s_wait_storecnt s_wait_dscnt s_wait_kmcnt
s_wait_samplecnt s_wait_bvhcnt s_wait_expcnt s_wait_loadcnt_dscnt
s_wait_storecnt_dscnt s_wait_alu s_wait_idle s_wait_event s_sleep s_sleep_var
s_setprio s_delay_alu s_clause s_sendmsg s_sendmsghalt s_sethalt
s_set_inst_prefetch_distance s_inst_prefetch s_icache_inv s_dcache_inv s_dcache_wb
s_dcache_inv_vol s_dcache_wb_vol s_gl1_inv s_ttracedata s_ttracedata_imm
s_incperflevel s_decperflevel s_version s_code_end s_prefetch_data s_prefetch_inst
s_prefetch_inst_pc_rel s_prefetch_data_pc_rel s_buffer_prefetch_data
s_barrier_signal buffer_inv buffer_wbl2 buffer_wbinvl1 buffer_wbinvl1_vol
buffer_gl0_inv buffer_gl1_inv global_inv global_wb global_wbinv v_nop v_pipeflush
ds_nop
""".split()
)
