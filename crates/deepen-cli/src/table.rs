//! `deepen table`: building, listing, checking and removing stored tables.

use std::path::Path;
use std::time::Instant;

use deepen::table::{BuildError, Header, Listed, Store};
use deepen_puzzles::{Puzzle, PuzzleTask, with_puzzle};
use serde::Serialize;

use crate::Status;
use crate::arguments::{
    ListFormat, SetupArguments, StoreArguments, TableArguments, TableSubcommand, Which, wrong,
};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;

const COMMAND: &str = "table";

/// Does what the subcommand says.
pub(crate) fn run(arguments: &TableArguments, output: &Output) -> Result<Status, Failure> {
    match &arguments.what {
        TableSubcommand::Build { puzzle, setup } => with_puzzle(puzzle, Build { setup, output })
            .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into())),
        TableSubcommand::List { format, store } => list(store, *format, output),
        TableSubcommand::Verify { which } => verify(which, output),
        TableSubcommand::Remove { which, .. } => remove(which, output),
    }
}

/// Builds the tables of a puzzle.
struct Build<'a> {
    setup: &'a SetupArguments,
    output: &'a Output,
}

impl PuzzleTask for Build<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let interrupt = Interrupt::listen();
        let puzzle: P = self.setup.puzzle(COMMAND, &interrupt)?;
        let store = self.setup.store.store();
        let tables = puzzle.tables();
        if tables.is_empty() {
            self.output.write(&format!("{} has no tables\n", P::INFO.name))?;
        }
        for table in tables {
            let definition = table.definition();
            if !table.is_stored() {
                let entries = table.entries();
                self.output.write(&format!(
                    "{definition}: {entries} entries, built in every run that needs them\n"
                ))?;
                continue;
            }
            let stored = || store.as_ref().is_some_and(|store| store.path(definition).exists());
            let (before, began) = (stored(), Instant::now());
            match table.get() {
                // Searches do without the file where it can't be written; here it is the point.
                Ok(_) if !stored() => {
                    return Err(Failure::Table(format!("{definition}: not stored")));
                }
                Ok(built) => {
                    let line = format!(
                        "{definition}: {} entries of {} bits, {} bytes, greatest distance {}, {} in \
                         {:.3} s\n",
                        built.entries(),
                        built.width().bits(),
                        built.size(),
                        built.census().len().saturating_sub(1),
                        if before { "read" } else { "built" },
                        began.elapsed().as_secs_f64(),
                    );
                    self.output.write(&line)?;
                }
                Err(BuildError::Cancelled) => {
                    return Err(Failure::Interrupted(format!("no table of {definition}")));
                }
                Err(error) => {
                    return Err(Failure::Table(format!("{definition}: {error}")));
                }
            }
        }
        Ok(Status::Answered)
    }
}

/// A table, as it is listed.
#[derive(Serialize)]
struct Row<'a> {
    name: String,
    bytes: u64,
    definition: Option<&'a str>,
    entries: Option<u64>,
    bits: Option<usize>,
    greatest_distance: Option<usize>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    fn of(listed: &'a Listed) -> Self {
        let header = listed.header.as_ref().ok();
        let greatest = |header: &Header| header.census.len().saturating_sub(1);
        Row {
            name: name(&listed.path),
            bytes: listed.length,
            definition: header.map(|header| header.definition.as_str()),
            entries: header.map(|header| header.entries),
            bits: header.map(|header| header.width.bits()),
            greatest_distance: header.map(greatest),
            error: listed.header.as_ref().err().map(ToString::to_string),
        }
    }
}

fn list(
    arguments: &StoreArguments,
    format: ListFormat,
    output: &Output,
) -> Result<Status, Failure> {
    let store = wanted(arguments)?;
    let listed = listed(&store)?;
    for table in &listed {
        let row = Row::of(table);
        let line = match (format, &row.error) {
            (ListFormat::Json, _) => serde_json::to_string(&row).unwrap_or_default(),
            (ListFormat::Text, Some(error)) => {
                format!("{}  {} bytes  {error}", row.name, row.bytes)
            }
            (ListFormat::Text, None) => {
                format!("{}  {} bytes  {}", row.name, row.bytes, row.definition.unwrap_or_default())
            }
        };
        output.write(&(line + "\n"))?;
    }
    if format == ListFormat::Text {
        let tables = if listed.len() == 1 { "table" } else { "tables" };
        let count = listed.len();
        output.note(&format!("{count} {tables} in {}", store.folder().display()))?;
    }
    Ok(Status::Answered)
}

fn verify(which: &Which, output: &Output) -> Result<Status, Failure> {
    let store = wanted(&which.store)?;
    let mut damaged = 0;
    for table in chosen(&store, which)? {
        let name = name(&table.path);
        match store.verify(&table.path) {
            Ok(()) => output.write(&format!("{name}: good\n"))?,
            Err(error) => {
                damaged += 1;
                output.write(&format!("{name}: {error}\n"))?;
            }
        }
    }
    match damaged {
        0 => Ok(Status::Answered),
        1 => Err(Failure::Table("a table is not good".into())),
        damaged => Err(Failure::Table(format!("{damaged} tables are not good"))),
    }
}

fn remove(which: &Which, output: &Output) -> Result<Status, Failure> {
    let store = wanted(&which.store)?;
    for table in chosen(&store, which)? {
        let name = name(&table.path);
        store.remove(&table.path).map_err(|error| Failure::Table(error.to_string()))?;
        output.write(&format!("{name}: removed\n"))?;
    }
    Ok(Status::Answered)
}

fn wanted(arguments: &StoreArguments) -> Result<Store, Failure> {
    let nowhere = || wrong(COMMAND, "no folder for tables: --table-dir names one".into()).into();
    arguments.store().ok_or_else(nowhere)
}

fn listed(store: &Store) -> Result<Vec<Listed>, Failure> {
    store.list().map_err(|error| Failure::Table(error.to_string()))
}

/// The tables whose names begin as they should; all if there is no name.
fn chosen(store: &Store, which: &Which) -> Result<Vec<Listed>, Failure> {
    let mut listed = listed(store)?;
    if let Some(start) = &which.name {
        listed.retain(|table| name(&table.path).starts_with(start));
        if listed.is_empty() {
            let folder = store.folder().display();
            return Err(Failure::Table(format!("no table `{start}` in {folder}")));
        }
    }
    Ok(listed)
}

/// The name of a table's file, without its ending.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
