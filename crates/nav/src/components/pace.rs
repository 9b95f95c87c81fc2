//! How long a step takes.

/// How long a step takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Pace {
    /// One [period](super::MoveTimer::chasing), whatever the ground: the default. Costs only say
    /// which way a chaser prefers.
    #[default]
    Even,
    /// As many periods as it costs in straight steps onto ground of cost 1: a swamp of cost 3 slows
    /// to a third.
    ///
    /// It is the cost by which searches and fields choose the way,
    /// [`Grid::move_cost`](nav_grid::Grid::move_cost) over
    /// [`Metric::straight`](nav_grid::Metric::straight), so the cheapest way is the fastest one. A
    /// step costs what the dearest cell costs that the body covers afterwards. Diagonal steps take
    /// longer than straight ones if the [metric](nav_grid::Rules::metric) says so, as
    /// [`Metric::Grid`](nav_grid::Metric::Grid) does and the default does not. A link takes its own
    /// cost in periods.
    ///
    /// The chaser is in the new cell at once, and may neither step nor be pushed until that time is
    /// over.
    ByCost,
}
