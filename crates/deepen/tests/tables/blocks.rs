//! Tables built block by block hold distances that are known otherwise.

use deepen::CancelToken;
use deepen::table::{Blocks, BuildError, Neighbour, TableBuild, Width, block_stride};

/// The orders of some items, copied to each place of a path of blocks. Two items that stand side by
/// side change places; a step along the path leaves the order as it is. So the distance is the
/// number of pairs in the wrong order plus that of the steps.
struct Orders {
    all: Vec<Vec<usize>>,
    swaps: Vec<Vec<u16>>,
    blocks: usize,
}

impl Orders {
    fn new(items: usize, blocks: usize) -> Self {
        let mut orders = vec![vec![]];
        for item in 0..items {
            let longer = |order: &Vec<usize>| {
                let order = order.clone();
                (0..=item).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, item);
                    order
                })
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        let number = |order: &[usize]| orders.iter().position(|other| other == order).unwrap();
        let swap = |place: usize| {
            let swapped = |order: &Vec<usize>| {
                let mut order = order.clone();
                order.swap(place, place + 1);
                number(&order) as u16
            };
            orders.iter().map(swapped).collect()
        };
        let swaps = (0..items - 1).map(swap).collect();
        Orders { all: orders, swaps, blocks }
    }

    fn number(&self, order: &[usize]) -> usize {
        self.all.iter().position(|other| other == order).unwrap()
    }

    fn distance(&self, block: usize, order: usize, goal: usize) -> u64 {
        let order = &self.all[order];
        let wrong = |(place, item)| order[..place].iter().filter(|&before| before > item).count();
        let wrong: usize = order.iter().enumerate().map(wrong).sum();
        (wrong + block.abs_diff(goal)) as u64
    }

    fn table(&self, goal: usize) -> deepen::table::Table {
        let sorted: Vec<_> = (0..self.all[0].len()).collect();
        let goal = (goal, self.number(&sorted));
        TableBuild::default().build_blocks(self, [goal]).unwrap()
    }
}

impl Blocks for Orders {
    fn blocks(&self) -> usize {
        self.blocks
    }

    fn block_states(&self) -> usize {
        self.all.len()
    }

    fn permutations(&self) -> &[Vec<u16>] {
        &self.swaps
    }

    fn for_each_neighbour(&self, block: usize, mut tell: impl FnMut(Neighbour)) {
        for swap in 0..self.swaps.len() {
            tell(Neighbour { block, permutations: Some((swap, swap)) });
        }
        for block in [block.wrapping_sub(1), block + 1] {
            if block < self.blocks {
                tell(Neighbour { block, permutations: None });
            }
        }
    }
}

#[test]
fn every_state_of_every_block_has_its_bit_and_its_place_in_the_census() {
    for (items, blocks, goal) in [(2, 1, 0), (3, 4, 3), (4, 5, 0), (5, 3, 1), (6, 2, 0)] {
        let orders = Orders::new(items, blocks);
        let table = orders.table(goal);
        let stride = block_stride(orders.all.len());
        assert_eq!(table.entries(), (blocks * stride) as u64);
        assert_eq!(table.width(), Width::One);
        let mut census = Vec::new();
        for (block, order) in
            (0..blocks).flat_map(|block| (0..orders.all.len()).map(move |order| (block, order)))
        {
            let distance = orders.distance(block, order, goal);
            let bit = table.distances().bit((block * stride + order) as u64);
            assert_eq!(bit, distance & 2 != 0);
            let place = distance as usize;
            census.resize(census.len().max(place + 1), 0);
            census[place] += 1;
        }
        assert_eq!(table.census(), census);
    }
}

#[test]
fn without_goals_no_block_is_reached() {
    let table = TableBuild::default().build_blocks(&Orders::new(3, 2), []).unwrap();
    assert_eq!(table.census(), []);
}

#[test]
fn building_blocks_tells_how_far_it_is_and_can_be_cancelled() {
    let orders = Orders::new(5, 3);
    let cancel = CancelToken::new();
    let mut told = Vec::new();
    let mut progress = |done, all| {
        told.push((done, all));
        if told.len() == 3 {
            cancel.cancel();
        }
    };
    let build = TableBuild {
        cancel: cancel.clone(),
        progress: Some(&mut progress),
        ..TableBuild::default()
    };
    let table = build.build_blocks(&orders, [(0, orders.number(&[0, 1, 2, 3, 4]))]);
    assert_eq!(table, Err(BuildError::Cancelled));
    // One order, four and a step, and nine, four and a step beyond.
    assert_eq!(told, [(1, 384), (6, 384), (20, 384)]);
}

#[test]
fn what_is_further_than_tables_hold_is_refused() {
    let orders = Orders::new(2, 253);
    assert_eq!(orders.table(0).census().len(), 254);
    let goal = (0, orders.number(&[0, 1]));
    let built = TableBuild::default().build_blocks(&Orders::new(2, 254), [goal]);
    assert_eq!(built, Err(BuildError::TooFar));
}
