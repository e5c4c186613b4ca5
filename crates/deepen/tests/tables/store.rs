//! Stored tables: what is opened is what was written, or it is refused.
//!
//! Other processes are this test program itself, started again to run [`another_process`] alone.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deepen::CancelToken;
use deepen::table::{BuildError, Fault, Kept, Source, Store, StoreError, Table, TableBuild, Width};

use crate::graph::Graph;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("deepen-tables-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        Folder(folder)
    }

    fn store(&self) -> Store {
        Store::new(&self.0)
    }

    /// The names of the files with that extension.
    fn names(&self, extension: &str) -> Vec<String> {
        let paths = fs::read_dir(&self.0).unwrap().map(|file| file.unwrap().path());
        let wanted = paths.filter(|path| path.extension() == Some(OsStr::new(extension)));
        wanted.map(|path| path.file_name().unwrap().to_str().unwrap().into()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const DEFINITION: &str = "a path of 100 nodes: distances to its end, 4/5 of them «far»";

/// A table in four bits.
fn table() -> Result<Table, BuildError> {
    let graph = Graph::random(300, 500, 2, 1, true, 3);
    let table = TableBuild::default().build(&graph, graph.goals.iter().copied())?;
    Ok(table.packed(Width::Four).unwrap())
}

fn open_or_build(store: &Store) -> Kept {
    store.open_or_build(DEFINITION, &CancelToken::new(), || (), table).unwrap()
}

/// Stores the table; the file.
fn stored(folder: &Folder) -> PathBuf {
    let kept = open_or_build(&folder.store());
    assert_eq!(kept.source, Source::Built);
    assert!(kept.warning.is_none());
    folder.store().path(DEFINITION)
}

/// What is wrong with the file of the table.
fn fault(store: &Store) -> Fault {
    match store.open(DEFINITION) {
        Err(StoreError::Unusable { path, fault }) => {
            assert_eq!(path, store.path(DEFINITION));
            // It is no obstacle, and stays as it is.
            let before = fs::read(&path).ok();
            let kept = open_or_build(store);
            assert_eq!((&kept.table, kept.source), (&table().unwrap(), Source::Built));
            assert!(matches!(kept.warning, Some(StoreError::Unusable { .. })));
            assert_eq!(fs::read(&path).ok(), before);
            fault
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_table_is_built_once_and_opened_the_next_time() {
    let folder = Folder::new();
    let store = folder.store();
    assert!(store.open(DEFINITION).unwrap().is_none());
    assert!(store.list().unwrap().is_empty());
    stored(&folder);
    let kept = open_or_build(&store);
    assert_eq!(kept.source, Source::Opened);
    assert!(kept.warning.is_none());
    assert_eq!(kept.table, table().unwrap());
    assert_eq!(store.open(DEFINITION).unwrap(), Some(table().unwrap()));
    assert!(store.open("something else").unwrap().is_none());
    assert_eq!(folder.names("part"), [""; 0]);
}

#[test]
fn every_width_and_number_of_entries_is_stored() {
    let folder = Folder::new();
    for nodes in [0, 1, 2, 3, 4, 5, 15, 4096, 10_000] {
        let graph = Graph::random(nodes, nodes, 2.min(nodes), 1, true, 9);
        let eight = TableBuild::default().build(&graph, graph.goals.iter().copied()).unwrap();
        for width in [Width::One, Width::Two, Width::Four, Width::Eight] {
            let Some(table) = eight.packed(width) else { continue };
            let definition = format!("{nodes} in {}", width.bits());
            let again = eight.packed(width).unwrap();
            let build = || Ok(again);
            let cancel = CancelToken::new();
            folder.store().open_or_build(&definition, &cancel, || (), build).unwrap();
            assert_eq!(folder.store().open(&definition).unwrap(), Some(table));
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let folder = Folder::new();
    let path = stored(&folder);
    let whole = fs::read(&path).unwrap();
    // (Not written anew each time: the system then waits for the disk.)
    let file = fs::File::options().write(true).open(&path).unwrap();
    for length in (0..whole.len()).rev() {
        file.set_len(length as u64).unwrap();
        match folder.store().open(DEFINITION) {
            Err(StoreError::Unusable { fault: Fault::Truncated { found, expected }, .. }) => {
                assert_eq!(found, length as u64);
                assert!(found < expected && expected <= whole.len() as u64);
            }
            other => panic!("cut off at {length}: {other:?}"),
        }
    }
    assert!(matches!(fault(&folder.store()), Fault::Truncated { .. }));
    fs::write(&path, &whole).unwrap();
    assert!(folder.store().open(DEFINITION).unwrap().is_some());
    fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
    assert!(matches!(fault(&folder.store()), Fault::Damaged(_)));
}

#[test]
fn a_file_with_any_byte_changed_is_refused() {
    let folder = Folder::new();
    let path = stored(&folder);
    let whole = fs::read(&path).unwrap();
    let mut file = fs::File::options().write(true).open(&path).unwrap();
    let mut put = |place: usize, byte: u8| {
        file.seek(SeekFrom::Start(place as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    for (place, &byte) in whole.iter().enumerate() {
        for flip in [1, 0xff] {
            put(place, byte ^ flip);
            let opened = folder.store().open(DEFINITION);
            assert!(matches!(opened, Err(StoreError::Unusable { .. })), "byte {place}: {opened:?}");
        }
        put(place, byte);
    }
    assert!(folder.store().open(DEFINITION).unwrap().is_some());
    put(whole.len() - 1, whole[whole.len() - 1] ^ 16);
    assert_eq!(fault(&folder.store()), Fault::Damaged("its entries do not match their checksum"));
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let folder = Folder::new();
    let store = folder.store();
    let path = stored(&folder);
    let whole = fs::read(&path).unwrap();

    fs::write(&path, [&whole[..16], &[2], &whole[17..]].concat()).unwrap();
    assert_eq!(fault(&store), Fault::Version { found: 2 });
    fs::write(&path, "a text that somebody put here\n".repeat(1000)).unwrap();
    assert_eq!(fault(&store), Fault::Foreign);
    fs::write(&path, "").unwrap();
    assert!(matches!(fault(&store), Fault::Truncated { found: 0, .. }));
    fs::write(&path, "x").unwrap();
    assert_eq!(fault(&store), Fault::Foreign);

    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(fault(&store), Fault::Foreign);
    fs::remove_dir(&path).unwrap();

    // The table of something else under this name.
    let cancel = CancelToken::new();
    store.open_or_build("something else", &cancel, || (), table).unwrap();
    fs::rename(store.path("something else"), &path).unwrap();
    let [found, expected] = ["something else", DEFINITION].map(String::from);
    assert_eq!(fault(&store), Fault::Definition { found, expected });
    assert!(store.verify(&path).unwrap_err().to_string().contains("name"));
}

#[test]
fn a_message_says_which_file_what_is_wrong_and_what_to_do() {
    let folder = Folder::new();
    let path = stored(&folder);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..4100]).unwrap();
    let message = folder.store().open(DEFINITION).unwrap_err().to_string();
    let expected = format!(
        "{} is cut off: it has 4100 bytes and should have at least 4246; remove it, and it is made \
         anew when it is needed",
        path.display()
    );
    assert_eq!(message, expected);
}

#[test]
fn files_are_named_after_their_definition() {
    let store = Store::new("tables");
    let name =
        |definition| store.path(definition).file_name().unwrap().to_str().unwrap().to_string();
    let path = name(DEFINITION);
    assert!(path.starts_with("a-path-of-100-nodes-distances-"), "{path}");
    assert!(path.is_ascii());
    for other in
        ["", "a", "../..", "/", "a path of 100 nodes: distances to its end, 4/5 of them far"]
    {
        assert_ne!(name(other), path);
        assert_eq!(store.path(other).parent(), Some(Path::new("tables")));
    }
}

#[test]
fn a_store_lists_verifies_and_removes() {
    let folder = Folder::new();
    let store = folder.store();
    let path = stored(&folder);
    let cancel = CancelToken::new();
    store.open_or_build("zzz", &cancel, || (), table).unwrap();
    fs::write(folder.0.join("zzzz.table"), "nothing").unwrap();
    fs::write(folder.0.join("notes.txt"), "nothing").unwrap();
    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 3);
    let [first, second, third] = &listed[..] else { panic!() };
    assert_eq!((&first.path, first.length), (&path, 4096 + 150));
    let header = first.header.as_ref().unwrap();
    assert_eq!(header.definition, DEFINITION);
    assert_eq!((header.entries, header.width), (300, Width::Four));
    assert_eq!(header.census, table().unwrap().census());
    assert_eq!(header.file_length(), first.length);
    assert_eq!(second.header.as_ref().unwrap().definition, "zzz");
    assert!(matches!(third.header, Err(StoreError::Unusable { fault: Fault::Foreign, .. })));

    store.verify(&first.path).unwrap();
    assert!(store.verify(&third.path).is_err());
    let mut bytes = fs::read(&path).unwrap();
    bytes[4200] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(store.list().unwrap()[0].header.is_ok());
    assert!(store.verify(&path).is_err());

    let open = store.open("zzz").unwrap().unwrap();
    for file in &listed {
        store.remove(&file.path).unwrap();
    }
    assert!(store.list().unwrap().is_empty());
    assert!(matches!(store.remove(&path), Err(StoreError::Unwritable { .. })));
    // Who has it open keeps it.
    assert_eq!(open, table().unwrap());
}

#[test]
fn building_that_fails_leaves_nothing() {
    let folder = Folder::new();
    let store = folder.store();
    let cancelled = CancelToken::new();
    let cancel = || {
        cancelled.cancel();
        Err(BuildError::Cancelled)
    };
    let failed = store.open_or_build(DEFINITION, &cancelled, || (), cancel);
    assert_eq!(failed.unwrap_err(), BuildError::Cancelled);
    assert!(store.list().unwrap().is_empty());
    assert_eq!(folder.names("part"), [""; 0]);
    // Cancelled, it is still opened if it is there.
    stored(&folder);
    let opened = store.open_or_build(DEFINITION, &cancelled, || (), || panic!("built again"));
    assert_eq!(opened.unwrap().source, Source::Opened);
}

#[test]
fn a_folder_that_can_not_be_used_does_not_keep_one_from_the_table() {
    let folder = Folder::new();
    // A file where the folder should be.
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        let kept = open_or_build(&Store::new(&place));
        assert_eq!(kept.table, table().unwrap());
        let warning = kept.warning.unwrap();
        assert!(matches!(warning, StoreError::Unwritable { .. }), "{warning:?}");
        assert!(warning.to_string().contains("tables can be kept in another folder"));
    }
    // A folder is made where there is none.
    let deep = Store::new(folder.0.join("a/b/c"));
    assert!(open_or_build(&deep).warning.is_none());
    assert_eq!(open_or_build(&deep).source, Source::Opened);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    stored(&folder);
    let allow = |mode| fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    if fs::write(folder.0.join("probe"), "").is_ok() {
        eprintln!("SKIPPED: this user may write everywhere");
        allow(0o755);
        return;
    }
    let store = folder.store();
    assert_eq!(open_or_build(&store).source, Source::Opened);
    let kept = store.open_or_build("another", &CancelToken::new(), || (), table).unwrap();
    assert_eq!(kept.source, Source::Built);
    let warning = kept.warning.unwrap();
    allow(0o755);
    assert!(matches!(warning, StoreError::Unwritable { .. }), "{warning:?}");
}

/// What the other process does, and in which folder.
const TASK: &str = "DEEPEN_TEST_TASK";
const FOLDER: &str = "DEEPEN_TEST_FOLDER";

/// Not a test by itself: what another process does for the tests below.
#[test]
fn another_process() {
    let (Ok(task), Ok(folder)) = (std::env::var(TASK), std::env::var(FOLDER)) else { return };
    let store = Store::new(&folder);
    let say = |word: &str| {
        // A line of its own, whatever the test's frame has written on this one.
        println!("\n{word}");
        std::io::stdout().flush().unwrap();
    };
    let build = || {
        let log = Path::new(&folder).join("log");
        let mut log = fs::File::options().create(true).append(true).open(log).unwrap();
        log.write_all(b"built\n").unwrap();
        say("building");
        match task.as_str() {
            "slow" => std::thread::sleep(Duration::from_millis(200)),
            "for ever" => std::thread::sleep(Duration::from_mins(1)),
            _ => {}
        }
        table()
    };
    let kept = store.open_or_build(DEFINITION, &CancelToken::new(), || say("waiting"), build);
    let kept = kept.unwrap();
    assert_eq!(kept.table, table().unwrap());
    match kept.warning {
        None => say("no warning"),
        Some(warning) => say(&format!("warning: {warning}")),
    }
}

/// Starts [`another_process`].
fn start(task: &str, folder: &Folder, limit: Option<u32>) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = match limit {
        None => Command::new(program),
        // The signal must be ignored: it would end the process before it hears of the error.
        Some(blocks) => {
            let mut shell = Command::new("sh");
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            shell.args(["-c", &script]).arg(program);
            shell
        }
    };
    command.args(["--exact", "store::another_process", "--nocapture"]);
    command.env(TASK, task).env(FOLDER, &folder.0);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// Reads on until the process says that word.
fn wait_for(word: &str, output: &mut impl BufRead) {
    assert!(output.lines().any(|line| line.unwrap() == word), "never said {word}");
}

/// All that the process still says, which must end well.
fn ending(mut process: Child) -> String {
    let mut said = String::new();
    process.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(process.wait().unwrap().success(), "{said}");
    said
}

#[test]
fn processes_that_want_a_table_at_once_build_it_once() {
    let folder = Folder::new();
    let processes: Vec<_> = (0..4).map(|_| start("slow", &folder, None)).collect();
    let said: Vec<String> = processes.into_iter().map(ending).collect();
    let count = |word: &str| said.iter().filter(|said| said.lines().any(|l| l == word)).count();
    assert_eq!(count("building"), 1);
    assert_eq!(count("no warning"), 4);
    assert_eq!(fs::read_to_string(folder.0.join("log")).unwrap(), "built\n");
    assert_eq!(open_or_build(&folder.store()).source, Source::Opened);
}

#[test]
fn who_finds_a_table_being_built_waits_and_can_be_cancelled() {
    let folder = Folder::new();
    let mut builder = start("for ever", &folder, None);
    let mut output = BufReader::new(builder.stdout.take().unwrap());
    wait_for("building", &mut output);
    let cancel = CancelToken::new();
    let waited = folder.store().open_or_build(DEFINITION, &cancel, || cancel.cancel(), table);
    assert_eq!(waited.unwrap_err(), BuildError::Cancelled);
    let path = folder.store().path(DEFINITION);
    fs::write(&path, "").unwrap();
    assert!(matches!(folder.store().remove(&path), Err(StoreError::Busy { .. })));
    fs::remove_file(&path).unwrap();
    builder.kill().unwrap();
    builder.wait().unwrap();
}

#[test]
fn a_killed_process_leaves_nothing_that_is_taken_for_a_table() {
    let folder = Folder::new();
    let store = folder.store();
    let mut builder = start("for ever", &folder, None);
    let mut output = BufReader::new(builder.stdout.take().unwrap());
    wait_for("building", &mut output);
    // It had begun to write this one, too, and another process still writes the second.
    let parts = ["a.part", "b.part"].map(|name| folder.0.join(name));
    for part in &parts {
        fs::write(part, "deepen table\r\n").unwrap();
    }
    let lock = fs::File::create(parts[1].with_extension("lock")).unwrap();
    lock.lock().unwrap();
    builder.kill().unwrap();
    builder.wait().unwrap();

    assert!(store.open(DEFINITION).unwrap().is_none());
    assert!(store.list().unwrap().is_empty());
    assert_eq!(open_or_build(&store).source, Source::Built);
    assert_eq!(open_or_build(&store).source, Source::Opened);
    assert_eq!(folder.names("part"), ["b.part"]);
}

#[cfg(unix)]
#[test]
fn without_room_for_the_file_the_table_is_built_all_the_same() {
    let folder = Folder::new();
    // Four kilobytes, at 512 bytes a block: the header has room, the entries have none.
    let said = ending(start("quick", &folder, Some(8)));
    let warning = said.lines().find(|line| line.starts_with("warning: ")).expect(&said);
    assert!(warning.starts_with("warning: no room for "), "{warning}");
    assert!(warning.ends_with("; make room, or keep tables in another folder"), "{warning}");
    assert!(folder.store().list().unwrap().is_empty());
    assert_eq!(folder.names("part"), [""; 0]);
    stored(&folder);
}
