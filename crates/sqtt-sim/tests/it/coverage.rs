//! The report of fidelity.

use crate::asm::{self, Shape};
use sqtt_sim::{Fidelity, coverage_json, write_coverage};

#[test]
fn classes_of_instructions() {
    let body = "\tv_add_f32 v1, v2, v3\n\tv_rcp_f32 v1, v2\n\tv_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[2:3], v[4:7]\n\
                \tv_mfma_i32_4x4x4_16b_i8 v[4:7], v2, v3, v[4:7]\n\ts_memtime s[4:5]\n\tds_gws_init v0 gds\n\
                \tv_cvt_sr_fp8_f32 v1, v2, v3\n\tv_dot2_f32_f16 v1, v2, v3, v4\n";
    let program = asm::assemble(&asm::clang(), "gfx942", &asm::kernel("gfx942", 9, Shape::default(), body));
    let all: Vec<_> = program.coverage().filter(|i| i.function == Some("k")).collect();
    let named: Vec<_> = all.iter().map(|i| (i.mnemonic(), i.fidelity.name())).collect();
    let expected = [
        ("v_add_f32_e32", "exact"),
        ("v_rcp_f32_e32", "bounded"),
        ("v_mfma_f32_4x4x4_16b_f16", "bounded"),
        ("v_mfma_i32_4x4x4_16b_i8", "exact"),
        ("s_memtime", "bounded"),
        ("ds_gws_init", "refused"),
        ("v_cvt_sr_fp8_f32", "bounded"),
        ("v_dot2_f32_f16", "bounded"),
        ("s_endpgm", "exact"),
    ];
    assert_eq!(named, expected);
    assert!(all.iter().all(|i| (i.fidelity == Fidelity::Exact) == i.fidelity.text().is_empty()));

    let mut text = Vec::new();
    write_coverage(&mut text, &program, Some("k")).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("9 instructions for gfx942\n"), "{text}");
    assert!(text.contains("         3         5         1  k\n"), "{text}");
    assert!(text.contains("refused: "), "{text}");

    let json = coverage_json(&program, Some("k"));
    assert_eq!(json["functions"][0]["bounded"], 5);
    let lines = json["instructions"].as_array().unwrap();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[5]["line"], "v_dot2_f32_f16 v1, v2, v3, v4");
    // A function that is not there has none.
    assert_eq!(coverage_json(&program, Some("other"))["functions"].as_array().unwrap().len(), 0);
}
