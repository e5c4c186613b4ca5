//! Answers as they come, memory, closed pipes, full disks, Ctrl-C.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::{EASY, EASY_ANSWER, HARD, SLOW, SOLVED, deepen};

/// `deepen solve rotation`, running.
struct Running {
    process: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    told: ChildStderr,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_deepen"))
            .args(["solve", "rotation"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = process.stdout.take().map(BufReader::new);
        let told = process.stderr.take().unwrap();
        Running { process, input, output, told }
    }

    fn write(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Waits for this answer.
    fn expect(&mut self, answer: &str) {
        let mut found = vec![0; answer.len()];
        self.output.as_mut().unwrap().read_exact(&mut found).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), answer);
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.process.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// Waits for the end; also gives the rest of the output and standard error.
    fn end(mut self) -> (ExitStatus, String, String) {
        drop(self.input);
        let (mut rest, mut told) = (String::new(), String::new());
        if let Some(mut output) = self.output {
            output.read_to_string(&mut rest).unwrap();
        }
        self.told.read_to_string(&mut told).unwrap();
        (self.process.wait().unwrap(), rest, told)
    }
}

#[test]
fn each_answer_comes_before_the_next_board_is_asked_for() {
    let mut running = Running::start(&[]);
    for _ in 0..20 {
        running.write(EASY);
        running.expect(EASY_ANSWER);
    }
    running.write("0\n");
    let (status, rest, told) = running.end();
    assert_eq!((status.code(), rest.as_str(), told.as_str()), (Some(0), "", ""));
}

#[test]
fn an_answer_does_not_wait_for_the_next_search() {
    let mut running = Running::start(&SLOW);
    running.write(&[EASY, HARD].concat());
    running.expect(EASY_ANSWER);
    running.process.kill().unwrap();
    running.process.wait().unwrap();
}

#[test]
fn bad_input_is_told_while_more_is_to_come() {
    let mut running = Running::start(&[]);
    running.write(&[EASY, "x "].concat());
    assert_eq!(running.process.wait().unwrap().code(), Some(2));
    running.expect(EASY_ANSWER);
}

/// The most memory that a process has used, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_thousand_boards_need_no_more_memory_than_a_few() {
    const BOARDS: usize = 100_000;
    let mut running = Running::start(&[]);
    // As many as fill the buffers.
    let mut solve = |boards: usize| {
        let mut input = running.input.take().unwrap();
        let writer = thread::spawn(move || {
            input.write_all(SOLVED.repeat(boards).as_bytes()).unwrap();
            input
        });
        for _ in 0..boards {
            running.expect("No moves needed\n1\n");
        }
        running.input = Some(writer.join().unwrap());
        peak_memory(running.process.id())
    };
    let few = solve(BOARDS / 10);
    let many = solve(BOARDS);
    assert!(many <= few + 512, "{few} KiB, then {many} KiB");
    assert_eq!(running.end().0.code(), Some(0));
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut running = Running::start(&[]);
    let mut input = running.input.take().unwrap();
    let writer = thread::spawn(move || while input.write_all(EASY.as_bytes()).is_ok() {});
    running.expect(EASY_ANSWER);
    running.output = None;
    let (status, _, told) = running.end();
    writer.join().unwrap();
    assert_eq!((status.code(), told.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_pipe_ends_a_long_search() {
    let mut running = Running::start(&SLOW);
    running.output = None;
    running.write(&[EASY, HARD].concat());
    let (status, _, told) = running.end();
    assert_eq!((status.code(), told.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["--help"][..], &["puzzles"], &["completions", "bash"], &["solve", "rotation"]]
    {
        let mut process = Command::new(env!("CARGO_BIN_EXE_deepen"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = process.stdin.take().unwrap().write_all(EASY.as_bytes());
        let output = process.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {told}");
        assert!(told.starts_with("error: standard output: No space left on device"), "{told}");
    }
}

#[test]
fn a_closed_standard_error_is_no_trouble() {
    let script = format!("'{}' solve rotation 2>&-", env!("CARGO_BIN_EXE_deepen"));
    let run = snapbox::cmd::Command::new("sh").args(["-c", &script]).stdin([EASY, "x"].concat());
    run.assert().code(2).stdout_eq(EASY_ANSWER);
}

/// Interrupts a long search after an answer.
fn interrupt_a_search(signal: &str, arguments: &[&str]) -> (ExitStatus, String, String) {
    let mut running = Running::start(&[&SLOW[..], arguments].concat());
    running.write(&[EASY, HARD].concat());
    // Both boards were read at once, so this answer is only handed on by the second search.
    let first = running.output.as_mut().unwrap().fill_buf().unwrap().len();
    assert!(first > 0);
    running.signal(signal);
    running.end()
}

#[test]
fn an_interrupt_ends_a_search_with_what_is_proved() {
    for signal in ["INT", "TERM"] {
        let (status, rest, told) = interrupt_a_search(signal, &[]);
        assert_eq!((status.code(), rest.as_str()), (Some(130), EASY_ANSWER), "{told}");
        let known = told.strip_prefix("interrupted: instance 2: at least ").unwrap();
        let known: u32 = known.split(' ').next().unwrap().parse().unwrap();
        assert!((1..=13).contains(&known), "{told}");
    }
}

#[test]
fn an_interrupted_search_has_its_line_of_json() {
    let (status, rest, told) = interrupt_a_search("INT", &["--format", "json"]);
    assert_eq!(status.code(), Some(130), "{told}");
    let last: serde_json::Value = serde_json::from_str(rest.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&last["status"], &last["reason"]), (&"stopped".into(), &"cancelled".into()));
}

#[test]
fn an_interrupt_ends_the_waiting_for_input() {
    for signal in ["INT", "TERM"] {
        let mut running = Running::start(&[]);
        running.write(EASY);
        running.expect(EASY_ANSWER);
        running.signal(signal);
        let status = running.process.wait().unwrap();
        assert_eq!(status.code(), Some(130));
    }
}

#[test]
fn interrupts_end_it_even_where_nobody_reads_its_answers() {
    let mut running = Running::start(&[]);
    let mut input = running.input.take().unwrap();
    let writer = thread::spawn(move || while input.write_all(EASY.as_bytes()).is_ok() {});
    running.output.as_mut().unwrap().fill_buf().unwrap();
    let status = loop {
        running.signal("INT");
        thread::sleep(Duration::from_millis(20));
        if let Some(status) = running.process.try_wait().unwrap() {
            break status;
        }
    };
    writer.join().unwrap();
    assert_eq!(status.code(), Some(130));
}

#[test]
fn nothing_is_shown_of_the_progress_where_there_is_no_terminal() {
    let run = deepen(&["solve", "rotation", "--time-limit", "900ms"]).args(SLOW).stdin(HARD);
    let told = run.assert().code(1).get_output().stderr.clone();
    assert!(told.starts_with(b"instance 1: stopped: "), "{}", String::from_utf8_lossy(&told));
}
