"""Vector instructions that are one expression for each lane."""

import table

TABLE = table.read(
    """
v_mov_b32 v_permlane64_b32 = b32 (b32): a
v_mov_b16 v_mov_b16_t16 = b16 (b16): a
v_mov_b64 = b64 (b64): a
v_not_b{32; 16} = b$1 (b$1): ~a
v_bfrev_b32 = b32 (b32): __builtin_bitreverse32(a)
# f32
v_{add: a+b; sub: a-b; subrev: b-a; mul: a*b}_f32 = f32 (f32 f32): $e
v_mul_legacy_f32 v_mul_dx9_zero_f32 = f32 (f32 f32): (a==0||b==0)?0.0f:a*b
v_max{; _num}_f32 = f32 (f32 f32): maxnum(a,b)
v_min{; _num}_f32 = f32 (f32 f32): minnum(a,b)
v_max3{; _num}_f32 = f32 (f32 f32 f32): maxnum(maxnum(a,b),c)
v_min3{; _num}_f32 = f32 (f32 f32 f32): minnum(minnum(a,b),c)
v_med3{; _num}_f32 = f32 (f32 f32 f32): median(a,b,c)
v_minmax{; _num}_f32 = f32 (f32 f32 f32): maxnum(minnum(a,b),c)
v_maxmin{; _num}_f32 = f32 (f32 f32 f32): minnum(maxnum(a,b),c)
v_{maximum; minimum}_f32 = f32 (f32 f32): $1(a,b)
v_{maximum; minimum}3_f32 = f32 (f32 f32 f32): $1($1(a,b),c)
v_maximumminimum_f32 = f32 (f32 f32 f32): minimum(maximum(a,b),c)
v_minimummaximum_f32 = f32 (f32 f32 f32): maximum(minimum(a,b),c)
v_fma_f32 v_fmaak_f32 v_fmamk_f32 = f32 (f32 f32 f32): fma32(a,b,c)
v_fmac_f32 = f32 (f32 f32): fma32(a,b,F(d))
v_exp_f32 = f32 (f32): flush(exp2f(a))
v_log_f32 = f32 (f32): log2f(flush(a))
v_rcp_f32 v_rcp_iflag_f32 = f32 (f32): flush(1.0f/flush(a))
v_rsq_f32 = f32 (f32): (f32)(1.0/sqrt((f64)flush(a)))
v_sqrt_f32 = f32 (f32): sqrtf(a)
v_{sin; cos}_f32 = f32 (f32): (f32)$1((f64)a*TWO_PI)
v_{floor; ceil; trunc}_f32 = f32 (f32): $1f(a)
v_rndne_f32 = f32 (f32): rintf(a)
v_fract_f32 = f32 (f32): fraction(a)
v_frexp_exp_i32_f32 = i32 (f32): exponent_of(a)
v_frexp_mant_f32 = f32 (f32): (f32)mantissa_of(a)
v_ldexp_f32 = f32 (f32 i32): (f32)ldexp((f64)a,clamp_i32(b,-2000,2000))
v_div_fixup_f32 = f32 (f32 f32 f32): div_fixup32(a,b,c)
v_div_fmas_f32 = f32 (f32 f32 f32): div_fmas32(a,b,c,VCC(w)>>l&1)
# f64
v_{add: a+b; mul: a*b; max: maxnum64(a,b); min: minnum64(a,b); max_num: maxnum64(a,b); min_num: minnum64(a,b)}_f64 = f64 (f64 f64): $e
v_fma_f64 = f64 (f64 f64 f64): fma(a,b,c)
v_fmac_f64 = f64 (f64 f64): fma(a,b,D(d))
v_{rcp: 1.0/a; rsq: 1.0/sqrt(a); sqrt: sqrt(a); floor: floor(a); ceil: ceil(a); trunc: trunc(a); rndne: rint(a); fract: a-floor(a)}_f64 = f64 (f64): $e
v_ldexp_f64 = f64 (f64 i32): ldexp(a,b)
v_frexp_exp_i32_f64 = i32 (f64): exponent_of(a)
v_frexp_mant_f64 = f64 (f64): mantissa_of(a)
v_div_fixup_f64 = f64 (f64 f64 f64): div_fixup64(a,b,c)
v_div_fmas_f64 = f64 (f64 f64 f64): div_fmas64(a,b,c,VCC(w)>>l&1)
# conversions
v_cvt_f32_{i32; u32; f64; f16; bf16} = f32 ($1): (f32)a
v_cvt_f64_{f32; i32; u32} = f64 ($1): (f64)a
v_cvt_i32_{f32; f64} = i32 ($1): to_i32(a)
v_cvt_u32_{f32; f64} = u32 ($1): to_u32(a)
v_cvt_f16_{f32; u16; i16} = f16 ($1): (f16)a
v_cvt_u16_f16 = u16 (f16): a!=a?0:a>65535?65535:a<0?0:(u16)(f32)a
v_cvt_i16_f16 = i16 (f16): a!=a?0:a>32767?32767:a<-32768?-32768:(i16)(f32)a
v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32 = i32 (f32): to_i32(floor((f64)a+0.5))
v_cvt_flr_i32_f32 v_cvt_floor_i32_f32 = i32 (f32): to_i32(floor(a))
v_cvt_f32_ubyte{0; 1; 2; 3} = f32 (u32): (f32)(a>>8*$1&255)
v_cvt_f32_fp8 = f32 (b32): from_fp8(a)
v_cvt_f32_bf8 = f32 (b32): from_bf8(a)
v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32 = b32 (f32 f32): truncate_f16(a)|truncate_f16(b)<<16
v_cvt_pk_f16_f32 = b32 (f32 f32): UH((f16)a)|UH((f16)b)<<16
v_cvt_pk_bf16_f32 = b32 (f32 f32): UB(a)|UB(b)<<16
v_cvt_pk_u8_f32 = b32 (f32 u32 b32): (c&~(255u<<8*(b&3)))|saturate_u8(a)<<8*(b&3)
v_cvt_pk_u16_u32 = b32 (u32 u32): (a>65535?65535:a)|(b>65535?65535:b)<<16
v_cvt_pk_i16_i32 = b32 (i32 i32): pack16(clamp_i32(a,-32768,32767),clamp_i32(b,-32768,32767))
v_cvt_pk_i16_f32 = b32 (f32 f32): pack16(clamp_i32(to_i32(a),-32768,32767),clamp_i32(to_i32(b),-32768,32767))
v_cvt_pknorm_i16_f32 v_cvt_pk_norm_i16_f32 = b32 (f32 f32): pack16((i32)rintf(median(a,-1,1)*32767),(i32)rintf(median(b,-1,1)*32767))
v_cvt_pknorm_u16_f32 v_cvt_pk_norm_u16_f32 = b32 (f32 f32): pack16((u32)rintf(clamp01(a)*65535),(u32)rintf(clamp01(b)*65535))
v_sat_pk_u8_i16 = b16 (b32): clamp_i32((i16)a,0,255)|clamp_i32((i16)(a>>16),0,255)<<8
v_ashr_pk_i8_i32 = b32 (i32 i32 u32): (d&0xffff0000)|(clamp_i32(a>>(c&31),-128,127)&255)|(clamp_i32(b>>(c&31),-128,127)&255)<<8
v_ashr_pk_u8_i32 = b32 (i32 i32 u32): (d&0xffff0000)|clamp_i32(a>>(c&31),0,255)|clamp_i32(b>>(c&31),0,255)<<8
# bits
v_{and: a&b; or: a|b; xor: a^b}_b{32; 16} = b$2 (b$2 b$2): $e
v_xnor_b32 = b32 (b32 b32): ~(a^b)
v_{lshl_or_b32: (a<<(b&31))|c; and_or_b32: (a&b)|c; or3_b32: a|b|c; xor3_b32: a^b^c; bfi_b32: (a&b)|(~a&c)} = u32 (u32 u32 u32): $e
v_{lshl_add_u32: (a<<(b&31))+c; add_lshl_u32: (a+b)<<(c&31); add3_u32: a+b+c; xad_u32: (a^b)+c; sad_u32: (a>b?a-b:b-a)+c} = u32 (u32 u32 u32): $e
v_alignbit_b32 = u32 (u32 u32 u32): (u32)(((u64)a<<32|b)>>(c&31))
v_alignbyte_b32 = u32 (u32 u32 u32): (u32)(((u64)a<<32|b)>>8*(c&3))
v_perm_b32 = u32 (u32 u32 u32): permute_bytes(a,b,c)
v_bfe_u32 = u32 (u32 u32 u32): (u32)bit_field(a,b&31,c&31)
v_bfe_i32 = i32 (i32 u32 u32): (i32)signed_bit_field(a,b&31,c&31,32)
v_bfm_b32 = u32 (u32 u32): ((1u<<(a&31))-1)<<(b&31)
v_lshlrev_b32 = u32 (u32 u32): b<<(a&31)
v_lshrrev_b32 = u32 (u32 u32): b>>(a&31)
v_ashrrev_i32 = i32 (u32 i32): b>>(a&31)
v_lshlrev_b64 = u64 (u32 u64): b<<(a&63)
v_lshrrev_b64 = u64 (u32 u64): b>>(a&63)
v_ashrrev_i64 = i64 (u32 i64): b>>(a&63)
v_lshlrev_b16 = u16 (u16 u16): b<<(a&15)
v_lshrrev_b16 = u16 (u16 u16): b>>(a&15)
v_ashrrev_i16 = i16 (u16 i16): b>>(a&15)
v_bcnt_u32_b32 = u32 (u32 u32): __builtin_popcount(a)+b
v_mbcnt_lo_u32_b32 = u32 (u32 u32): __builtin_popcount(a&(u32)lanes_below(l))+b
v_mbcnt_hi_u32_b32 = u32 (u32 u32): __builtin_popcount(a&(u32)(lanes_below(l)>>32))+b
v_ffbh_u32 v_clz_i32_u32 = u32 (u32): a?__builtin_clz(a):~0u
v_ffbl_b32 v_ctz_i32_b32 = u32 (u32): a?__builtin_ctz(a):~0u
v_ffbh_i32 v_cls_i32 = u32 (i32): sign_bits(a)
v_pack_b32_f16 = b32 (b16 b16): (u32)a|(u32)b<<16
v_prng_b32 = u32 (u32): (a<<1)^((a>>31)?197u:0u)
# integers
v_add_u32 v_add_nc_u32 v_add_i32 v_add_nc_i32 = u32 (u32 u32): a+b
v_sub_u32 v_sub_nc_u32 v_sub_i32 v_sub_nc_i32 = u32 (u32 u32): a-b
v_subrev_u32 v_subrev_nc_u32 = u32 (u32 u32): b-a
v_mul_u32_u24 = u32 (u24 u24): a*b
v_mul_hi_u32_u24 = u32 (u24 u24): (u32)((u64)a*b>>32)
v_mul_i32_i24 = i32 (i24 i24): (i32)((u32)a*(u32)b)
v_mul_hi_i32_i24 = i32 (i24 i24): (i32)((i64)a*b>>32)
v_mad_u32_u24 = u32 (u24 u24 u32): a*b+c
v_mad_i32_i24 = i32 (i24 i24 i32): (u32)a*(u32)b+(u32)c
v_mul_lo_u32 = u32 (u32 u32): a*b
v_mul_hi_u32 = u32 (u32 u32): (u32)((u64)a*b>>32)
v_mul_hi_i32 = i32 (i32 i32): (i32)((i64)a*b>>32)
v_lshl_add_u64 = u64 (u64 u32 u64): (a<<(b&7))+c
v_min_{u32; i32; u16; i16} = $1 ($1 $1): a<b?a:b
v_max_{u32; i32; u16; i16} = $1 ($1 $1): a>b?a:b
v_min3_{u32; i32; u16; i16} = $1 ($1 $1 $1): MIN(MIN(a,b),c)
v_max3_{u32; i32; u16; i16} = $1 ($1 $1 $1): MAX(MAX(a,b),c)
v_med3_{u32; i32; u16; i16} = $1 ($1 $1 $1): MAX(MIN(a,b),MIN(MAX(a,b),c))
v_minmax_{u32; i32} = $1 ($1 $1 $1): MAX(MIN(a,b),c)
v_maxmin_{u32; i32} = $1 ($1 $1 $1): MIN(MAX(a,b),c)
v_add_u16 v_add_nc_u16 = u16 (u16 u16): a+b
v_sub_u16 v_sub_nc_u16 = u16 (u16 u16): a-b
v_subrev_u16 = u16 (u16 u16): b-a
v_mul_lo_u16 = u16 (u16 u16): a*b
v_mad_{u16; i16} = $1 ($1 $1 $1): a*b+c
v_mad_legacy_{u16; i16} = $1 ($1 $1 $1): a*b+c
v_mad_u32_u16 = u32 (u16 u16 u32): (u32)a*b+c
v_mad_i32_i16 = i32 (i16 i16 i32): a*b+c
# f16
v_{add: a+b; sub: a-b; subrev: b-a; mul: a*b}_f16 = f16 (f16 f16): $e
v_max{; _num}_f16 = f16 (f16 f16): (f16)maxnum(a,b)
v_min{; _num}_f16 = f16 (f16 f16): (f16)minnum(a,b)
v_max3{; _num}_f16 = f16 (f16 f16 f16): (f16)maxnum(maxnum(a,b),c)
v_min3{; _num}_f16 = f16 (f16 f16 f16): (f16)minnum(minnum(a,b),c)
v_med3{; _num}_f16 = f16 (f16 f16 f16): (f16)median(a,b,c)
v_{maximum; minimum}_f16 = f16 (f16 f16): (f16)$1(a,b)
v_fma_f16 v_fmaak_f16 v_fmamk_f16 = f16 (f16 f16 f16): fma16(a,b,c)
v_fmac_f16 = f16 (f16 f16): fma16(a,b,H(d))
v_{rcp: 1.0/(f64)a; rsq: 1.0/sqrt((f64)a); sqrt: sqrt((f64)a); exp: exp2((f64)a); log: log2((f64)a)}_f16 = f16 (f16): (f16)($e)
v_{floor; ceil; trunc}_f16 = f16 (f16): (f16)$1((f64)a)
v_rndne_f16 = f16 (f16): (f16)rint((f64)a)
v_fract_f16 = f16 (f16): (f16)((f64)a-floor((f64)a))
v_{sin; cos}_f16 = f16 (f16): (f16)$1((f64)a*TWO_PI)
v_frexp_mant_f16 = f16 (f16): (f16)mantissa_of(a)
v_frexp_exp_i16_f16 = i16 (f16): exponent_of(a)
v_ldexp_f16 = f16 (f16 i16): (f16)ldexp((f64)a,b)
v_div_fixup_f16 = f16 (f16 f16 f16): (f16)fixQuotient(a,b,c)
# dot products onto the destination
v_dot2c_f32_f16 = f32 (b32 b32): F(d)+(f32)H(a)*(f32)H(b)+(f32)H(a>>16)*(f32)H(b>>16)
v_dot2c_f32_bf16 = f32 (b32 b32): F(d)+B(a&0xffff)*B(b&0xffff)+B(a>>16)*B(b>>16)
v_dot4c_i32_i8 = i32 (b32 b32): (i32)d+(i8)a*(i8)b+(i8)(a>>8)*(i8)(b>>8)+(i8)(a>>16)*(i8)(b>>16)+(i8)(a>>24)*(i8)(b>>24)
"""
)

# Two halves of a register at once.
PACKED16 = table.read(
    """
v_pk_{add: a+b; mul: a*b}_f16 = f16 (f16 f16): $e
v_pk_max{; _num}_f16 = f16 (f16 f16): (f16)maxnum(a,b)
v_pk_min{; _num}_f16 = f16 (f16 f16): (f16)minnum(a,b)
v_pk_{maximum; minimum}_f16 = f16 (f16 f16): (f16)$1(a,b)
v_pk_{maximum; minimum}3_f16 = f16 (f16 f16 f16): (f16)$1($1(a,b),c)
v_pk_fma_f16 = f16 (f16 f16 f16): fma16(a,b,c)
v_pk_fmac_f16 = f16 (f16 f16): fma16(a,b,d)
v_pk_{add: a+b; sub: a-b; max: a>b?a:b; min: a<b?a:b}_{u16; i16} = $2 ($2 $2): $e
v_pk_mad_{u16; i16} = $1 ($1 $1 $1): a*b+c
v_pk_mul_lo_u16 = u16 (u16 u16): a*b
v_pk_lshlrev_b16 = u16 (u16 u16): b<<(a&15)
v_pk_lshrrev_b16 = u16 (u16 u16): b>>(a&15)
v_pk_ashrrev_i16 = i16 (u16 i16): b>>(a&15)
"""
)
# Two registers at once.
PACKED32 = table.read(
    """
v_pk_add_f32 = f32 (f32 f32): a+b
v_pk_mul_f32 = f32 (f32 f32): a*b
v_pk_fma_f32 = f32 (f32 f32 f32): fma32(a,b,c)
"""
)
