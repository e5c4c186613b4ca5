//! Sliding tiles.

mod back;
mod board;
mod manhattan;
mod pattern;
mod space;
mod tile;

pub use back::Back;
pub use board::{Board, Direction, MOST_CELLS, Slide};
pub use manhattan::Manhattan;
pub use pattern::{Additive, Late, PARTITIONS, Partition, PatternHeuristic, Patterns};
pub use space::Tiles;
pub use tile::Tile;

/// Measure.
pub fn standard() -> (Tiles, Manhattan) {
    let tiles: Vec<_> = (0..16).filter_map(Tile::new).collect();
    let space = Tiles::new(4, 4, Board::new(&tiles));
    let manhattan = Manhattan::new(&space);
    (space, manhattan)
}
/// Measure.
pub fn board(tiles: &[usize]) -> Board {
    Board::new(&tiles.iter().filter_map(|&t| Tile::new(t)).collect::<Vec<_>>())
}
