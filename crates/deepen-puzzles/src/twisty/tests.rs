//! Small facts of twisty puzzles.

use std::sync::Arc;

use super::choose::choose;
use super::letters::{Metric, letters};
use super::space::Twists;
use super::tws;

fn space(text: &str) -> Twists {
    let definition = Arc::new(tws::read(text.as_bytes()).unwrap());
    let letters = letters(&definition, Metric::Half, None).unwrap();
    Twists::new(definition, letters, Metric::Half).unwrap()
}

#[test]
fn the_tables_of_the_3x3x3() {
    let space = space(include_str!("definitions/3x3x3.tws"));
    for entries in [8 << 20, 1 << 30, 3_000_000_000] {
        let names: Vec<String> = choose(&space, entries)
            .iter()
            .map(|product| {
                use deepen::table::Indexed;
                let views = product.coordinates.iter().map(|c| c.view().text(&space));
                format!("{} {}", views.collect::<Vec<_>>().join(" x "), product.size())
            })
            .collect();
        println!("{names:#?}");
    }
}
