//! Which pattern databases a puzzle gets, without being told.
//!
//! If all positions of the puzzle fit into the memory, one table of all of them. Otherwise:
//!
//! 1. a table across the sets: the orientations of as many sets as fit, and where some pieces of
//!    one set are, all as if they were the same;
//! 2. a table of all positions of each set for which that fits; beside a table across the sets,
//!    which says more of nearly all positions, these and the next ones have a small part of the
//!    memory: they are for positions of which it says nothing;
//! 3. tables of some pieces each of the other sets: where they are, with the orientations of all
//!    the set, or where these are too many, of the pieces themselves; the next pieces in the next
//!    table, until all had their turn or the memory is used up.
//!
//! A larger table says more, so each is made as large as what is left allows. What it takes are its
//! entries, which are fewer than its pictures where symmetric ones share one ([`Product::reduced`]).
//! So for the table across the sets such pieces are preferred as many rotations keep together.
//! Nothing is decided by a clock or by chance: the same puzzle and memory always give the same
//! tables.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use deepen::table::Indexed;

use super::coordinate::{Numbered, Turns, View, kinds, most_pictures};
use super::product::Product;
use super::reduce::Rotations;
use super::space::Twists;
use super::symmetry::Symmetry;

/// Chooses tables that take at most so many entries.
pub(super) fn choose(space: &Twists, entries: u64) -> Vec<Product> {
    let moved: Vec<usize> =
        (0..space.fields.len()).filter(|&field| space.fields[field].moved).collect();
    let mut choice = Choice::new(space, entries, Symmetry::all(space));
    let whole: Vec<View> = moved.iter().flat_map(|&field| View::whole(space, field)).collect();
    if let Some(product) = choice.product(&whole) {
        return vec![product];
    }
    if choice.across(&moved) {
        choice.left = choice.left.min(entries / BESIDE);
    }
    // Each set may use an equal share of what is left.
    for (index, &field) in moved.iter().enumerate() {
        let all = choice.left;
        choice.left = all / (moved.len() - index) as u64;
        let before = choice.left;
        choice.set(field, moved.len());
        choice.left = all - (before - choice.left);
    }
    if choice.chosen.is_empty() {
        // Not even one piece of a set fits with the rest: whatever is smallest.
        for &field in &moved {
            choice.pieces(field);
        }
    }
    choice.chosen
}

/// The table of all positions, each with an entry of its own, if it has at most so many.
pub(super) fn whole(space: &Twists, entries: u64) -> Option<Product> {
    let moved = (0..space.fields.len()).filter(|&field| space.fields[field].moved);
    let whole: Vec<View> = moved.flat_map(|field| View::whole(space, field)).collect();
    Choice::new(space, entries, Vec::new()).product(&whole)
}

struct Choice<'a> {
    space: &'a Twists,
    symmetries: Vec<Symmetry>,
    rotations: Rotations,
    numbered: Numbered,
    /// Which rotations make sense for a view.
    seen: HashMap<View, Arc<[bool]>>,
    /// How many entries may still be used.
    left: u64,
    chosen: Vec<Product>,
}

/// What part of the memory all tables have that stand beside one across the sets.
const BESIDE: u64 = 16;

/// How many tables that need not fit after all are worked out in search of one that does.
const TRIES: usize = 24;

impl<'a> Choice<'a> {
    fn new(space: &'a Twists, left: u64, symmetries: Vec<Symmetry>) -> Self {
        let rotations = Rotations::new(space, &symmetries);
        let numbered = Numbered::default();
        let (seen, chosen) = (HashMap::new(), Vec::new());
        Choice { space, symmetries, rotations, numbered, seen, left, chosen }
    }

    /// How many pictures of a product may share an entry, at most.
    fn sharing(&mut self, views: &[View]) -> u64 {
        let mut keeping: Vec<bool> = vec![true; self.symmetries.len()];
        for view in views {
            let alone = views.iter().filter(|other| other.field == view.field).count() == 1;
            // (Of those that are numbered quickly it is seen, of the others judged by the pieces.)
            let seen = if alone && view.classes.is_empty() { self.seen(view) } else { None };
            for (index, keeps) in keeping.iter_mut().enumerate() {
                let symmetry = &self.symmetries[index];
                *keeps &= match &seen {
                    Some(seen) => self.rotations.index(symmetry).is_some_and(|index| seen[index]),
                    None => self.keeps(symmetry, view),
                };
            }
        }
        let keeping = keeping.iter().filter(|&&keeps| keeps).count();
        keeping.clamp(1, self.rotations.len()) as u64
    }

    /// Which rotations make sense for a view by itself; `None` if it is too large.
    fn seen(&mut self, view: &View) -> Option<Arc<[bool]>> {
        if let Some(seen) = self.seen.get(view) {
            return Some(seen.clone());
        }
        let coordinate = self.numbered.get(self.space, view, most_pictures(self.space))?;
        let seen: Arc<[bool]> = self.rotations.kept(&coordinate).into();
        self.seen.insert(view.clone(), seen.clone());
        Some(seen)
    }

    /// Whether a symmetry turns pieces that count as the same into such, and those that are not
    /// looked at into one another.
    fn keeps(&self, symmetry: &Symmetry, view: &View) -> bool {
        let kinds = kinds(self.space, view.field);
        let mut becomes = [None; 256];
        becomes[0] = Some(0);
        kinds.iter().zip(&view.classes).all(|(&kind, &class)| {
            let to = kinds.binary_search(&symmetry.piece(view.field, kind));
            let Ok(to) = to.map(|to| view.classes[to]) else { return false };
            *becomes[usize::from(class)].get_or_insert(to) == to
        })
    }

    /// The product of some views, if it fits.
    fn product(&mut self, views: &[View]) -> Option<Product> {
        // By the estimates first: numbering takes time.
        let estimates = || views.iter().map(|view| estimate(self.space, view));
        let most = most_pictures(self.space);
        let sharing = self.sharing(views);
        let pictures = self.left.saturating_mul(sharing);
        if estimates().any(|size| size > most as f64)
            || estimates().product::<f64>() > pictures as f64
        {
            return None;
        }
        let mut size = 1_u64;
        let mut coordinates = Vec::new();
        for view in views {
            let coordinate = self.numbered.get(self.space, view, most)?;
            size = size.checked_mul(coordinate.size().into())?;
            if size > pictures {
                return None;
            }
            coordinates.push(coordinate);
        }
        // A step of the last coordinate stays near in memory: the largest goes there.
        coordinates.sort_by_key(|coordinate| coordinate.size());
        let product = Product::new(self.space, coordinates)?;
        // (The tables of the reduction, too, take memory.)
        let reduced = if sharing > 1 { product.reduced(self.space, &self.rotations) } else { None };
        let pays = |reduced: &Product| {
            let bytes = reduced.reduction().map_or(0, |reduction| reduction.bytes() as u64);
            reduced.size() / 2 + bytes < product.size() / 4
        };
        let product = reduced.filter(pays).unwrap_or(product);
        (product.size() <= self.left).then_some(product)
    }

    fn take(&mut self, product: Option<Product>) -> bool {
        let Some(product) = product.filter(|product| product.size() > 1) else { return false };
        let views = |product: &Product| -> Vec<View> {
            product.coordinates.iter().map(|coordinate| coordinate.view().clone()).collect()
        };
        if self.chosen.iter().any(|chosen| views(chosen) == views(&product)) {
            return false;
        }
        self.left -= product.size();
        self.chosen.push(product);
        true
    }

    /// Orientations of all slots of a set, if they count.
    fn turns(&self, field: usize) -> Option<View> {
        let whole = View::whole(self.space, field);
        whole.into_iter().find(|view| view.turns == Turns::All)
    }

    /// The table across the sets: at most three quarters of the memory. Whether there is one.
    fn across(&mut self, moved: &[usize]) -> bool {
        let all = self.left;
        self.left = all / 4 * 3;
        let mut views: Vec<View> = Vec::new();
        for view in moved.iter().filter_map(|&field| self.turns(field)).collect::<Vec<_>>() {
            let more = [views.clone(), vec![view]].concat();
            if self.product(&more).is_some() {
                views = more;
            }
        }
        let mut best: Option<Product> = None;
        if views.len() > 1 {
            let candidates = moved.iter().flat_map(|&field| self.places(field));
            best = self.worthiest(&views, candidates.collect());
        }
        let before = self.left;
        let taken = self.take(best);
        self.left = all - (before - self.left);
        taken
    }

    /// The product of some views, and if possible one of the others, that is worth most.
    fn worthiest(&mut self, views: &[View], others: Vec<View>) -> Option<Product> {
        let mut best = self.product(views);
        let mut candidates: Vec<(Worth, Vec<View>)> = Vec::new();
        for other in others {
            let views = [views, &[other]].concat();
            let estimates = views.iter().map(|view| estimate(self.space, view));
            let pictures = estimates.product::<f64>().round();
            let entries = pictures / self.sharing(&views) as f64;
            if entries <= self.left as f64 {
                candidates.push((Worth::new(pictures, entries), views));
            }
        }
        // (Those that are worth the same stay in order.)
        candidates.sort_by(|(one, _), (two, _)| two.order(one));
        let mut tries = TRIES;
        for (most, views) in candidates {
            // What is left is worth less at best.
            if tries == 0 || best.as_ref().is_some_and(|best| Worth::of(best).order(&most).is_ge())
            {
                break;
            }
            tries -= 1;
            best = better(best, self.product(&views));
        }
        best
    }

    /// Views of where some pieces of a set are: the first few, or such as rotations turn into one
    /// another; all as if they were the same, or those that fewer rotations turn into one another.
    fn places(&self, field: usize) -> Vec<View> {
        let number = kinds(self.space, field).len();
        let mut found: Vec<Vec<u8>> = Vec::new();
        for some in 1..=number / 2 {
            found.push((0..number).map(|kind| u8::from(kind < some)).collect());
        }
        let partitions = self.orbits(field);
        for partition in &partitions {
            for first in 0..number {
                let mut classes: Vec<u8> =
                    partition.iter().map(|&least| u8::from(least == first)).collect();
                let size = classes.iter().map(|&class| usize::from(class)).sum::<usize>();
                // As well the others: the fewer, or those with the first piece.
                if 2 * size > number || 2 * size == number && classes[0] == 0 {
                    classes = classes.iter().map(|class| 1 - class).collect();
                }
                if (1..number).contains(&size) && !found.contains(&classes) {
                    found.push(classes);
                }
            }
        }
        for at in number / 2..found.len() {
            for partition in &partitions {
                // (Classes in the order of their first pieces.)
                let mut firsts: Vec<usize> = Vec::new();
                let kinds = partition.iter().zip(&found[at]);
                let classes = kinds.map(|(&least, &class)| {
                    if class == 0 {
                        return 0;
                    }
                    let known = firsts.iter().position(|&first| first == least);
                    let place = known.unwrap_or(firsts.len());
                    if place == firsts.len() {
                        firsts.push(least);
                    }
                    place as u8 + 1
                });
                let classes = classes.collect();
                if !found.contains(&classes) {
                    found.push(classes);
                }
            }
        }
        let view = |classes| View { field, classes, turns: Turns::Ignored };
        found.into_iter().map(view).collect()
    }

    /// The partitions of the pieces of a set into such as two rotations turn into one another: for
    /// each piece the first of its part.
    fn orbits(&self, field: usize) -> Vec<Vec<usize>> {
        let all = kinds(self.space, field);
        let mut partitions = Vec::new();
        for (index, one) in self.symmetries.iter().enumerate() {
            for two in &self.symmetries[..=index] {
                let mut least: Vec<usize> = (0..all.len()).collect();
                let mut changed = true;
                while changed {
                    changed = false;
                    let both = [one, two].into_iter();
                    for (symmetry, kind) in
                        both.flat_map(|it| (0..all.len()).map(move |kind| (it, kind)))
                    {
                        let to = symmetry.piece(field, all[kind]);
                        let to = all.binary_search(&to).unwrap_or(kind);
                        let both = least[kind].min(least[to]);
                        changed |= least[kind] != both || least[to] != both;
                        (least[kind], least[to]) = (both, both);
                    }
                }
                if !partitions.contains(&least) {
                    partitions.push(least);
                }
            }
        }
        partitions
    }

    /// The tables of one set.
    fn set(&mut self, field: usize, sets: usize) {
        let whole = View::whole(self.space, field);
        if sets > 1
            && let Some(product) = self.product(&whole)
        {
            self.take(Some(product));
            return;
        }
        self.pieces(field);
    }

    /// Tables of some pieces each of a set.
    fn pieces(&mut self, field: usize) {
        let number = kinds(self.space, field).len();
        let mut start = 0;
        while start < number {
            let Some((count, product)) = self.some_pieces(field, start, number - start) else {
                return;
            };
            if !self.take(Some(product)) {
                return;
            }
            start += count;
        }
    }

    /// The largest table of at most so many pieces of a set from one on, and how many it has.
    fn some_pieces(&mut self, field: usize, start: usize, most: usize) -> Option<(usize, Product)> {
        let number = kinds(self.space, field).len();
        let seen = |start: usize, count: usize, turns| {
            let class = |kind: usize| match kind.checked_sub(start) {
                Some(place) if place < count => place as u8 + 1,
                _ => 0,
            };
            View { field, classes: (0..number).map(class).collect(), turns }
        };
        // Their places with the orientations of the whole set, if that leaves room for some.
        if let Some(turns) = self.turns(field) {
            for count in (most.min(3)..=most).rev() {
                let views = [turns.clone(), seen(start, count, Turns::Ignored)];
                if let Some(product) = self.product(&views) {
                    return Some((count, product));
                }
            }
        }
        let whole = View::whole(self.space, field);
        let turned = whole.iter().any(|view| view.turns != Turns::Ignored);
        let turns = if turned { Turns::Seen } else { Turns::Ignored };
        for count in (1..=most).rev() {
            if let Some(product) = self.product(&[seen(start, count, turns)]) {
                return Some((count, product));
            }
            // Where they are too many for one coordinate, two: some numbers then mean nothing.
            let half = count.div_ceil(2);
            let views = [seen(start, half, turns), seen(start + half, count - half, turns)];
            if count > 1
                && let Some(product) = self.product(&views)
            {
                return Some((count, product));
            }
        }
        None
    }
}

/// What a table is worth, and how few entries it has: the more pictures the better, and the more of
/// them share an entry. (Twice as many pictures raise the bound by a fraction of a move. That is not
/// worth twice the time to build the table and more if as many entries can have more of them.)
#[derive(Debug, Clone, Copy)]
struct Worth {
    worth: f64,
    entries: f64,
}

impl Worth {
    fn new(pictures: f64, entries: f64) -> Self {
        Worth { worth: pictures * pictures / entries, entries }
    }

    fn of(product: &Product) -> Self {
        Self::new(product.pictures() as f64, product.size() as f64)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.entries.total_cmp(&self.entries))
    }
}

/// The one that is worth more; of equals the first.
fn better(one: Option<Product>, two: Option<Product>) -> Option<Product> {
    match (&one, &two) {
        (Some(first), Some(second)) if Worth::of(second).order(&Worth::of(first)).is_le() => one,
        (_, Some(_)) => two,
        (_, None) => one,
    }
}

/// How many pictures a view has, about: what moves keep, a parity of the places and a sum of the
/// orientations, is taken into account where it can be.
fn estimate(space: &Twists, view: &View) -> f64 {
    let orientations = f64::from(space.fields[view.field].set.orientations);
    let all = kinds(space, view.field);
    let mut pictures = 1.0;
    for slots in space.invariants().slots_of(view.field) {
        // How many slots have pieces of each class.
        let mut sizes = [0_usize; 256];
        let mut turned = 0_i32;
        for &slot in slots {
            let kind = all.iter().position(|&kind| kind == space.solved().pieces[slot]);
            let class = kind.and_then(|kind| view.classes.get(kind)).copied().unwrap_or(0);
            sizes[usize::from(class)] += 1;
            turned += i32::from(match view.turns {
                Turns::Ignored => false,
                Turns::Seen => class > 0,
                Turns::All => true,
            });
        }
        let mut place = 0.0;
        for size in sizes {
            for one in 1..=size {
                place += 1.0;
                pictures *= place / one as f64;
            }
        }
        if sizes.iter().all(|&size| size <= 1) && slots.len() > 1 {
            pictures /= 2.0;
        }
        pictures *= orientations.powi(turned);
        if usize::try_from(turned) == Ok(slots.len()) {
            pictures /= orientations;
        }
    }
    pictures
}
