//! Tables, for people and as comma-separated values, and the records that they and JSON are made
//! of.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::report::to_json;

/// How the cells of a column are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A column of a table for people.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    pub(crate) align: Align,
    /// How wide it is at least; its title and its cells may make it wider.
    pub(crate) width: usize,
}

/// A line of a table whose columns are as wide as they say; a cell that is wider shifts the rest.
pub(crate) fn line<T: AsRef<str>>(columns: &[Column], cells: &[T]) -> String {
    let cells = columns.iter().zip(cells).map(|(column, cell)| {
        let (cell, width) = (cell.as_ref(), column.width.max(column.title.len()));
        match column.align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        }
    });
    cells.collect::<Vec<_>>().join(" ").trim_end().to_string() + "\n"
}

/// The line of titles.
pub(crate) fn titles(columns: &[Column]) -> String {
    line(columns, &columns.iter().map(|column| column.title).collect::<Vec<_>>())
}

/// A whole table, each column as wide as its widest cell.
pub(crate) fn table(columns: &[Column], rows: &[Vec<String>]) -> String {
    let fitted = columns.iter().enumerate().map(|(place, &column)| {
        let cells = rows.iter().map(|row| row[place].chars().count());
        Column { width: cells.fold(column.width, usize::max), ..column }
    });
    let columns: Vec<_> = fitted.collect();
    titles(&columns) + &rows.iter().map(|row| line(&columns, row)).collect::<String>()
}

/// A row as programs read it: names and values, in order.
pub(crate) struct Record(pub(crate) Vec<(&'static str, Value)>);

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Record {
    /// As a line of JSON.
    pub(crate) fn json(&self) -> String {
        to_json(self)
    }

    /// The names, as a line of comma-separated values.
    pub(crate) fn csv_names(&self) -> String {
        csv_line(self.0.iter().map(|&(name, _)| name.to_string()))
    }

    /// The values, as a line of comma-separated values. Nothing stands for what there is not.
    pub(crate) fn csv(&self) -> String {
        csv_line(self.0.iter().map(|(_, value)| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }))
    }
}

fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let columns = [
            Column { title: "name", align: Align::Left, width: 0 },
            Column { title: "n", align: Align::Right, width: 0 },
        ];
        let rows = [["a", "1000"], ["×longer", "2"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&columns, &rows), "name       n\na       1000\n×longer    2\n");
    }

    #[test]
    fn values_that_would_be_taken_apart_are_quoted() {
        let record = Record(vec![("a", json!("x,\"y\"")), ("b", json!(null)), ("c", json!(1.5))]);
        assert_eq!(record.csv_names() + &record.csv(), "a,b,c\n\"x,\"\"y\"\"\",,1.5\n");
        assert_eq!(record.json(), "{\"a\":\"x,\\\"y\\\"\",\"b\":null,\"c\":1.5}\n");
    }
}
