//! The command `deepen`.
fn main() {}
