//! Small facts of twisty puzzles.
