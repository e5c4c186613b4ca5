//! Writing definitions and states in both languages.

use std::fmt::Write;

use super::json::quoted;
use super::model::{ANY, Definition, Pattern, Row, Set};

fn joined<T: ToString>(values: impl IntoIterator<Item = T>, between: &str) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(between)
}

/// The lines of a state that counts from `base`, up to its `End`.
pub(super) fn state_block(pattern: &Pattern, sets: &[Set], base: u16) -> String {
    let mut block = String::new();
    for (set, Row { pieces, orientations }) in sets.iter().zip(&pattern.rows) {
        let pieces = joined(pieces.iter().map(|&piece| u16::from(piece) + base), " ");
        let _ = writeln!(block, "{}\n{pieces}", set.name);
        if orientations.iter().any(|&turn| turn != 0) {
            let turn = |&turn: &u8| if turn == ANY { "?".into() } else { turn.to_string() };
            let _ = writeln!(block, "{}", joined(orientations.iter().map(turn), " "));
        }
    }
    block + "End\n"
}

/// A definition in the language `.tws`.
pub(super) fn tws(definition: &Definition) -> String {
    let Definition { name, sets, solved, moves, illegal, sequences, .. } = definition;
    let mut text = String::new();
    // (A name from JSON may have blanks, or be nothing else.)
    if let Some(name) = name
        && name.split_whitespace().next().is_some()
    {
        let _ = writeln!(text, "Name {}\n", joined(name.split_whitespace(), "_"));
    }
    for Set { name, pieces, orientations } in sets {
        let _ = writeln!(text, "Set {name} {pieces} {orientations}");
    }
    let _ = write!(text, "\nStartState\n{}", state_block(solved, sets, 0));
    for mv in moves {
        let _ = writeln!(text, "\nMoveTransformation {}", mv.name);
        for (&set, part) in &mv.transformation.parts {
            let _ = writeln!(text, "{}\n{}", sets[set].name, joined(&part.from, " "));
            if part.turn.iter().any(|&turn| turn != 0) {
                let _ = writeln!(text, "{}", joined(&part.turn, " "));
            }
        }
        text += "End\n";
    }
    for illegal in illegal {
        let pieces = joined(illegal.pieces.iter().map(|&piece| u16::from(piece) + 1), " ");
        let slot = u16::from(illegal.slot) + 1;
        let _ = writeln!(text, "\nIllegal {} {slot} {pieces}", sets[illegal.set].name);
    }
    for sequence in sequences {
        let keyword = if sequence.words.len() == 1 { "MoveAlias" } else { "MoveSequence" };
        let _ = writeln!(text, "\n{keyword} {} {}", sequence.name, sequence.words.join(" "));
    }
    text
}

/// A state as a KPuzzle pattern, on one line.
pub(super) fn pattern(pattern: &Pattern, sets: &[Set]) -> String {
    let rows = sets.iter().zip(&pattern.rows).map(|(set, row)| {
        let turns = row.orientations.iter().map(|&turn| if turn == ANY { 0 } else { turn });
        let mut text = format!(
            "{}: {{\"pieces\": [{}], \"orientation\": [{}]",
            quoted(&set.name),
            joined(&row.pieces, ", "),
            joined(turns, ", "),
        );
        if row.orientations.contains(&ANY) {
            let moduli = row.orientations.iter().map(|&turn| u8::from(turn == ANY));
            let _ = write!(text, ", \"orientationMod\": [{}]", joined(moduli, ", "));
        }
        text + "}"
    });
    format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
}

/// A definition as KPuzzle JSON; `None` if it has what that can't say: illegal positions.
pub(super) fn kpuzzle(definition: &Definition) -> Option<String> {
    let Definition { name, sets, solved, moves, illegal, sequences, .. } = definition;
    if !illegal.is_empty() {
        return None;
    }
    let name =
        name.as_ref().map_or(String::new(), |name| format!("\n  \"name\": {},", quoted(name)));
    let orbits = sets.iter().map(|Set { name, pieces, orientations }| {
        let name = quoted(name);
        format!(
            "    {{\"orbitName\": {name}, \"numPieces\": {pieces}, \"numOrientations\": {orientations}}}"
        )
    });
    let moves = moves.iter().map(|mv| {
        let parts = sets.iter().enumerate().map(|(index, set)| {
            let same = super::model::Part::identity(set.pieces);
            let part = mv.transformation.parts.get(&index).unwrap_or(&same);
            format!(
                "      {}: {{\"permutation\": [{}], \"orientationDelta\": [{}]}}",
                quoted(&set.name),
                joined(&part.from, ", "),
                joined(&part.turn, ", "),
            )
        });
        let parts = parts.collect::<Vec<_>>().join(",\n");
        format!("    {}: {{\n{parts}\n    }}", quoted(&mv.name))
    });
    let mut text = format!(
        "{{{name}\n  \"orbits\": [\n{}\n  ],\n  \"defaultPattern\": {},\n  \"moves\": {{\n{}\n  }}",
        orbits.collect::<Vec<_>>().join(",\n"),
        pattern(solved, sets),
        moves.collect::<Vec<_>>().join(",\n"),
    );
    if !sequences.is_empty() {
        let derived = sequences.iter().map(|sequence| {
            format!("    {}: {}", quoted(&sequence.name), quoted(&sequence.words.join(" ")))
        });
        let derived = derived.collect::<Vec<_>>().join(",\n");
        let _ = write!(text, ",\n  \"derivedMoves\": {{\n{derived}\n  }}");
    }
    Some(text + "\n}\n")
}
