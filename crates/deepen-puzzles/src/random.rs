//! Random numbers that are the same for a seed on every machine and with every version.
//!
//! The generator is PCG64 (the member XSL RR 128/64 of O'Neill's *PCG: a family of simple fast
//! space-efficient statistically good algorithms for random number generation*, 2014), with the
//! seed spread over its state and stream by `SeedableRng::seed_from_u64`. Everything made of its
//! numbers is made here, in these ways, which must never change:
//!
//! - a number below a bound by Lemire's multiplication with rejection (*Fast random integer
//!   generation in an interval*, 2019): the upper half of the product of a 64-bit number and the
//!   bound, unless the lower half is less than 2^64 modulo the bound;
//! - a shuffle by Fisher and Yates: for each place from the last down to the second, its item
//!   changes places with that of a random place up to it.

use std::fmt;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A source of random numbers.
pub struct Random(Pcg64);

impl Random {
    /// The source with that seed.
    pub fn new(seed: u64) -> Self {
        Random(Pcg64::seed_from_u64(seed))
    }

    /// A number from 0 to `bound - 1`, each as likely as any other.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// The index of an item, each as likely as any other, of which there are so many.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn index(&mut self, items: usize) -> usize {
        self.below(items as u64) as usize
    }

    /// Brings items into an order, each as likely as any other.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Random").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PCG64 from its paper, and the way to seed it that `rand_core` documents.
    struct Pcg {
        state: u128,
        increment: u128,
    }

    impl Pcg {
        fn new(state: u128, increment: u128) -> Self {
            let mut pcg = Pcg { state: state.wrapping_add(increment), increment };
            pcg.step();
            pcg
        }

        fn seeded(seed: u64) -> Self {
            // PCG32 fills the seed, four bytes at a time, in little-endian order.
            let mut state = seed;
            let mut words = [0_u128; 8];
            for word in &mut words {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(11_634_580_027_462_260_723);
                let xorshifted = (((state >> 18) ^ state) >> 27) as u32;
                *word = xorshifted.rotate_right((state >> 59) as u32).into();
            }
            let join =
                |words: &[u128]| words.iter().rev().fold(0, |joined, word| joined << 32 | word);
            Pcg::new(join(&words[..4]), join(&words[4..]) | 1)
        }

        fn step(&mut self) {
            let multiplier = 0x2360_ed05_1fc6_5da4_u128 << 64 | 0x4385_df64_9fcc_f645;
            self.state = self.state.wrapping_mul(multiplier).wrapping_add(self.increment);
        }

        fn next(&mut self) -> u64 {
            self.step();
            let (high, low) = ((self.state >> 64) as u64, self.state as u64);
            (high ^ low).rotate_right((high >> 58) as u32)
        }
    }

    #[test]
    fn the_oracle_is_pcg64() {
        // From the output of pcg64's demo program in the reference implementation.
        let mut pcg = Pcg::new(42, 54 << 1 | 1);
        let published = [
            0x86b1da1d72062b68,
            0x1304aa46c9853d39,
            0xa3670e9e0dd50358,
            0xf9090e529a7dae00,
            0xc85b9fd837996f2c,
            0x606121f8e3919196,
        ];
        assert_eq!(published.map(|_| pcg.next()), published);
    }

    #[test]
    fn numbers_are_those_of_pcg64() {
        for seed in [0, 1, 42, u64::MAX] {
            let (mut random, mut pcg) = (Random::new(seed), Pcg::seeded(seed));
            for _ in 0..1000 {
                assert_eq!(random.0.next_u64(), pcg.next());
            }
        }
    }

    #[test]
    fn numbers_below_a_bound_and_shuffles_are_made_as_told() {
        // A bound that rejects one number in four.
        let bound = 3 << 62;
        let (mut random, mut pcg) = (Random::new(7), Pcg::seeded(7));
        for _ in 0..1000 {
            let number = loop {
                let product = u128::from(pcg.next()) * bound;
                if product % (1 << 64) >= (1 << 64) % bound {
                    break product / (1 << 64);
                }
            };
            assert_eq!(u128::from(random.below(bound as u64)), number);
        }
        let mut shuffled: Vec<u32> = (0..50).collect();
        random.shuffle(&mut shuffled);
        let mut left: Vec<u32> = (0..50).collect();
        let mut expected = Vec::new();
        while left.len() > 1 {
            // (So small bounds reject nothing in practice.)
            let place = (u128::from(pcg.next()) * left.len() as u128 / (1 << 64)) as usize;
            expected.insert(0, left.swap_remove(place));
        }
        expected.insert(0, left[0]);
        assert_eq!(shuffled, expected);
    }
}
