//! States stored by increasing cost from where a search began: what breadth-first searches grow.
//!
//! As long as all moves cost the same, the order in which states are stored is that of their
//! costs: the states still to be expanded are simply the last ones, and a state's cost is told by
//! where its layer begins. Nothing but the keys need be stored. The first move of another cost
//! turns the frontier into one that keeps each state's cost and a queue by cost (uniform-cost
//! search).

use super::queue::Queue;
use super::store::{Column, Full, Memory, Store, bytes_of};
use crate::space::Cost;

#[derive(Debug)]
pub(crate) struct Frontier {
    pub(crate) store: Store,
    order: Order,
}

#[derive(Debug)]
enum Order {
    /// All moves cost `step`, if there were any.
    Layers {
        step: Option<Cost>,
        /// The number of the first state of each layer.
        starts: Vec<u32>,
        /// The next state to be expanded.
        next: u32,
    },
    /// Each state's cost, and the states to be expanded.
    Costs { costs: Column<Cost>, queue: Queue<Cost> },
}

/// How a state was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// For the first time.
    New(u32),
    /// At less cost than before.
    Better(u32),
    /// At no less cost than before.
    Known,
}

impl Frontier {
    /// Nothing yet, for keys of `width` bytes.
    pub(crate) fn new(width: usize) -> Self {
        let order = Order::Layers { step: None, starts: Vec::new(), next: 0 };
        Frontier { store: Store::new(width), order }
    }

    /// Whether all moves cost the same so far: then states are stored in the order in which they
    /// were reached, layer by layer.
    pub(crate) fn is_layered(&self) -> bool {
        matches!(self.order, Order::Layers { .. })
    }

    /// How many states are to be expanded, about.
    pub(crate) fn open(&self) -> u64 {
        match &self.order {
            Order::Layers { next, .. } => u64::from(self.store.len() - next),
            Order::Costs { queue, .. } => queue.len(),
        }
    }

    /// The cost at which a state was reached.
    pub(crate) fn cost(&self, number: u32) -> Cost {
        match &self.order {
            Order::Layers { step, starts, .. } => {
                let layer = starts.partition_point(|&start| start <= number) - 1;
                step.unwrap_or(0) * layer as Cost
            }
            Order::Costs { costs, .. } => costs.get(number),
        }
    }

    /// The least cost of a state that is to be expanded.
    pub(crate) fn least(&mut self, memory: &mut Memory) -> Option<Cost> {
        match &mut self.order {
            Order::Layers { next, .. } => {
                let next = *next;
                (next < self.store.len()).then(|| self.cost(next))
            }
            Order::Costs { costs, queue } => loop {
                let (cost, number) = queue.peek()?;
                if costs.get(number) == cost {
                    return Some(cost);
                }
                queue.pop(memory);
            },
        }
    }

    /// Takes a state out that is to be expanded, if there is one of that least cost.
    pub(crate) fn pop(&mut self, cost: Cost, memory: &mut Memory) -> Option<u32> {
        if self.least(memory) != Some(cost) {
            return None;
        }
        match &mut self.order {
            Order::Layers { next, .. } => {
                *next += 1;
                Some(*next - 1)
            }
            Order::Costs { queue, .. } => queue.pop(memory).map(|(_, number)| number),
        }
    }

    /// Learns what a move costs, before what it leads to is reached.
    #[inline]
    pub(crate) fn admit(&mut self, cost: Cost, memory: &mut Memory) -> Result<(), Full> {
        match &mut self.order {
            Order::Layers { step, .. } if step.is_none_or(|step| step == cost) => {
                *step = Some(cost);
                Ok(())
            }
            Order::Layers { .. } => self.keep_costs(memory),
            Order::Costs { .. } => Ok(()),
        }
    }

    /// Keeps the cost of each state from now on.
    #[cold]
    fn keep_costs(&mut self, memory: &mut Memory) -> Result<(), Full> {
        let (mut costs, mut queue) = (Column::new(), Queue::new());
        if let Order::Layers { next, .. } = self.order {
            for number in 0..self.store.len() {
                let cost = self.cost(number);
                costs.push(cost, memory)?;
                if number >= next {
                    queue.push(cost, number, memory)?;
                }
            }
        }
        if let Order::Layers { starts, .. } = &mut self.order {
            memory.give(bytes_of(starts));
        }
        self.order = Order::Costs { costs, queue };
        Ok(())
    }

    /// Whether a state is stored that was reached at no greater cost.
    #[inline]
    pub(crate) fn knows(&self, key: &[u8], cost: Cost) -> bool {
        self.store.find(key).is_some_and(|number| match &self.order {
            Order::Layers { .. } => true,
            Order::Costs { costs, .. } => costs.get(number) <= cost,
        })
    }

    /// Reaches a state, at no less cost than that of the state that is being expanded.
    pub(crate) fn reach(
        &mut self,
        key: &[u8],
        cost: Cost,
        memory: &mut Memory,
    ) -> Result<Reached, Full> {
        if let Some(number) = self.store.find(key) {
            let Order::Costs { costs, queue } = &mut self.order else { return Ok(Reached::Known) };
            if costs.get(number) <= cost {
                return Ok(Reached::Known);
            }
            costs.set(number, cost);
            queue.push(cost, number, memory)?;
            return Ok(Reached::Better(number));
        }
        let number = self.store.add(key, memory)?;
        match &mut self.order {
            Order::Layers { step, starts, .. } => {
                let deepest = starts.len() as u64 * u64::from(step.unwrap_or(1));
                if deepest <= u64::from(cost) {
                    memory.push(starts, number)?;
                }
            }
            Order::Costs { costs, queue } => {
                costs.push(cost, memory)?;
                queue.push(cost, number, memory)?;
            }
        }
        Ok(Reached::New(number))
    }
}
