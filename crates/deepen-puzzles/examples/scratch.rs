use deepen::{Control, table::Store};
use deepen_puzzles::*;
use std::sync::Arc;
use std::time::Instant;
struct Say;
impl TableObserver for Say {
    fn event(&self, d: &str, e: TableEvent<'_>) {
        if !matches!(e, TableEvent::Building { .. }) {
            eprintln!("{} {e:?}", &d[..d.len().min(150)]);
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let heuristic: usize = a[1].parse().unwrap();
    let mut s = Settings::default().with("puzzle", "3x3x3").with("table-memory", a[2].clone());
    s.tables.store = Some(Store::new("/tmp/tw/tables"));
    s.tables.observer = Some(Arc::new(Say));
    let p = Twisty::new(&s).unwrap();
    let t = Instant::now();
    println!("default {}", p.default_heuristic(None));
    println!("chosen {:?}", t.elapsed());
    let text = std::fs::read_to_string(&a[3]).unwrap();
    let mut first = true;
    for i in p.read(text.as_bytes()) {
        let i = i.unwrap();
        if first {
            first = false;
            let t = Instant::now();
            println!("h {}", estimate(&p, &i, heuristic));
            println!("tables {:?}", t.elapsed());
        }
        let t = Instant::now();
        let o = solve(&p, &i, Method { heuristic, ..Method::default() }, &mut Control::default());
        let n = o.statistics.total();
        let e = t.elapsed();
        println!(
            "{} h{} exp {} gen {} {:.2}s {:.2} Mexp/s {}",
            o.verdict.solution().map_or(99, |s| s.cost),
            estimate(&p, &i, heuristic),
            n.expanded,
            n.generated,
            e.as_secs_f64(),
            n.expanded as f64 / e.as_secs_f64() / 1e6,
            p.judge_answer(
                0,
                &i,
                &solve(
                    &p,
                    &i,
                    Method { heuristic, ..Method::default() },
                    &mut Control {
                        limits: deepen::Limits { cost: 0, ..Default::default() },
                        ..Default::default()
                    }
                )
                .verdict,
                None
            )
            .trim()
        );
    }
}
