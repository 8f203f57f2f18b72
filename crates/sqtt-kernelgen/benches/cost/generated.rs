//! A HIP module like those that people instrument: 200 device functions in three layers, 20 kernels. Always the same
//! one, so that measurements of two days can be compared.

use sqtt_kernelgen::rng::Rng;
use std::fmt::Write as _;

/// Device functions of the module, layer by layer; a function calls only into layers before its own.
const LAYERS: [usize; 3] = [110, 60, 30];
/// Kernels of the module.
pub(crate) const KERNELS: usize = 20;
/// Device functions of the module.
pub(crate) const FUNCTIONS: usize = LAYERS[0] + LAYERS[1] + LAYERS[2];
/// Integer variables of a function.
const VARIABLES: usize = 6;

/// The module's source. It includes `kernel.hpp` of the examples.
pub(crate) fn source() -> String {
    let mut writer = Writer {
        random: Rng::new(0x5DEE_CE66_809D_1A0F),
        out: String::from("#include \"kernel.hpp\"\n"),
        depth: 0,
    };
    let mut first = 0;
    for size in LAYERS {
        for function in first..first + size {
            writer.function(function, first);
        }
        first += size;
    }
    for kernel in 0..KERNELS {
        writer.kernel(kernel);
    }
    let is_called = |function| writer.out.contains(&format!("+= f{function}("));
    assert!((0..FUNCTIONS).all(is_called), "every function has a caller");
    writer.out
}

/// One kernel of so many points, with a step of arithmetic before each. The steps have no operand in common, and none is
/// a sum of products or a square: LLVM is quadratic in such by itself.
pub(crate) fn points(count: usize) -> String {
    const NAMES: usize = 50;
    let mut out = String::from(
        "#include \"kernel.hpp\"\n#include \"markers.hpp\"\n\
         extern \"C\" __global__ void k(unsigned *p) {\n  unsigned x = p[threadIdx.x];\n",
    );
    for point in 0..count {
        let (factor, name) = (2 * point + 3, point % NAMES);
        let _ = writeln!(out, "  x = (x ^ {point}u) * {factor}u; sqtt_marker_point(\"p{name}\");");
    }
    out.push_str("  p[threadIdx.x] = x;\n}\n");
    out
}

struct Writer {
    random: Rng,
    out: String,
    depth: usize,
}

impl Writer {
    fn variable(&mut self) -> String {
        format!("v{}", self.random.below(VARIABLES))
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 2 * (self.depth + 1));
    }

    /// Every other function is kept from the inliner; the others are its to judge.
    fn function(&mut self, index: usize, callable: usize) {
        let kept = if index.is_multiple_of(2) { "__attribute__((noinline)) " } else { "" };
        let _ = writeln!(
            self.out,
            "\n{kept}__device__ unsigned f{index}(unsigned a, unsigned b, const unsigned *in, unsigned n) {{"
        );
        let shared = self.random.below(4) == 0;
        if shared {
            self.line("__shared__ unsigned shared[64];");
        }
        self.line("unsigned v0 = a, v1 = b, v2 = a ^ b, v3 = a + b, v4 = n, v5 = a * b;");
        self.line("float x = static_cast<float>(a);");
        let statements = 2 + self.random.below(4);
        for _ in 0..statements {
            self.statement();
        }
        if shared {
            self.exchange();
        }
        if callable > 0 {
            for _ in 0..=self.random.below(2) {
                let callee = self.random.below(callable);
                self.call(callee);
            }
        }
        self.line("return v0 ^ v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ static_cast<unsigned>(x);");
        self.out.push_str("}\n");
    }

    /// Every kernel calls ten functions; together they call all.
    fn kernel(&mut self, index: usize) {
        let _ = writeln!(
            self.out,
            "\nextern \"C\" __global__ void k{index}(const unsigned *in, unsigned *out, unsigned n) {{"
        );
        self.line("const unsigned a = blockIdx.x * blockDim.x + threadIdx.x;");
        self.line("unsigned v0 = a, v1 = n, v2 = a ^ n, v3 = in[a], v4 = a + 1, v5 = a * n;");
        self.line("float x = static_cast<float>(a);");
        for function in (index..FUNCTIONS).step_by(KERNELS) {
            self.call(function);
        }
        self.line("out[a] = v0 ^ v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ static_cast<unsigned>(x);");
        self.out.push_str("}\n");
    }

    fn call(&mut self, callee: usize) {
        let (to, a, b) = (self.variable(), self.variable(), self.variable());
        self.line(&format!("{to} += f{callee}({a}, {b}, in, n);"));
    }

    /// Through LDS, with a barrier between.
    fn exchange(&mut self) {
        let (value, to) = (self.variable(), self.variable());
        let distance = 1 + self.random.below(31);
        self.line(&format!("shared[threadIdx.x & 63] = {value};"));
        self.line("__syncthreads();");
        self.line(&format!("{to} ^= shared[(threadIdx.x ^ {distance}) & 63];"));
        self.line("__syncthreads();");
    }

    fn statement(&mut self) {
        let kinds = if self.depth < 2 { 6 } else { 4 };
        match self.random.below(kinds) {
            0 | 1 => self.integers(),
            2 => {
                let (to, from) = (self.variable(), self.variable());
                self.line(&format!("{to} += in[{from} & 1023];"));
            }
            3 => {
                let (factor, from) = (2 + self.random.below(9), self.variable());
                self.line(&format!("x = x * 0.{factor}f + static_cast<float>({from});"));
            }
            4 => {
                let mask = (2 << self.random.below(6)) - 1;
                self.block(&format!("for (unsigned i = 0; i < (n & {mask}); ++i) {{"));
            }
            _ => {
                let (value, bit) = (self.variable(), 1 << self.random.below(8));
                self.block(&format!("if ({value} & {bit}) {{"));
            }
        }
    }

    fn integers(&mut self) {
        for _ in 0..2 {
            let (to, a, b) = (self.variable(), self.variable(), self.variable());
            let (factor, shift) = (3 + self.random.below(1000), 1 + self.random.below(15));
            self.line(&format!("{to} = {a} * {factor}u + ({b} >> {shift});"));
        }
    }

    fn block(&mut self, head: &str) {
        self.line(head);
        self.depth += 1;
        for _ in 0..2 + self.random.below(2) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }
}
