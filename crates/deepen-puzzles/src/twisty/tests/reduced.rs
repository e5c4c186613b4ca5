//! Reduced products: each picture is as far as it is by a table that knows of no symmetry.

use std::collections::HashSet;
use std::sync::Arc;

use deepen::table::{Direction, Indexed, Table, TableBuild};

use super::super::choose::choose;
use super::super::coordinate::{Coordinate, Turns, View, kinds, most_pictures};
use super::super::letters::{Metric, letters};
use super::super::product::{MOST, Product};
use super::super::reduce::Rotations;
use super::super::space::Twists;
use super::super::symmetry::Symmetry;
use super::{BUILT_IN, define, random_state};
use crate::random::Random;

const METRICS: [Metric; 2] = [Metric::Half, Metric::Quarter];

/// A third of a turn about the corner that is held still: U, R, F and back to U.
const AROUND_THE_CORNER: &str =
    "MoveTransformation xv\nCORNERS\n0 4 5 1 3 7 6 2\n1 2 1 2 2 1 2 1\nEnd\n";
/// Thirds of a turn about U and L.
const TETRAHEDRON: &str = "MoveTransformation xv\nAXES\n0 2 3 1\n\
    EDGES\n1 2 0 5 3 4\n1 1 0 0 0 0\nEnd\n\
    MoveTransformation yv\nAXES\n3 1 0 2\nEDGES\n4 2 5 0 3 1\n0 0 1 1 1 1\nEnd\n";
/// A third of a turn about UFL.
const ABOUT_AN_AXIS: &str = "MoveTransformation xv\nAXES\n0 3 1 2\n\
    CORNERS\n1 2 0 3\n2 2 2 2\nCENTERS\n4 5 0 1 2 3\nEnd\n";
/// A quarter of a turn of the slab as it lies, and a half by which its back comes to the front.
const SLAB: &str = "MoveTransformation z\nCORNERS\n3 0 1 2\nEDGES\n3 0 1 2\nEnd\n\
    MoveTransformation y\nCORNERS\n1 0 3 2\n1 1 1 1\nEDGES\n2 1 0 3\n1 1 1 1\nEnd\n";

fn space(text: &str, rotations: &str, metric: Metric, moves: Option<&str>) -> Twists {
    let definition = Arc::new(define(&format!("{text}\n{rotations}")));
    let letters = letters(&definition, metric, moves).unwrap();
    Twists::new(&definition, letters, metric).unwrap()
}

fn product(space: &Twists, views: &[View]) -> Product {
    let numbered =
        |view: &View| Arc::new(Coordinate::new(space, view.clone(), most_pictures(space)).unwrap());
    Product::new(space, views.iter().map(numbered).collect()).unwrap()
}

/// Where some pieces of a set are.
fn places(space: &Twists, field: usize, pieces: &[usize]) -> View {
    let class = |kind: usize| u8::from(pieces.contains(&kind));
    let classes = (0..kinds(space, field).len()).map(class).collect();
    View { field, classes, turns: Turns::Ignored }
}

fn turns(field: usize) -> View {
    View { field, classes: Vec::new(), turns: Turns::All }
}

fn build(product: &Product, direction: Direction) -> Table {
    let build = TableBuild { direction, ..TableBuild::default() };
    build.build(product, [[0; MOST]]).unwrap()
}

/// Compares all pictures; how many symmetries there are, and how many numbers have twins.
fn assert_same_distances(space: &Twists, product: &Product) -> (usize, usize) {
    let symmetries = Symmetry::all(space);
    let reduced = product.reduced(space, &Rotations::new(space, &symmetries)).unwrap();
    // The same coordinates in the same order.
    let plain = Product::new(space, reduced.coordinates.clone()).unwrap();
    let expected = build(&plain, Direction::FromGoals);
    let order = reduced.reduction().unwrap().letters().len();
    assert!(reduced.size() * order as u64 >= plain.size() / 2);
    let table = build(&reduced, Direction::FromGoals);
    assert_eq!(build(&reduced, Direction::Both), table);
    assert_eq!(build(&reduced, Direction::ToGoals), table);
    for rank in 0..plain.size() {
        let distance = expected.distance(rank, 0);
        // (What is of no state may have any number.)
        if distance.is_some() {
            let number = reduced.rank(&plain.unrank(rank));
            assert_eq!(table.distance(number, 0), distance, "{rank}");
        }
    }
    let mut with_twins = 0;
    for rank in 0..reduced.size() {
        assert_eq!(reduced.rank(&reduced.unrank(rank)), rank);
        let mut twins = Vec::new();
        reduced.for_each_twin(rank, |twin| twins.push(twin));
        with_twins += usize::from(!twins.is_empty());
    }
    // Turned states have numbers that are twins, and no others.
    let mut random = Random::new(6);
    for _ in 0..50 {
        let state = random_state(space, &mut random);
        let rank = reduced.rank(&reduced.picture(space, &state).unwrap());
        let mut same = HashSet::from([rank]);
        reduced.for_each_twin(rank, |twin| _ = same.insert(twin));
        let kept = symmetries
            .iter()
            .filter(|symmetry| reduced.reduction().unwrap().letters().contains(&symmetry.letters));
        for symmetry in kept {
            let turned = reduced.picture(space, &symmetry.turn(space, &state)).unwrap();
            assert!(same.contains(&reduced.rank(&turned)));
        }
    }
    (order, with_twins)
}

/// All of some sets.
fn whole(space: &Twists, fields: &[usize]) -> Vec<View> {
    fields.iter().flat_map(|&field| View::whole(space, field)).collect()
}

#[test]
fn small_puzzles_have_the_same_distances_reduced() {
    for (text, rotations, order) in
        [(BUILT_IN[2], SLAB, 8), (BUILT_IN[3], TETRAHEDRON, 12), (BUILT_IN[4], ABOUT_AN_AXIS, 3)]
    {
        for metric in METRICS {
            let space = space(text, rotations, metric, None);
            assert_eq!(Symmetry::all(&space).len(), order);
            let product = product(&space, &whole(&space, &[0, 1]));
            let (found, twins) = assert_same_distances(&space, &product);
            assert_eq!(found, order);
            assert!(twins > 0);
        }
    }
}

/// How corners are turned, with where the edges of the middle slice are; and how edges are turned,
/// which only with these makes sense after a quarter turn of the cube.
#[test]
fn tables_of_the_3x3x3_have_the_same_distances_reduced() {
    let middle = [8, 9, 10, 11];
    let half_turns = "U,D,R2,F2,L2,B2,R,L";
    let quarter_turns = "U,D,R,L,F,B";
    for (metric, moves, field, order) in [
        (Metric::Half, half_turns, 0, 4),
        (Metric::Quarter, quarter_turns, 0, 8),
        (Metric::Half, quarter_turns, 1, 8),
    ] {
        let space = space(BUILT_IN[1], "", metric, Some(moves));
        let product = product(&space, &[turns(field), places(&space, 1, &middle)]);
        let (found, twins) = assert_same_distances(&space, &product);
        assert_eq!(found, order);
        // (The numbers of one set alone are all in one joint, and each class is one number.)
        assert_eq!(twins > 0, field == 0);
    }
}

#[test]
fn tables_of_the_2x2x2_have_the_same_distances_reduced() {
    for metric in METRICS {
        let space = space(BUILT_IN[0], AROUND_THE_CORNER, metric, None);
        // The three corners that the rotation takes round.
        let product = product(&space, &[turns(0), places(&space, 0, &[1, 3, 4])]);
        assert_eq!(assert_same_distances(&space, &product).0, 3);
    }
}

/// Rotations that only do something to pieces that are not looked at are none of the product.
#[test]
fn idle_symmetries_are_left_out() {
    let text = "Set A 3 2\nSet B 4 1\nSolved\nEnd\nMove M\nA\n2 3 1\n1 1 0\nEnd\n\
        Move N\nA\n2 3 1\n1 1 0\nB\n2 1 3 4\nEnd\nMove O\nA\n2 3 1\n1 1 0\nB\n1 2 4 3\nEnd\n";
    let swapped = "Move xv\nB\n3 4 1 2\nEnd\n";
    let space = space(text, swapped, Metric::Half, None);
    let rotations = Rotations::new(&space, &Symmetry::all(&space));
    assert_eq!(rotations.len(), 2);
    assert!(product(&space, &whole(&space, &[0])).reduced(&space, &rotations).is_none());
    let product = product(&space, &whole(&space, &[0, 1]));
    assert_eq!(assert_same_distances(&space, &product).0, 2);
}

/// The pieces whose places count go with the turns that the rotations keep: eight do.
#[test]
fn a_large_table_of_the_3x3x3_is_reduced_by_eight_rotations() {
    let space = space(BUILT_IN[1], "", Metric::Half, None);
    let products = choose(&space, 2 * (512 << 20));
    let largest = products.iter().max_by_key(|product| product.pictures()).unwrap();
    assert_eq!(largest.pictures(), 2187 * 2048 * 495);
    assert_eq!(largest.reduction().unwrap().letters().len(), 8);
    assert!(largest.size() < largest.pictures() / 7);
}
