//! Products reduced by symmetries: states that a rotation of the puzzle turns into one another
//! share a number.
//!
//! A symmetry turns each letter into a letter and the solved state into itself. So it does the same
//! to the numbers of a coordinate if that makes sense there: 0 stays 0, and where a letter leads
//! from a number, the turned letter leads from the turned number to the turned end. Whether it
//! does is seen by following all letters from all numbers; nothing need be known of pieces and their
//! orientations. Coordinates of one set may make sense only together: which orientations count as
//! turned may depend on where the pieces are. They are then mapped as one, a [`Joint`].
//!
//! Of a product's joints one is the *major*. The symmetries put its numbers into classes; a table
//! tells the class of each, and a symmetry that turns it into the least of the class. That symmetry
//! is then done to the other joints, the *minor* ones, and class and minor numbers are the digits
//! of the state's number. (Kociemba's solver numbers its coset by sixteen symmetries in this way.)
//!
//! Some classes have fewer members than there are symmetries, as several of these turn the least
//! into itself. Then several numbers, *twins*, are of states that are turned into one another.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use deepen::table::{Bytes, prefetch};

use super::coordinate::{Coordinate, Numbers};
use super::product::MOST;
use super::space::Twists;
use super::symmetry::Symmetry;

/// The most numbers that coordinates that are mapped together have.
const MOST_JOINT: u64 = 8 << 20;
/// The most numbers of the minor joints, once for each symmetry.
const MOST_MAPPED: u64 = 4 << 20;

/// The symmetries of a space as a group, by what they make of the letters.
#[derive(Debug)]
pub(super) struct Rotations {
    /// What each makes of each letter; the identity is first.
    letters: Vec<Vec<u16>>,
    /// `after[two][one]` is the one that does `one`, then `two`.
    after: Vec<Vec<usize>>,
    /// A letter of each move, of which its others are powers.
    generators: Vec<u16>,
    /// How many letters there are.
    width: usize,
}

impl Rotations {
    pub(super) fn new(space: &Twists, symmetries: &[Symmetry]) -> Self {
        let mut letters: Vec<Vec<u16>> = vec![(0..space.letters.len() as u16).collect()];
        for symmetry in symmetries {
            if !letters.contains(&symmetry.letters) {
                letters.push(symmetry.letters.clone());
            }
        }
        let after = Self::table(&letters).unwrap_or_else(|| {
            // (Not all were looked at, so they are no group.)
            letters.truncate(1);
            vec![vec![0]]
        });
        let is_first = |letter: &usize| {
            let base = space.letters[*letter].base;
            space.letters[..*letter].iter().all(|other| other.base != base)
        };
        let width = space.letters.len();
        let generators = (0..width).filter(is_first).map(|letter| letter as u16).collect();
        Rotations { letters, after, generators, width }
    }

    fn table(letters: &[Vec<u16>]) -> Option<Vec<Vec<usize>>> {
        let index: HashMap<&[u16], usize> = letters.iter().map(Vec::as_slice).zip(0..).collect();
        let both = |two: &Vec<u16>, one: &Vec<u16>| {
            let letters: Vec<u16> = one.iter().map(|&letter| two[usize::from(letter)]).collect();
            index.get(letters.as_slice()).copied()
        };
        let row = |two| letters.iter().map(|one| both(two, one)).collect();
        letters.iter().map(row).collect()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Which it is, if it is one of them.
    pub(super) fn index(&self, symmetry: &Symmetry) -> Option<usize> {
        self.letters.iter().position(|letters| *letters == symmetry.letters)
    }

    /// Which of them make sense for a coordinate by itself.
    pub(super) fn kept(&self, coordinate: &Arc<Coordinate>) -> Vec<bool> {
        let joint = Joint::new(vec![coordinate.clone()]);
        let keeps =
            |symmetry| joint.as_ref().is_some_and(|joint| joint.map(self, symmetry).is_some());
        (0..self.len()).map(keeps).collect()
    }

    /// How many times a symmetry must be done to do nothing.
    fn order(&self, symmetry: usize) -> usize {
        let powers = std::iter::successors(Some(symmetry), |&power| {
            (power != 0).then(|| self.after[symmetry][power])
        });
        powers.count()
    }

    /// The same, of symmetries that differ by one that does nothing to these coordinates the first.
    fn modulo_idle(&self, coordinates: &[Arc<Coordinate>]) -> Self {
        let idle: Vec<usize> =
            (0..self.len()).filter(|&symmetry| self.is_idle(symmetry, coordinates)).collect();
        let first = |symmetry: usize| {
            let same = idle.iter().map(|&idle| self.after[symmetry][idle]);
            same.min().unwrap_or(symmetry)
        };
        let firsts: Vec<usize> = (0..self.len()).filter(|&it| first(it) == it).collect();
        let place = |symmetry| firsts.binary_search(&first(symmetry)).unwrap_or(0);
        let row = |&two: &usize| firsts.iter().map(|&one| place(self.after[two][one])).collect();
        Rotations {
            letters: firsts.iter().map(|&symmetry| self.letters[symmetry].clone()).collect(),
            after: firsts.iter().map(row).collect(),
            generators: self.generators.clone(),
            width: self.width,
        }
    }

    /// Whether a symmetry does nothing to any of these coordinates.
    fn is_idle(&self, symmetry: usize, coordinates: &[Arc<Coordinate>]) -> bool {
        let letters = &self.letters[symmetry];
        coordinates.iter().all(|coordinate| {
            (0..coordinate.size() as usize).all(|number| {
                let end = |letter| coordinate.next().at(number * self.width + usize::from(letter));
                let mut generators = self.generators.iter();
                generators.all(|&letter| end(letter) == end(letters[usize::from(letter)]))
            })
        })
    }
}

/// What is not known of a number.
const UNKNOWN: u32 = u32::MAX;

/// Coordinates whose numbers are mapped together, as the digits of one.
#[derive(Debug, Clone)]
struct Joint {
    members: Vec<Arc<Coordinate>>,
    strides: Vec<u32>,
    size: u32,
}

impl Joint {
    /// `None` if there are too many numbers.
    fn new(members: Vec<Arc<Coordinate>>) -> Option<Self> {
        let size: u64 = members.iter().map(|member| u64::from(member.size())).product();
        let size = u32::try_from(size).ok().filter(|_| size <= MOST_JOINT)?;
        let mut stride = size;
        let strides = members.iter().map(|member| {
            stride /= member.size();
            stride
        });
        let strides = strides.collect();
        Some(Joint { members, strides, size })
    }

    #[inline(always)]
    fn join(&self, numbers: &[u32]) -> usize {
        let digits = numbers.iter().zip(&self.strides);
        digits.map(|(&number, &stride)| (number * stride) as usize).sum()
    }

    #[inline(always)]
    fn split(&self, joined: u32, numbers: &mut [u32]) {
        let mut rest = joined;
        for (number, &stride) in numbers.iter_mut().zip(&self.strides) {
            *number = rest / stride;
            rest %= stride;
        }
    }

    /// Where a letter leads, as a sum: what the first member adds, and what all others do together.
    fn ends(&self, rotations: &Rotations, letter: u16) -> [Vec<u32>; 2] {
        let end = |member: usize, number: u32| {
            let row = number as usize * rotations.width;
            self.members[member].next().at(row + usize::from(letter)) * self.strides[member]
        };
        let mut numbers = [0; MOST];
        let others = (0..self.strides[0]).map(|number| {
            self.split(number, &mut numbers[..self.members.len()]);
            (1..self.members.len()).map(|member| end(member, numbers[member])).sum()
        });
        let others = others.collect();
        [(0..self.members[0].size()).map(|number| end(0, number)).collect(), others]
    }

    /// What becomes of each number, [`UNKNOWN`] of those that are of no state; `None` if the
    /// symmetry makes no sense here.
    fn map(&self, rotations: &Rotations, symmetry: usize) -> Option<Vec<u32>> {
        let mut map = vec![UNKNOWN; self.size as usize];
        map[0] = 0;
        let steps = rotations.generators.iter().map(|&letter| {
            let turned = rotations.letters[symmetry][usize::from(letter)];
            [self.ends(rotations, letter), self.ends(rotations, turned)]
        });
        let steps: Vec<[[Vec<u32>; 2]; 2]> = steps.collect();
        // What was reached waits by its first digit: those of one are followed together, and lead
        // to a few others, so all that they read stays near.
        let block = self.strides[0];
        let split = |number: u32| [(number / block) as usize, (number % block) as usize];
        let follow =
            |[ends, others]: &[Vec<u32>; 2], [first, rest]: [usize; 2]| ends[first] + others[rest];
        let mut reached = vec![Vec::new(); self.size.div_ceil(block) as usize];
        reached[0].push(0_u32);
        let (mut waiting, mut at) = (1_usize, 0);
        while waiting > 0 {
            let numbers = std::mem::take(&mut reached[at]);
            at = (at + 1) % reached.len();
            waiting -= numbers.len();
            for number in numbers {
                let (from, turned) = (split(number), split(map[number as usize]));
                for [ends, turned_ends] in &steps {
                    let (end, turned) = (follow(ends, from), follow(turned_ends, turned));
                    let known = &mut map[end as usize];
                    if *known == UNKNOWN {
                        *known = turned;
                        reached[(end / block) as usize].push(end);
                        waiting += 1;
                    } else if *known != turned {
                        return None;
                    }
                }
            }
        }
        Some(map)
    }
}

/// The symmetries of a product: those that make sense for all its joints.
struct Kept {
    /// By number among the rotations; the identity is first.
    elements: Vec<usize>,
    /// How each is made of generators, the first to be done first.
    words: Vec<Vec<usize>>,
    /// What each generator is among the elements.
    generators: Vec<usize>,
    /// What each generator makes of the numbers of each joint.
    maps: Vec<Vec<Vec<u32>>>,
}

impl Kept {
    fn new(rotations: &Rotations, joints: &[Joint]) -> Self {
        let (elements, words) = (vec![0], vec![Vec::new()]);
        let mut kept = Kept { elements, words, generators: Vec::new(), maps: Vec::new() };
        let mut fails = vec![false; rotations.len()];
        // Those that generate most first: each that is a generator is followed everywhere.
        let mut all: Vec<usize> = (1..rotations.len()).collect();
        all.sort_by_key(|&symmetry| Reverse(rotations.order(symmetry)));
        for symmetry in all {
            if fails[symmetry] || kept.elements.contains(&symmetry) {
                continue;
            }
            // The small ones first: it is soon seen there if it makes no sense.
            let (last, first) = joints.split_at(1);
            let maps = first.iter().chain(last).map(|joint| joint.map(rotations, symmetry));
            if let Some(mut maps) = maps.collect::<Option<Vec<_>>>() {
                maps.rotate_right(1);
                kept.generators.push(symmetry);
                kept.maps.push(maps);
                kept.close(rotations);
                continue;
            }
            for &element in &kept.elements {
                fails[rotations.after[symmetry][element]] = true;
                fails[rotations.after[element][symmetry]] = true;
            }
        }
        for generator in &mut kept.generators {
            let place = kept.elements.iter().position(|element| element == generator);
            *generator = place.unwrap_or(0);
        }
        kept
    }

    /// All that the generators make.
    fn close(&mut self, rotations: &Rotations) {
        (self.elements, self.words) = (vec![0], vec![Vec::new()]);
        let mut at = 0;
        while at < self.elements.len() {
            for (index, &generator) in self.generators.iter().enumerate() {
                let next = rotations.after[generator][self.elements[at]];
                if !self.elements.contains(&next) {
                    let word = [self.words[at].as_slice(), &[index]].concat();
                    self.elements.push(next);
                    self.words.push(word);
                }
            }
            at += 1;
        }
    }

    /// What an element makes of a number of a joint. (What is of no state stays as it is, and no
    /// move leads from there to what is.)
    fn image(&self, element: usize, joint: usize, number: u32) -> u32 {
        let image = |number: u32, &generator: &usize| {
            let image = self.maps[generator][joint][number as usize];
            if image == UNKNOWN { number } else { image }
        };
        self.words[element].iter().fold(number, image)
    }

    /// `after[two][one]` is the element that does `one`, then `two`.
    fn after(&self, rotations: &Rotations) -> Vec<Vec<usize>> {
        let both = |two: usize, one: usize| {
            let both = rotations.after[two][one];
            self.elements.iter().position(|&element| element == both).unwrap_or(0)
        };
        let row = |&two| self.elements.iter().map(|&one| both(two, one)).collect();
        self.elements.iter().map(row).collect()
    }
}

/// How the states of a product are numbered up to symmetry.
#[derive(Debug)]
pub(super) struct Reduction {
    /// What each symmetry makes of each letter; the identity is first.
    letters: Vec<Vec<u16>>,
    major: Joint,
    /// For each major number its class, and in the lowest bits the symmetry that turns it into the
    /// least of the class: four bytes each, the lowest first.
    classes: Bytes,
    bits: u32,
    /// The least of each class.
    least: Vec<u32>,
    /// For each class which symmetries turn its least into itself: which list of the next.
    kept_by: Vec<u16>,
    /// Lists of such symmetries, the identity left out; the first is empty.
    keepers: Vec<Vec<usize>>,
    minors: Vec<Minor>,
    minor_size: u64,
}

/// A joint that is mapped as the major one says.
#[derive(Debug)]
struct Minor {
    joint: Joint,
    /// What a step adds to the rank.
    stride: u32,
    /// For each symmetry and number what becomes of it, times the stride.
    maps: Numbers,
}

impl Reduction {
    /// Numbers a product up to the symmetries that it has; `None` if it has none, or too many
    /// numbers for the tables.
    pub(super) fn new(rotations: &Rotations, coordinates: &[Arc<Coordinate>]) -> Option<Self> {
        let guarded = coordinates.iter().any(|coordinate| coordinate.is_guarded());
        if rotations.len() == 1 || coordinates.len() > MOST || guarded {
            return None;
        }
        let rotations = &rotations.modulo_idle(coordinates);
        let mut joints = joints(rotations, coordinates)?;
        // The first is the major one, the largest of the others comes last.
        joints.sort_by_key(|joint| joint.size);
        joints.rotate_right(1);
        let kept = Kept::new(rotations, &joints);
        let order = kept.elements.len();
        let minor_size: u64 = joints[1..].iter().map(|joint| u64::from(joint.size)).product();
        let mapped: u64 = joints[1..].iter().map(|joint| u64::from(joint.size)).sum();
        if order == 1
            || u32::try_from(minor_size).is_err()
            || mapped * order as u64 > MOST_MAPPED
            || order > 128
        {
            return None;
        }
        let letters = kept.elements.iter().map(|&element| rotations.letters[element].clone());
        let mut reduction = Reduction {
            letters: letters.collect(),
            major: joints.remove(0),
            classes: Bytes::new(Vec::new()),
            bits: order.next_power_of_two().trailing_zeros(),
            least: Vec::new(),
            kept_by: Vec::new(),
            keepers: vec![Vec::new()],
            minors: Vec::new(),
            minor_size,
        };
        reduction.classify(&kept, &kept.after(rotations));
        let mut stride = minor_size as u32;
        for (index, joint) in (1..).zip(joints) {
            stride /= joint.size;
            let image = |element| {
                let kept = &kept;
                (0..joint.size).map(move |number| kept.image(element, index, number) * stride)
            };
            let maps = Numbers::new((0..order).flat_map(image).collect());
            reduction.minors.push(Minor { joint, stride, maps });
        }
        Some(reduction)
    }

    /// Puts the major numbers into classes.
    fn classify(&mut self, kept: &Kept, after: &[Vec<usize>]) {
        let order = after.len();
        let inverse = |element: usize| (0..order).find(|&other| after[other][element] == 0);
        let inverses: Vec<u32> =
            (0..order).map(|element| inverse(element).unwrap_or(0) as u32).collect();
        let mut classes = vec![UNKNOWN; self.major.size as usize];
        let mut members = Vec::new();
        for least in 0..self.major.size {
            let is_of_none = kept.maps[0][0][least as usize] == UNKNOWN;
            if is_of_none || classes[least as usize] != UNKNOWN {
                continue;
            }
            let class = (self.least.len() as u32) << self.bits;
            self.least.push(least);
            classes[least as usize] = class;
            members.clear();
            // With the symmetry that turns the least into each.
            members.push((least, 0));
            let mut at = 0;
            while let Some(&(member, element)) = members.get(at) {
                at += 1;
                for (&generator, maps) in kept.generators.iter().zip(&kept.maps) {
                    let next = maps[0][member as usize];
                    if classes[next as usize] == UNKNOWN {
                        let element = after[generator][element];
                        classes[next as usize] = class | inverses[element];
                        members.push((next, element));
                    }
                }
            }
            let mut keepers = Vec::new();
            if members.len() < order {
                keepers.extend((1..order).filter(|&it| kept.image(it, 0, least) == least));
            }
            let known = self.keepers.iter().position(|known| *known == keepers);
            self.kept_by.push(known.unwrap_or(self.keepers.len()) as u16);
            if known.is_none() {
                self.keepers.push(keepers);
            }
        }
        self.classes = Bytes::new(classes.into_iter().flat_map(u32::to_le_bytes).collect());
    }

    /// The coordinates in the order in which their numbers are handed over.
    pub(super) fn coordinates(&self) -> Vec<Arc<Coordinate>> {
        let minors = self.minors.iter().flat_map(|minor| &minor.joint.members);
        self.major.members.iter().chain(minors).cloned().collect()
    }

    /// What each symmetry makes of each letter; the identity is first.
    pub(super) fn letters(&self) -> &[Vec<u16>] {
        &self.letters
    }

    /// How many bytes its tables take.
    pub(super) fn bytes(&self) -> usize {
        let maps = self.minors.iter().map(|minor| minor.maps.bytes()).sum::<usize>();
        self.classes.len() + 4 * self.least.len() + 2 * self.kept_by.len() + maps
    }

    /// How many numbers there are.
    pub(super) fn size(&self) -> u64 {
        self.least.len() as u64 * self.minor_size
    }

    /// The number of a state, from those of its coordinates.
    #[inline(always)]
    pub(super) fn rank(&self, numbers: &[u32]) -> u64 {
        let (major, mut rest) = numbers.split_at(self.major.strides.len());
        let class = self.classes[4 * self.major.join(major)..].first_chunk();
        let class = class.map_or(0, |class| u32::from_le_bytes(*class));
        let symmetry = (class & ((1 << self.bits) - 1)) as usize;
        let mut rank = u64::from(class >> self.bits) * self.minor_size;
        for minor in &self.minors {
            let (numbers, others) = rest.split_at(minor.joint.strides.len());
            let number = minor.joint.join(numbers);
            rank += u64::from(minor.maps.at(symmetry * minor.joint.size as usize + number));
            rest = others;
        }
        rank
    }

    /// Has the class brought near that [`rank`](Reduction::rank) needs.
    #[inline(always)]
    pub(super) fn prefetch(&self, numbers: &[u32]) {
        prefetch(&self.classes, 4 * self.major.join(&numbers[..self.major.strides.len()]));
    }

    /// The numbers of a state's coordinates.
    #[inline(always)]
    pub(super) fn unrank(&self, rank: u64, numbers: &mut [u32]) {
        let (major, mut to) = numbers.split_at_mut(self.major.strides.len());
        self.major.split(self.least[(rank / self.minor_size) as usize], major);
        let mut rest = (rank % self.minor_size) as u32;
        for minor in &self.minors {
            let (numbers, others) = to.split_at_mut(minor.joint.strides.len());
            minor.joint.split(rest / minor.stride, numbers);
            rest %= minor.stride;
            to = others;
        }
    }

    /// The other numbers of the same states up to symmetry.
    #[inline(always)]
    pub(super) fn for_each_twin(&self, rank: u64, mut twin: impl FnMut(u64)) {
        let class = rank / self.minor_size;
        let kept_by = self.kept_by[class as usize];
        if kept_by == 0 {
            return;
        }
        for &symmetry in &self.keepers[usize::from(kept_by)] {
            let mut rest = (rank % self.minor_size) as u32;
            let mut turned = class * self.minor_size;
            for minor in &self.minors {
                let number = symmetry * minor.joint.size as usize + (rest / minor.stride) as usize;
                turned += u64::from(minor.maps.at(number));
                rest %= minor.stride;
            }
            if turned != rank {
                twin(turned);
            }
        }
    }
}

/// Joins coordinates of one set, where not all symmetries make sense for each by itself, as long
/// as they are not too many.
fn joints(rotations: &Rotations, coordinates: &[Arc<Coordinate>]) -> Option<Vec<Joint>> {
    let mut joints = Vec::new();
    let mut fields: Vec<usize> = coordinates.iter().map(|it| it.view().field).collect();
    fields.sort_unstable();
    fields.dedup();
    for field in fields {
        let here = coordinates.iter().filter(|coordinate| coordinate.view().field == field);
        let here: Vec<Arc<Coordinate>> = here.cloned().collect();
        let single = here.iter().map(|coordinate| Joint::new(vec![coordinate.clone()]));
        let single: Vec<Joint> = single.collect::<Option<_>>()?;
        if single.len() > 1
            && Kept::new(rotations, &single).elements.len() < rotations.len()
            && let Some(joint) = Joint::new(here)
        {
            joints.push(joint);
        } else {
            joints.extend(single);
        }
    }
    Some(joints)
}
