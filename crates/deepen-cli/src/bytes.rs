//! Amounts of memory, read and written.

/// The units, from the greatest down; of each the name, as it is read in lower case, and its size.
const UNITS: [(&str, u64); 7] = [
    ("gib", 1 << 30),
    ("mib", 1 << 20),
    ("kib", 1 << 10),
    ("gb", 1_000_000_000),
    ("mb", 1_000_000),
    ("kb", 1000),
    ("b", 1),
];

/// Reads an amount such as `500MB`, `1.5 GiB` or `4096`, in bytes.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as `500MB`, `2GiB` or a number of bytes".to_string();
    let lower = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find_map(|&(name, size)| Some((lower.strip_suffix(name)?, size)));
    let (number, size) = unit.unwrap_or((&lower, 1));
    let (whole, part) = number.trim_end().split_once('.').unwrap_or((number.trim_end(), "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 9 {
        return Err(wrong());
    }
    let scale = 10_u128.pow(part.len() as u32);
    let [whole, part] = [whole, part].map(str::parse::<u128>);
    let (Ok(whole), Ok(part)) = (whole, part) else { return Err(wrong()) };
    let bytes = whole
        .checked_mul(scale)
        .and_then(|whole| whole.checked_add(part)?.checked_mul(size.into()))
        .map(|scaled| scaled / scale);
    bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(wrong)
}

/// An amount with three digits and a unit.
pub(crate) fn show(bytes: u64) -> String {
    let Some((unit, size)) = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        .into_iter()
        .find(|&(_, size)| bytes >= size)
    else {
        return format!("{bytes} B");
    };
    let whole = bytes / size;
    let decimals = match whole {
        0..10 => 2,
        10..100 => 1,
        _ => 0,
    };
    // A quotient to three digits loses nothing that is shown.
    let amount = bytes as f64 / size as f64;
    format!("{amount:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read() {
        let read = [
            ("0", 0),
            ("4096", 4096),
            ("100MB", 100_000_000),
            ("1GiB", 1 << 30),
            ("1.5 gib", 3 << 29),
            ("0.5kb", 500),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, bytes) in read {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "1k",
            "GB",
            "-1",
            "1..5",
            ".5GB",
            "1e3",
            "18446744073709551616",
            "99999999999999GiB",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_are_shown() {
        let shown = [(0, "0 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (3 << 29, "1.50 GiB")];
        for (bytes, text) in shown {
            assert_eq!(show(bytes), text);
        }
        assert_eq!(show(123 << 20), "123 MiB");
        assert_eq!(show(12 << 20 | 1 << 19), "12.5 MiB");
    }
}
