//! Permutations as keys and as numbers, for puzzles whose states are permutations.

/// How many bits tell so many things apart.
pub(crate) fn bits_for(things: u8) -> u32 {
    things.next_power_of_two().trailing_zeros()
}

/// Writes numbers of so many bits, at most 8, over the key, the first in the lowest bits.
#[inline(always)]
pub(crate) fn pack_bits(width: u32, numbers: impl Iterator<Item = u8>, key: &mut [u8]) {
    let (mut bits, mut filled) = (0_u32, 0);
    let mut bytes = key.iter_mut();
    for number in numbers {
        bits |= u32::from(number) << filled;
        filled += width;
        if filled >= 8 {
            bytes.next().into_iter().for_each(|byte| *byte = bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    bytes.next().into_iter().for_each(|byte| *byte = bits as u8);
}

/// The numbers in a key, without an end: the inverse of [`pack_bits`].
#[inline(always)]
pub(crate) fn unpack_bits(width: u32, key: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let (mut bits, mut filled) = (0_u32, 0);
    let mut bytes = key.iter();
    std::iter::repeat_with(move || {
        if filled < width {
            bits |= bytes.next().map_or(0, |&byte| u32::from(byte)) << filled;
            filled += 8;
        }
        let number = bits & ((1 << width) - 1);
        bits >>= width;
        filled -= width;
        number as u8
    })
}

/// An arrangement of a few things, counted from 0: four bits each, the first lowest.
pub(crate) type Order = u64;

/// The most things of which a table of all orders is made: 39,916,800 orders.
pub(crate) const MOST_IN_TABLE: u8 = 11;

/// The order 0, 1, 2 and so on.
pub(crate) fn sorted(things: u8) -> Order {
    (0..things).map(|place| u64::from(place) << (4 * place)).sum()
}

/// How many orders there are.
pub(crate) fn orders(things: u8) -> u64 {
    (1..=u64::from(things)).product()
}

/// The number of an order in dictionary order, by how many of the things not yet placed are less
/// than the next (Lehmer's code).
#[inline(always)]
pub(crate) fn rank(things: u8, order: Order) -> u64 {
    let mut left = (1_u32 << things) - 1;
    let mut rank = 0;
    for place in 0..things {
        let thing = order >> (4 * place) & 15;
        let less = left & ((1 << thing) - 1);
        rank = rank * u64::from(things - place) + u64::from(less.count_ones());
        left ^= 1 << thing;
    }
    rank
}

/// The order of a number: the inverse of [`rank`].
pub(crate) fn unrank(things: u8, mut rank: u64) -> Order {
    let mut digits = [0; MOST_IN_TABLE as usize];
    for place in (0..things).rev() {
        let radix = u64::from(things - place);
        digits[usize::from(place)] = rank % radix;
        rank /= radix;
    }
    // The things not yet placed, in order.
    let mut left = sorted(things);
    let mut order = 0;
    for place in 0..things {
        let digit = 4 * digits[usize::from(place)];
        order |= (left >> digit & 15) << (4 * place);
        let below = (1 << digit) - 1;
        left = left & below | left >> 4 & !below;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_numbered_in_dictionary_order_without_a_gap() {
        for things in 1..=8 {
            let lists = (0..orders(things)).map(|number| {
                let order = unrank(things, number);
                assert_eq!(rank(things, order), number);
                let list: Vec<u64> = (0..things).map(|place| order >> (4 * place) & 15).collect();
                let mut sorted = list.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..things.into()));
                list
            });
            assert!(lists.collect::<Vec<_>>().is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn keys_hold_what_was_packed() {
        for things in 1..=64 {
            let width = bits_for(things);
            let mut key = vec![0xff; (usize::from(things) * width as usize).div_ceil(8)];
            let numbers = || (0..things).rev();
            pack_bits(width, numbers(), &mut key);
            assert!(unpack_bits(width, &key).take(things.into()).eq(numbers()), "{things}");
        }
    }
}
