//! Permutation groups by Schreier and Sims: how many elements, which permutations belong, and
//! elements at random.
//!
//! A *base* is a list of points that only the identity fixes all of; the chain of stabilizers along
//! it is kept as the orbit of each base point with, for each point of the orbit, an element that
//! brings the base point there. An element is *sifted* through the chain by taking such elements
//! off; it belongs to the group exactly if nothing is left.
//!
//! The chain is first filled with random elements, which is quick, and then verified: each Schreier
//! generator of each stabilizer must sift to nothing (Sims 1970; Knuth, *Efficient representation
//! of perm groups*, 1991). Only a verified chain is ever used, since to say of a permutation that
//! it does not belong must be a proof.

use crate::random::Random;

/// A permutation: where each point goes.
pub(super) type Permutation = Box<[u16]>;

/// One stabilizer of the chain.
#[derive(Debug)]
struct Level {
    /// Its base point.
    base: u16,
    /// What generates it: elements that fix the base points before this one.
    generators: Vec<Permutation>,
    /// The points of its orbit, in the order in which they were found.
    orbit: Vec<u16>,
    /// For each point of the orbit an element that brings the base point there, and its inverse.
    to: Vec<Option<[Permutation; 2]>>,
}

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    degree: usize,
    levels: Vec<Level>,
    /// How many points were looked at, and how many may be.
    effort: u64,
    most: u64,
}

/// First `a`, then `b`.
fn product(a: &[u16], b: &[u16]) -> Permutation {
    a.iter().map(|&point| b[usize::from(point)]).collect()
}

fn inverse(a: &[u16]) -> Permutation {
    let mut inverse = vec![0; a.len()].into_boxed_slice();
    for (point, &image) in (0..).zip(a) {
        inverse[usize::from(image)] = point;
    }
    inverse
}

fn is_identity(a: &[u16]) -> bool {
    (0..).zip(a).all(|(point, &image)| point == image)
}

/// The effort ran out.
struct TooLarge;

impl Group {
    /// The group that permutations of so many points generate; `None` if working it out takes more
    /// than `most` looks at points.
    pub(super) fn new(degree: usize, generators: &[Permutation], most: u64) -> Option<Self> {
        let mut group = Group { degree, levels: Vec::new(), effort: 0, most };
        let built = group.fill(generators).and_then(|()| group.verify());
        built.ok().map(|()| group)
    }

    fn spend(&mut self, points: usize) -> Result<(), TooLarge> {
        self.effort += points as u64;
        if self.effort > self.most { Err(TooLarge) } else { Ok(()) }
    }

    /// Takes from an element what the levels from `first` on take; what is left, and the level at
    /// which it got stuck.
    fn sift(&self, first: usize, element: Permutation) -> (Permutation, usize) {
        let mut rest = element;
        for (index, level) in self.levels.iter().enumerate().skip(first) {
            let image = usize::from(rest[usize::from(level.base)]);
            match &level.to[image] {
                None => return (rest, index),
                Some([_, back]) => rest = product(&rest, back),
            }
        }
        (rest, self.levels.len())
    }

    /// Puts what was left of an element into the chain: into the levels from `first` to `last`,
    /// whose earlier base points it fixes.
    fn insert(&mut self, rest: &Permutation, first: usize, last: usize) -> Result<(), TooLarge> {
        if last == self.levels.len() {
            let moved = (0..).zip(rest.iter()).find(|(point, image)| point != *image);
            let Some((base, _)) = moved else { return Ok(()) };
            let identity: Permutation = (0..self.degree as u16).collect();
            let mut to = vec![None; self.degree];
            to[usize::from(base)] = Some([identity.clone(), identity]);
            self.levels.push(Level { base, generators: Vec::new(), orbit: vec![base], to });
        }
        for level in first..=last {
            self.levels[level].generators.push(rest.clone());
            self.extend(level)?;
        }
        Ok(())
    }

    /// Finds the whole orbit of a level.
    fn extend(&mut self, level: usize) -> Result<(), TooLarge> {
        let degree = self.degree;
        let mut at = 0;
        loop {
            let level = &mut self.levels[level];
            let Some(&point) = level.orbit.get(at) else { return Ok(()) };
            at += 1;
            let mut found = 0;
            for generator in &level.generators {
                let image = generator[usize::from(point)];
                if level.to[usize::from(image)].is_none()
                    && let Some([to, _]) = &level.to[usize::from(point)]
                {
                    let to = product(to, generator);
                    let back = inverse(&to);
                    level.to[usize::from(image)] = Some([to, back]);
                    level.orbit.push(image);
                    found += 1;
                }
            }
            let generators = level.generators.len();
            self.spend(generators + 2 * found * degree)?;
        }
    }

    /// Fills the chain with random elements until many in a row bring nothing new.
    fn fill(&mut self, generators: &[Permutation]) -> Result<(), TooLarge> {
        const IN_VAIN: usize = 24;
        for generator in generators {
            self.add(generator.clone())?;
        }
        // Product replacement: a list of elements that are multiplied with one another.
        let mut random = Random::new(1);
        let mut list: Vec<Permutation> =
            generators.iter().cycle().take(generators.len().max(10)).cloned().collect();
        let mut vain = 0;
        let mut round = 0;
        while vain < IN_VAIN && !list.is_empty() {
            let (one, two) = (random.index(list.len()), random.index(list.len()));
            if one == two {
                continue;
            }
            let factor = if random.index(2) == 0 { inverse(&list[two]) } else { list[two].clone() };
            list[one] = product(&list[one], &factor);
            self.spend(2 * self.degree)?;
            round += 1;
            if round > 50 {
                let is_new = self.add(list[one].clone())?;
                vain = if is_new { 0 } else { vain + 1 };
            }
        }
        Ok(())
    }

    /// Puts an element into the chain; whether it was news.
    fn add(&mut self, element: Permutation) -> Result<bool, TooLarge> {
        let (rest, level) = self.sift(0, element);
        self.spend(self.degree * (self.levels.len() + 1))?;
        let is_new = level < self.levels.len() || !is_identity(&rest);
        if is_new {
            self.insert(&rest, 0, level)?;
        }
        Ok(is_new)
    }

    /// Checks, from the last level to the first, that all Schreier generators sift to nothing; what
    /// is left of one is put in, and the check goes on from where it went.
    fn verify(&mut self) -> Result<(), TooLarge> {
        let mut next = self.levels.len();
        'levels: while let Some(index) = next.checked_sub(1) {
            for at in 0..self.levels[index].orbit.len() {
                for by in 0..self.levels[index].generators.len() {
                    let level = &self.levels[index];
                    let (point, generator) = (level.orbit[at], &level.generators[by]);
                    let image = generator[usize::from(point)];
                    let (Some([to, _]), Some([_, back])) =
                        (&level.to[usize::from(point)], &level.to[usize::from(image)])
                    else {
                        continue;
                    };
                    let element = product(&product(to, generator), back);
                    let (rest, stuck) = self.sift(index + 1, element);
                    self.spend(self.degree * (stuck - index + 2))?;
                    if stuck < self.levels.len() || !is_identity(&rest) {
                        self.insert(&rest, index + 1, stuck)?;
                        next = stuck.min(self.levels.len() - 1) + 1;
                        continue 'levels;
                    }
                }
            }
            next = index;
        }
        Ok(())
    }

    /// Whether a permutation belongs to it.
    pub(super) fn contains(&self, element: Permutation) -> bool {
        let (rest, level) = self.sift(0, element);
        level == self.levels.len() && is_identity(&rest)
    }

    /// How many elements it has; `None` if too many for a number.
    pub(super) fn order(&self) -> Option<u128> {
        self.levels
            .iter()
            .try_fold(1_u128, |order, level| order.checked_mul(level.orbit.len() as u128))
    }

    /// An element, each as likely as any other.
    pub(super) fn random(&self, random: &mut Random) -> Permutation {
        let identity: Permutation = (0..self.degree as u16).collect();
        self.levels.iter().rev().fold(identity, |element, level| {
            let point = level.orbit[random.index(level.orbit.len())];
            match &level.to[usize::from(point)] {
                Some([to, _]) => product(&element, to),
                None => element,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(degree: u16, cycles: &[&[u16]]) -> Permutation {
        let mut permutation: Permutation = (0..degree).collect();
        for cycle in cycles {
            for (from, to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                permutation[usize::from(*from)] = *to;
            }
        }
        permutation
    }

    #[test]
    fn orders_of_known_groups() {
        let order = |degree, generators: &[Permutation]| {
            Group::new(degree, generators, 1 << 30).unwrap().order().unwrap()
        };
        assert_eq!(order(5, &[]), 1);
        let symmetric = [cycles(8, &[&[0, 1]]), cycles(8, &[&[0, 1, 2, 3, 4, 5, 6, 7]])];
        assert_eq!(order(8, &symmetric), 40320);
        let alternating = [cycles(7, &[&[0, 1, 2]]), cycles(7, &[&[2, 3, 4, 5, 6]])];
        assert_eq!(order(7, &alternating), 2520);
        // Mathieu's group of 11 points.
        let mathieu = [
            cycles(11, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]),
            cycles(11, &[&[2, 6, 10, 7], &[3, 9, 4, 5]]),
        ];
        assert_eq!(order(11, &mathieu), 7920);
        // The dihedral group of a pentagon.
        assert_eq!(order(5, &[cycles(5, &[&[0, 1, 2, 3, 4]]), cycles(5, &[&[1, 4], &[2, 3]])]), 10);
    }

    #[test]
    fn members_are_told_and_drawn() {
        let alternating = [cycles(6, &[&[0, 1, 2]]), cycles(6, &[&[1, 2, 3, 4, 5]])];
        let group = Group::new(6, &alternating, 1 << 30).unwrap();
        assert!(group.contains(cycles(6, &[&[0, 1], &[4, 5]])));
        assert!(!group.contains(cycles(6, &[&[4, 5]])));
        let mut random = Random::new(7);
        let drawn: std::collections::BTreeSet<_> =
            (0..6000).map(|_| group.random(&mut random)).collect();
        assert_eq!(drawn.len(), 360);
        assert!(drawn.into_iter().all(|element| group.contains(element)));
    }

    #[test]
    fn too_large_a_group_is_given_up() {
        let symmetric = [cycles(60, &[&[0, 1]]), cycles(60, &[&(0..60).collect::<Vec<_>>()])];
        assert!(Group::new(60, &symmetric, 1000).is_none());
    }
}
