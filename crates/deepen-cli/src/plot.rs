//! Pictures of counts, as SVG: whole numbers to the right, counts upwards on a logarithmic scale.
//!
//! Series differ by colour (the palette of Okabe and Ito, which the colour-blind tell apart), by
//! the shape of their marks and by how their lines are dashed. Where a series has several points
//! over one number, the points are dots, and the line goes through their means.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use crate::failure::Failure;

/// Makes the file that a picture is to be written to, before anything is done that takes long.
pub(crate) fn create(path: &Path) -> Result<(File, &Path), Failure> {
    File::create(path).map(|file| (file, path)).map_err(|error| failure(path, error))
}

/// Writes a picture.
pub(crate) fn write(mut file: File, path: &Path, plot: &Plot) -> Result<(), Failure> {
    file.write_all(plot.svg().as_bytes()).map_err(|error| failure(path, error))
}

fn failure(path: &Path, error: std::io::Error) -> Failure {
    Failure::File { name: path.display().to_string(), error }
}

/// A picture.
pub(crate) struct Plot {
    pub(crate) title: String,
    /// A line below the title.
    pub(crate) subtitle: String,
    /// What the axes show.
    pub(crate) across: String,
    pub(crate) up: String,
    pub(crate) series: Vec<Series>,
}

/// The points of one kind.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

/// A point. A count of 0 has no place on a logarithmic scale, and is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) at: u32,
    pub(crate) count: u64,
    /// Whether the count is just how far it got before a limit stopped it.
    pub(crate) stopped: bool,
}

/// Okabe and Ito's colours, without the yellow that is hard to see on white.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
/// The shapes of marks, as corners on a circle: how many, and whether every other is pulled in.
/// No corners are a round mark.
const SHAPES: [Shape; 6] = [
    Shape { corners: 0, first: 0.0, inner: 1.0, size: 5.0 },
    Shape { corners: 4, first: 45.0, inner: 1.0, size: 6.2 },
    Shape { corners: 3, first: -90.0, inner: 1.0, size: 6.8 },
    Shape { corners: 4, first: 0.0, inner: 1.0, size: 6.8 },
    Shape { corners: 3, first: 90.0, inner: 1.0, size: 6.8 },
    Shape { corners: 10, first: -90.0, inner: 0.45, size: 7.5 },
];
const DASHES: [&str; 5] = ["none", "9 4", "2 3", "10 3 2 3", "5 3"];

struct Shape {
    corners: u32,
    /// Where the first corner is, in degrees clockwise from the right.
    first: f64,
    inner: f64,
    size: f64,
}

/// The frame's place: its left, top, right and bottom; and how high a picture is at least.
const LEFT: f64 = 112.0;
const TOP: f64 = 70.0;
const RIGHT: f64 = 712.0;
const BOTTOM: f64 = 430.0;
const HEIGHT: f64 = 492.0;
/// How far from the frame's sides the first and last number stand, and how far below its top the
/// greatest count.
const INSET: f64 = 20.0;
/// How wide a letter of the size 13 is, for the room that a text takes.
const LETTER: f64 = 7.6;
/// Further down than this a line of the legend is from the one above.
const LINE: f64 = 24.0;

impl Plot {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let scale = Scale::of(self.points());
        let names = self.series.iter().map(|series| series.name.as_str());
        let notes = [(self.has_dots(), DOT_NOTE), (self.has_stopped(), STOPPED_NOTE)];
        let notes: Vec<_> = notes.into_iter().filter_map(|(is, note)| is.then_some(note)).collect();
        let longest = names.chain(notes.iter().copied()).map(|text| text.chars().count()).max();
        let legend = 66.0 + LETTER * real(longest.unwrap_or(0));
        let width = RIGHT + 16.0 + legend;
        let lines = real(self.series.len() + notes.len() + 1);
        let height = (TOP + lines * LINE + 24.0).max(HEIGHT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"DejaVu Sans, \
             Verdana, sans-serif\" font-size=\"13\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            escape(&self.title),
            escape(&self.description()),
        );
        let middle = f64::midpoint(LEFT, RIGHT);
        text(&mut svg, LEFT, 30.0, "font-size=\"18\" font-weight=\"bold\"", &self.title);
        text(&mut svg, LEFT, 52.0, "fill=\"#444444\"", &self.subtitle);
        scale.draw(&mut svg);
        let centred = "text-anchor=\"middle\" font-size=\"15\"";
        text(&mut svg, middle, HEIGHT - 16.0, centred, &self.across);
        let aside =
            format!("{centred} transform=\"rotate(-90 22 {:.0})\"", f64::midpoint(TOP, BOTTOM));
        text(&mut svg, 22.0, f64::midpoint(TOP, BOTTOM), &aside, &self.up);
        if self.points().next().is_none() {
            let centre = f64::midpoint(TOP, BOTTOM);
            text(&mut svg, middle, centre, "text-anchor=\"middle\"", "nothing to show");
        }
        for (index, series) in self.series.iter().enumerate() {
            series.draw(&mut svg, &Look::of(index), &scale);
        }
        let mut at = TOP + 12.0;
        for (index, series) in self.series.iter().enumerate() {
            let look = Look::of(index);
            look.line(&mut svg, &[(RIGHT + 18.0, at), (RIGHT + 58.0, at)]);
            look.mark(&mut svg, (RIGHT + 38.0, at), false);
            text(&mut svg, RIGHT + 68.0, at + 4.5, "", &series.name);
            at += LINE;
        }
        for note in notes {
            at += LINE / 2.0 + 4.0;
            let look = Look { colour: "#666666", ..Look::of(0) };
            match note {
                DOT_NOTE => look.dot(&mut svg, (RIGHT + 38.0, at)),
                _ => look.mark(&mut svg, (RIGHT + 38.0, at), true),
            }
            text(&mut svg, RIGHT + 68.0, at + 4.5, "", note);
            at += LINE / 2.0;
        }
        svg + "</svg>\n"
    }

    /// The points that have a place.
    fn points(&self) -> impl Iterator<Item = Point> {
        self.series.iter().flat_map(Series::points)
    }

    fn has_dots(&self) -> bool {
        self.series.iter().any(Series::has_dots)
    }

    fn has_stopped(&self) -> bool {
        self.points().any(|point| point.stopped)
    }

    fn description(&self) -> String {
        let names: Vec<_> = self.series.iter().map(|series| series.name.as_str()).collect();
        format!("{} over {}, of: {}", self.up, self.across, names.join(", "))
    }
}

const DOT_NOTE: &str = "one instance (lines: means)";
const STOPPED_NOTE: &str = "stopped; needs more";

impl Series {
    fn points(&self) -> impl Iterator<Item = Point> {
        self.points.iter().copied().filter(|point| point.count > 0)
    }

    /// The points that were not stopped, by their number.
    fn by_number(&self) -> BTreeMap<u32, Vec<u64>> {
        let mut counts: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for point in self.points().filter(|point| !point.stopped) {
            counts.entry(point.at).or_default().push(point.count);
        }
        counts
    }

    fn has_dots(&self) -> bool {
        self.by_number().values().any(|counts| counts.len() > 1)
    }

    fn draw(&self, svg: &mut String, look: &Look, scale: &Scale) {
        let counts = self.by_number();
        for (&at, counts) in counts.iter().filter(|(_, counts)| counts.len() > 1) {
            for &count in counts {
                look.dot(svg, scale.place(at, real(count)));
            }
        }
        let mean =
            |counts: &Vec<u64>| counts.iter().copied().map(real).sum::<f64>() / real(counts.len());
        let means: Vec<_> =
            counts.iter().map(|(&at, counts)| scale.place(at, mean(counts))).collect();
        look.line(svg, &means);
        for &place in &means {
            look.mark(svg, place, false);
        }
        for point in self.points().filter(|point| point.stopped) {
            look.mark(svg, scale.place(point.at, real(point.count)), true);
        }
    }
}

/// How a series looks.
struct Look {
    colour: &'static str,
    shape: &'static Shape,
    dash: &'static str,
}

impl Look {
    fn of(index: usize) -> Self {
        Look {
            colour: COLOURS[index % COLOURS.len()],
            shape: &SHAPES[index % SHAPES.len()],
            dash: DASHES[index % DASHES.len()],
        }
    }

    fn line(&self, svg: &mut String, places: &[(f64, f64)]) {
        if places.len() < 2 {
            return;
        }
        let places: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" \
             stroke-dasharray=\"{}\"/>",
            places.join(" "),
            self.colour,
            self.dash,
        );
    }

    /// A mark; a hollow one with an arrow upwards where more is to come.
    fn mark(&self, svg: &mut String, (x, y): (f64, f64), stopped: bool) {
        let Look { colour, shape, .. } = self;
        let (fill, edge) = if stopped { ("#ffffff", *colour) } else { (*colour, "#ffffff") };
        if stopped {
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {:.1}v-12m-3.5 4l3.5 -4.5l3.5 4.5\" fill=\"none\" \
                 stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                y - 4.0,
            );
        }
        let paint = format!("fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.2\"");
        let _ = match shape.corners {
            0 => {
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" {paint}/>", shape.size)
            }
            corners => {
                let corner = |number: u32| {
                    let turn = f64::from(number) / f64::from(corners) * 360.0 + shape.first;
                    let (sin, cos) = turn.to_radians().sin_cos();
                    let far = if number % 2 == 1 { shape.size * shape.inner } else { shape.size };
                    format!("{:.1},{:.1}", x + far * cos, y + far * sin)
                };
                let corners: Vec<_> = (0..corners).map(corner).collect();
                writeln!(svg, "<polygon points=\"{}\" {paint}/>", corners.join(" "))
            }
        };
    }

    fn dot(&self, svg: &mut String, (x, y): (f64, f64)) {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{}\" fill-opacity=\"0.4\"/>",
            self.colour,
        );
    }
}

/// What the axes span.
struct Scale {
    first: u32,
    last: u32,
    /// The powers of ten at the bottom and the top.
    low: u32,
    high: u32,
}

impl Scale {
    /// Spans the points.
    fn of(points: impl Iterator<Item = Point>) -> Self {
        let mut scale = Scale { first: u32::MAX, last: 0, low: u32::MAX, high: 0 };
        for Point { at, count, .. } in points {
            scale.first = scale.first.min(at);
            scale.last = scale.last.max(at);
            scale.low = scale.low.min(count.ilog10());
            scale.high =
                scale.high.max(count.saturating_sub(1).checked_ilog10().map_or(0, |p| p + 1));
        }
        if scale.first > scale.last {
            return Scale { first: 0, last: 1, low: 0, high: 1 };
        }
        scale.high = scale.high.max(scale.low + 1);
        scale
    }

    fn place(&self, at: u32, count: f64) -> (f64, f64) {
        (self.across(at), self.up(count))
    }

    fn across(&self, at: u32) -> f64 {
        let (left, right) = (LEFT + INSET, RIGHT - INSET);
        match self.last - self.first {
            0 => f64::midpoint(left, right),
            span => left + (right - left) * f64::from(at - self.first) / f64::from(span),
        }
    }

    fn up(&self, count: f64) -> f64 {
        let share = (count.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        BOTTOM - (BOTTOM - TOP - INSET) * share
    }

    fn draw(&self, svg: &mut String) {
        let mut grid = |from: (f64, f64), to: (f64, f64), colour: &str| {
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
                from.0, from.1, to.0, to.1,
            );
        };
        let powers = self.high - self.low;
        for power in self.low..self.high {
            // The twos to nines would be too close in a great span.
            for digit in 2..10_u32 {
                let y = self.up(f64::from(digit) * 10_f64.powf(f64::from(power)));
                match powers {
                    0..=4 => grid((LEFT, y), (RIGHT, y), "#eeeeee"),
                    _ => grid((LEFT, y), (LEFT + 5.0, y), "#888888"),
                }
            }
        }
        let numbers: Vec<_> = self.numbers().collect();
        for &number in &numbers {
            grid((self.across(number), TOP), (self.across(number), BOTTOM), "#dddddd");
            grid((self.across(number), BOTTOM), (self.across(number), BOTTOM + 5.0), "#444444");
        }
        for power in self.low..=self.high {
            let y = self.up(10_f64.powf(f64::from(power)));
            grid((LEFT, y), (RIGHT, y), "#cccccc");
            grid((LEFT - 5.0, y), (LEFT, y), "#444444");
        }
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" \
             stroke=\"#444444\"/>",
            RIGHT - LEFT,
            BOTTOM - TOP,
        );
        for number in numbers {
            let anchor = "text-anchor=\"middle\"";
            text(svg, self.across(number), BOTTOM + 21.0, anchor, &number.to_string());
        }
        for power in self.low..=self.high {
            let y = self.up(10_f64.powf(f64::from(power))) + 4.5;
            text(svg, LEFT - 9.0, y, "text-anchor=\"end\"", &power_of_ten(power));
        }
    }

    /// The numbers that are written below the axis: round ones, and not too many.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let most = 16;
        let steps = (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u32.pow(power)));
        let step = steps.take_while(|&step| step <= 1_000_000_000);
        let step = step.into_iter().find(|step| (self.last - self.first) / step <= most);
        let step = step.unwrap_or(1_000_000_000);
        let first = self.first.div_ceil(step);
        (first..=self.last / step).map(move |number| number * step)
    }
}

/// A power of ten in words that need no counting of noughts.
fn power_of_ten(power: u32) -> String {
    let digits = ["1", "10", "100"][power as usize % 3];
    match power / 3 {
        0 => digits.into(),
        1 => format!("{digits},000"),
        2 => format!("{digits} million"),
        3 => format!("{digits} billion"),
        _ => format!("10^{power}"),
    }
}

/// A text at a place, with further attributes.
fn text(svg: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>", escape(text));
}

/// A text with what means something in XML replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML has no way to write these.
            char if char.is_control() => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}

/// A count, which a picture need not show to the last digit.
fn real(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(series: Vec<Series>) -> Plot {
        Plot {
            title: "a < b & \"c\" > d".into(),
            subtitle: "bell \u{7}, <script>".into(),
            across: "x & y".into(),
            up: "]]>".into(),
            series,
        }
    }

    fn series(name: &str, points: &[(u32, u64, bool)]) -> Series {
        let points = points.iter().map(|&(at, count, stopped)| Point { at, count, stopped });
        Series { name: name.into(), points: points.collect() }
    }

    /// Parses the picture and gives its texts and how many of each element it has. Everything must
    /// have its place within the picture.
    fn parsed(plot: &Plot) -> (Vec<String>, BTreeMap<String, usize>) {
        let svg = plot.svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let number = |text: &str| text.parse::<f64>().unwrap();
        let size = |name| number(document.root_element().attribute(name).unwrap());
        let (width, height) = (size("width"), size("height"));
        let mut counts = BTreeMap::new();
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            *counts.entry(node.tag_name().name().to_string()).or_insert(0) += 1;
            let at = |names: &[&str], most: f64| {
                for value in names.iter().filter_map(|name| node.attribute(*name)) {
                    let within = value.ends_with('%') || (0.0..=most).contains(&number(value));
                    assert!(within, "{value} of {node:?}");
                }
            };
            at(&["x", "x1", "x2", "cx"], width);
            at(&["y", "y1", "y2", "cy"], height);
            for corner in node.attribute("points").unwrap_or_default().split_whitespace() {
                let (x, y) = corner.split_once(',').unwrap();
                assert!((LEFT..=width).contains(&number(x)), "{corner}");
                assert!((TOP..=height).contains(&number(y)), "{corner}");
            }
        }
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        (texts.map(|text| text.text().unwrap_or_default().to_string()).collect(), counts)
    }

    #[test]
    fn what_means_something_in_xml_is_text() {
        let (texts, _) = parsed(&plot(vec![series("<&>", &[(1, 10, false)])]));
        for text in ["a < b & \"c\" > d", "bell \u{fffd}, <script>", "x & y", "]]>", "<&>"] {
            assert!(texts.iter().any(|found| found == text), "{text}: {texts:?}");
        }
    }

    #[test]
    fn every_point_has_its_mark_and_means_their_line() {
        let one = [(3, 10, false), (4, 100, false), (4, 1000, false), (6, 0, false), (7, 5, true)];
        let two = [(3, 20, false), (5, 3_000_000_000, false)];
        let (texts, counts) = parsed(&plot(vec![series("one", &one), series("two", &two)]));
        // Round marks: two means, two dots, one stopped, three of the legend.
        assert_eq!(counts["circle"], 8);
        // Square marks: two, and the legend's.
        assert_eq!(counts["polygon"], 3);
        // Two lines, and the legend's.
        assert_eq!(counts["polyline"], 4);
        // Arrows: of the point that was stopped, and the legend's.
        assert_eq!(counts["path"], 2);
        for text in ["3", "4", "5", "6", "7", "1", "1,000", "10 billion"] {
            assert!(texts.iter().any(|found| found == text), "{text}: {texts:?}");
        }
    }

    #[test]
    fn nothing_and_extremes_have_a_picture() {
        assert!(parsed(&plot(Vec::new())).0.contains(&"nothing to show".to_string()));
        assert!(
            parsed(&plot(vec![series("", &[(5, 0, false)])])).0.contains(&"nothing to show".into())
        );
        parsed(&plot(vec![series("one point", &[(0, 1, false)])]));
        let extremes = [(0, 1, false), (u32::MAX, u64::MAX, true), (7, u64::MAX, false)];
        parsed(&plot(vec![series("extremes", &extremes)]));
        let many: Vec<_> = (0..40).map(|n| series(&n.to_string(), &[(n, 1 << n, false)])).collect();
        parsed(&plot(many));
    }

    #[test]
    fn numbers_below_the_axis_are_round_and_few() {
        let numbers =
            |first, last| Scale { first, last, low: 0, high: 1 }.numbers().collect::<Vec<_>>();
        assert_eq!(numbers(7, 7), [7]);
        assert_eq!(numbers(2, 9), (2..=9).collect::<Vec<_>>());
        assert_eq!(numbers(3, 40), (1..=8).map(|n| 5 * n).collect::<Vec<_>>());
        assert!(numbers(0, u32::MAX).len() < 20);
    }
}
