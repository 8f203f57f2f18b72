//! Cuts an instruction's text into operands and modifiers.

/// Splits at commas outside brackets; what follows the last operand after a blank is modifiers.
pub(crate) fn operands(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut operands = Vec::new();
    let mut rest = text.trim();
    if rest.is_empty() {
        return (operands, Vec::new());
    }
    loop {
        match cut(rest, ',') {
            Some((head, tail)) if !is_modifier(head) && cut(head.trim(), ' ').is_none() => {
                operands.push(head.trim());
                rest = tail.trim_start();
            }
            _ => break,
        }
    }
    let mut words = Vec::new();
    let mut tail = rest;
    while let Some((head, more)) = cut(tail, ' ') {
        words.push(head);
        tail = more.trim_start();
    }
    words.push(tail);
    words.retain(|w| !w.is_empty());
    if words.first().is_some_and(|w| !is_modifier(w)) {
        operands.push(words.remove(0).trim_end_matches(','));
    }
    (operands, words)
}

/// A word with a colon outside brackets is a modifier (`offset:4`), as are a few lone words.
fn is_modifier(word: &str) -> bool {
    let head = word.split(['[', '(', '|']).next().unwrap_or("");
    head.contains(':') || matches!(head, "glc" | "slc" | "gds" | "clamp" | "offen" | "idxen")
}

/// Splits at the first `separator` outside brackets.
fn cut(text: &str, separator: char) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (k, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => return Some((&text[..k], &text[k + c.len_utf8()..])),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::operands;

    #[test]
    fn operands_and_modifiers() {
        let (o, m) = operands("v1, v[2:3], off offset:4 glc");
        assert_eq!((o, m), (vec!["v1", "v[2:3]", "off"], vec!["offset:4", "glc"]));
        let (o, m) = operands("v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf");
        assert_eq!(o, ["v0", "v1"]);
        assert_eq!(m, ["quad_perm:[0,1,2,3]", "row_mask:0xf", "bank_mask:0xf"]);
        let (o, m) = operands("s0, hwreg(HW_REG_HW_ID1, 0, 4)");
        assert_eq!((o, m), (vec!["s0", "hwreg(HW_REG_HW_ID1, 0, 4)"], vec![]));
        let (o, m) = operands("v2, v1 offset:swizzle(BITMASK_PERM, \"00p1i\")");
        assert_eq!((o, m), (vec!["v2", "v1"], vec!["offset:swizzle(BITMASK_PERM, \"00p1i\")"]));
        let (o, m) = operands("v0, |v1|, -v2 clamp mul:2");
        assert_eq!((o, m), (vec!["v0", "|v1|", "-v2"], vec!["clamp", "mul:2"]));
        assert_eq!(operands(""), (vec![], vec![]));
    }
}
