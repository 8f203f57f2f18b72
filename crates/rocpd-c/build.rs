//! Names the shared library as programs that link it will look for it.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,librocpd.so.0");
    println!("cargo:rerun-if-changed=build.rs");
}
